package main

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/message"
)

// The order is the design's: 130 > 6 > 4 > 7 > 1, with findings, start and usage where
// what a command reads or starts can meet them.
func TestWorst(t *testing.T) {
	order := []exitCode{exitOK, exitAnswer, exitUsage, exitStart, exitFindings, exitProtocol, exitTimeout, exitDied, exitInterrupted}
	for i, a := range order {
		for j, b := range order {
			if got, want := worst(a, b), order[max(i, j)]; got != want {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestReport(t *testing.T) {
	answer := message.NewError(-32601, "no such\nmethod")
	answer.Data = message.Raw(`{"n":1.0}`)
	tests := []struct {
		sentence string
		err      error
		code     exitCode
		text     string
		json     string
	}{
		{"nothing to tell", nil, exitOK, "", ""},
		{"told already", exited(exitDied), exitDied, "", ""},
		{"a reader that has gone", fmt.Errorf("write: %w", syscall.EPIPE), exitOK, "", ""},
		{
			"a failure with a hint", failf(exitTimeout, "timed out after %v", "1s").withHint("wait"), exitTimeout,
			"parley: timed out after 1s\nparley: hint: wait\n",
			`{"error":{"code":"timeout","message":"timed out after 1s","hint":"wait"}}` + "\n",
		},
		{
			"an error that a method answered", &failure{code: exitAnswer, text: "x answered error -32601: no such\nmethod", answer: answer}, exitAnswer,
			`parley: x answered error -32601: no such\nmethod` + "\n",
			`{"error":{"code":-32601,"message":"no such\nmethod","data":{"n":1.0}}}` + "\n",
		},
		{
			"an error of cobra's", errors.New(`unknown command "x"`), exitUsage,
			"parley: unknown command \"x\"\nparley: hint: parley --help shows what there is\n",
			`{"error":{"code":"usage","message":"unknown command \"x\"","hint":"parley --help shows what there is"}}` + "\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			for f, want := range map[format]string{formatText: tt.text, formatJSON: tt.json, formatJSONL: tt.json} {
				var out bytes.Buffer
				a := &app{tell: newConsole(&out, false), format: f}
				if got := a.report(tt.err); got != tt.code {
					t.Errorf("%s: exit code %d, want %d", f, got, tt.code)
				}
				if diff := cmp.Diff(want, out.String()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f, diff)
				}
			}
		})
	}
}

// Every code that a failure of ours can have has a name for programs.
func TestCodeNames(t *testing.T) {
	for _, code := range []exitCode{exitAnswer, exitUsage, exitStart, exitTimeout, exitFindings, exitDied, exitProtocol, exitInterrupted} {
		if codeNames[code] == "" {
			t.Errorf("exit code %d has no name", code)
		}
	}
}

// Lines of ours start at the start of a line, and are one line, whatever is around and
// in them.
func TestConsole(t *testing.T) {
	for terminal, want := range map[bool]string{
		false: "half\x1b[1m\nparley: a\\nb\\u001b\nwhole\nparley: c\n",
		true:  "half\\u001b[1m\nparley: a\\nb\\u001b\nwhole\nparley: c\n",
	} {
		var out bytes.Buffer
		c := newConsole(&out, terminal)
		fmt.Fprint(c, "half\x1b[1m")
		c.printf("parley: %s", "a\nb\x1b")
		fmt.Fprint(c, "whole\n")
		c.printf("parley: c")
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("terminal %v (-want +got):\n%s", terminal, diff)
		}
	}
}
