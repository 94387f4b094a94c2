package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/message"
)

// exitCode is what a command ends with. The numbers are a contract with scripts and
// are the same for all commands:
//
//	0    ok; also when whoever reads our output has gone
//	1    a method answered with an error, a tool failed, or the result could not be written
//	2    usage: a flag, an argument or a line of an input file
//	3    the command could not be started
//	4    timed out
//	5    findings: something in the input is not as it should be
//	6    the child died before it answered
//	7    the other side broke the protocol or the limit
//	130  interrupted, by SIGINT, SIGTERM or SIGHUP
//
// Of several at once the first of 130, 6, 4, 7, 5, 3, 2, 1 counts. A child that exits
// after its answer may do so with any code.
type exitCode int

const (
	exitOK          exitCode = 0
	exitAnswer      exitCode = 1
	exitUsage       exitCode = 2
	exitStart       exitCode = 3
	exitTimeout     exitCode = 4
	exitFindings    exitCode = 5
	exitDied        exitCode = 6
	exitProtocol    exitCode = 7
	exitInterrupted exitCode = 130
)

// worst returns the code that counts when a run has met both.
func worst(a, b exitCode) exitCode {
	for _, code := range []exitCode{exitInterrupted, exitDied, exitTimeout, exitProtocol, exitFindings, exitStart, exitUsage, exitAnswer} {
		if a == code || b == code {
			return code
		}
	}
	return exitOK
}

// A failure is why a command did not do what it was asked. It is told to a person as
//
//	parley: what failed: why
//	parley: hint: what to do about it
//
// and to a program, with --format json or jsonl, as one line on stderr:
//
//	{"error":{"code":"timeout","message":"what failed: why","hint":"…"}}
//
// The code of an error that a method answered with is its number, and the whole
// object is the one that was answered; a failure of ours has a word for a code.
type failure struct {
	code   exitCode
	text   string
	hint   string
	word   string         // the code for a program, where codeNames says too little
	answer *message.Error // what a method answered with; nil if the failure is ours
}

func (f *failure) Error() string { return f.text }

func failf(code exitCode, format string, args ...any) *failure {
	return &failure{code: code, text: fmt.Sprintf(format, args...)}
}

func usagef(format string, args ...any) *failure { return failf(exitUsage, format, args...) }

// withHint adds what to do about it.
func (f *failure) withHint(format string, args ...any) *failure {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// exited is a failure that has been told already: only its code is left.
type exited exitCode

func (e exited) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// ended returns nil or the code as an error.
func ended(code exitCode) error {
	if code == exitOK {
		return nil
	}
	return exited(code)
}

// report tells how a command ended and returns its exit code. An error that is no
// failure comes from cobra: an unknown command, a wrong number of arguments.
func (a *app) report(err error) exitCode {
	var told exited
	var f *failure
	switch {
	case err == nil, isGone(err):
		return exitOK
	case errors.As(err, &told):
		return exitCode(told)
	case !errors.As(err, &f):
		f = usagef("%v", err).withHint("parley --help shows what there is")
	}
	a.explain(f)
	return f.code
}

// explain tells of a failure.
func (a *app) explain(f *failure) {
	if a.format == formatJSON || a.format == formatJSONL {
		a.tell.printf("%s", f.json())
		return
	}
	a.tell.printf("parley: %s", f.text)
	if f.hint != "" {
		a.tell.printf("parley: hint: %s", f.hint)
	}
}

// codeNames are the codes of our own failures, for programs.
var codeNames = map[exitCode]string{
	exitAnswer:      "output",
	exitUsage:       "usage",
	exitStart:       "start",
	exitTimeout:     "timeout",
	exitFindings:    "findings",
	exitDied:        "died",
	exitProtocol:    "protocol",
	exitInterrupted: "interrupted",
}

func (f *failure) json() message.Raw {
	type ours struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	var of any = ours{cmp.Or(f.word, codeNames[f.code]), f.text, f.hint}
	if f.answer != nil {
		of = f.answer
	}
	text, err := message.Encode(struct {
		Error any `json:"error"`
	}{of})
	if err != nil { // the data of the answer is the peer's text, and was JSON when it came
		text, _ = message.Encode(struct {
			Error ours `json:"error"`
		}{ours{codeNames[exitProtocol], err.Error(), ""}})
	}
	return text
}
