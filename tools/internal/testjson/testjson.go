// Package testjson reads the event stream of `go test -json`.
//
// # Lines that are not events
//
// A test binary that writes to the real standard output, or a program beside go test on the same pipe, puts
// lines into the stream that are no JSON objects. They are evidence and not errors: Read hands them over as
// events whose Action is [Text], and nothing is lost.
package testjson

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Actions that parley's tools tell apart, as cmd/test2json documents them. [Text] is ours.
const (
	Start       = "start"        // a package's test binary is about to run
	Run         = "run"          // a test began
	Pass        = "pass"         // a test, or without Test a package, passed
	Fail        = "fail"         // a test, or without Test a package, failed
	Skip        = "skip"         // a test was skipped, or a package has no tests
	Output      = "output"       // one line of a test's or a package's output
	BuildOutput = "build-output" // one line of the compiler's output
	Text        = "text"         // a line of the stream that is no event
)

// An Event is one line of the stream.
type Event struct {
	Action  string
	Package string  // import path; absent in build events
	Test    string  // name with its parents, "TestA/case_1"; empty when the event is about the package
	Elapsed float64 // seconds, in the events that end a test or a package
	Output  string  // the text with its newline, in Output, BuildOutput and Text
}

// Read calls each for every line of r, in order, and returns nil at the end of r or the error that reading ended with.
// A line may be of any length.
func Read(r io.Reader, each func(Event)) error {
	br := bufio.NewReader(r)
	for {
		line, err := br.ReadBytes('\n')
		if len(line) > 0 {
			each(parse(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parse gives line's event, or a Text event when line is no object with an Action.
func parse(line []byte) Event {
	var e Event
	if line[0] != '{' || json.Unmarshal(line, &e) != nil || e.Action == "" {
		return Event{Action: Text, Output: string(line)}
	}
	return e
}
