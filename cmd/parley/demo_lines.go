package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// An event is a line of a streaming agent: a type and what goes with it.
type event struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
}

// A controlRequest is the one kind of line in such a stream that is owed an answer.
type controlRequest struct {
	Type      string     `json:"type"`
	RequestID string     `json:"request_id"`
	Request   permission `json:"request"`
}

// A permission is what an agent asks for before it runs something.
type permission struct {
	Subtype  string            `json:"subtype"`
	ToolName string            `json:"tool_name"`
	Input    map[string]string `json:"input"`
}

// A controlResponse answers it. Its request_id is inside, beside the answer.
type controlResponse struct {
	Type     string `json:"type"`
	Response struct {
		Subtype   string   `json:"subtype"`
		RequestID string   `json:"request_id"`
		Response  decision `json:"response"`
	} `json:"response"`
}

// A decision is what the host says to a permission.
type decision struct {
	Behavior     string            `json:"behavior"`
	UpdatedInput map[string]string `json:"updatedInput"`
}

// pace is the pause between two lines of the agent, so that a person sees them arrive.
const pace = 25 * time.Millisecond

// prompt is what the host sends; doings are what the agent does about it.
var (
	prompt = event{"user", "列出当前目录"}
	doings = []event{
		{"progress", "reading the current directory"},
		{"output", "README.md"},
		{"output", "main.go"},
		{"done", ""},
	}
)

// lineSections are about lines that are no calls, in the dialect of agents that stream
// JSON.
func lineSections() []section {
	sections := []section{{
		part:   "A line is not a call: stream-json",
		title:  "One line in, many lines out",
		lesson: "An agent's stream is events. Each is shown the moment its newline is there, and none is an answer.",
		run:    oneInManyOut,
	}, {
		title:  "The same events as an array that is not finished",
		lesson: "An array is one JSON text. Until its last bracket there is nothing to parse, however much has come.",
		run:    unfinishedArray,
	}, {
		title:  "A bad line is skipped",
		lesson: "A stray print costs its own line and nothing else. It has no id, so there is nobody to tell.",
		run:    strayPrint,
	}, {
		title:  "A control_request is owed an answer",
		lesson: "What makes a debt is an id that must come back. Here it is request_id, and no \"jsonrpc\" is in sight.",
		run:    permissionAsked,
	}}
	for i := range sections {
		sections[i].speaks = claude.Dialect
	}
	return sections
}

// An agent does its work over a stream: it reads the prompt and writes lines.
type agent func(stream frame.Stream) error

// A host is given each line of the agent as it arrives, with the stream to answer on.
type host func(stream frame.Stream, rec []byte) error

// converse joins a host and an agent by two buffers in memory. The host sends the
// prompt; then it reads until the agent has ended, which is the end of the input.
func (s *stage) converse(ctx context.Context, run agent, react host) error {
	near, far := frame.Pipe()
	// A read of the pipe knows no ctx: closing it is what ends the read.
	stop := context.AfterFunc(ctx, func() { _ = near.Close() })
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- errors.Join(run(frame.Lines.Stream(far, far)), far.Close())
	}()
	stream := frame.Lines.Stream(near, near)
	err := s.send(stream, prompt)
	for err == nil {
		var rec []byte
		if rec, err = stream.ReadRecord(); err == nil {
			s.record(parley.Inbound, rec)
			err = react(stream, rec)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, near.Close(), <-ended)
}

// send shows a line of the host and writes it.
func (s *stage) send(stream frame.Stream, v any) error {
	rec, err := message.Encode(v)
	if err != nil {
		return err
	}
	s.record(parley.Outbound, rec)
	return stream.WriteRecord(rec)
}

// writeEvent is send for an agent, which shows nothing.
func writeEvent(stream frame.Stream, v any) error {
	rec, err := message.Encode(v)
	if err != nil {
		return err
	}
	return stream.WriteRecord(rec)
}

// readEvent reads one line and decodes it.
func readEvent(stream frame.Stream, v any) error {
	rec, err := stream.ReadRecord()
	if err != nil {
		return err
	}
	return message.Raw(rec).Decode(v)
}

// answerPrompt is an agent that reads the prompt and then writes what it does, with
// whatever else between happens after the first line.
func answerPrompt(between func(frame.Stream) error) agent {
	return func(stream frame.Stream) error {
		var got event
		if err := readEvent(stream, &got); err != nil {
			return err
		}
		if got != prompt {
			return fmt.Errorf("the agent got %q, not the prompt", got.Text)
		}
		for i, e := range doings {
			time.Sleep(pace)
			if err := writeEvent(stream, e); err != nil {
				return err
			}
			if i > 0 || between == nil {
				continue
			}
			if err := between(stream); err != nil {
				return err
			}
		}
		return nil
	}
}

// collect is a host that keeps the events it can read.
func collect(events *[]event) host {
	return func(_ frame.Stream, rec []byte) error {
		var e event
		if err := message.Raw(rec).Decode(&e); err == nil {
			*events = append(*events, e)
		}
		return nil
	}
}

func oneInManyOut(ctx context.Context, s *stage) error {
	s.expect("no id: owes nothing", "no id: owes nothing", "shown before the rest exists",
		"no id: owes nothing", "the turn is over: no answer")
	var events []event
	err := s.converse(ctx, answerPrompt(nil), collect(&events))
	return claim("reading the lines", events, err, fmt.Sprint(doings))
}

// unfinishedArray writes the same events as the members of one array, and tries to
// read what has come after each.
func unfinishedArray(_ context.Context, s *stage) error {
	var array, lines bytes.Buffer
	for i, e := range doings {
		rec, err := message.Encode(e)
		if err != nil {
			return err
		}
		piece := "," + rec.String()
		if i == 0 {
			piece = "[" + rec.String()
		}
		array.WriteString(piece)
		lines.WriteString(rec.String() + "\n")

		readable := readableIn(frame.Concat, array.Bytes())
		s.piece(piece, fmt.Sprintf("%d written, %d to be read", i+1, readable))
		if err := claim("reading the array", readable, nil, "0"); err != nil {
			return err
		}
	}
	readable := readableIn(frame.Lines, lines.Bytes())
	s.remark("The same %d events as lines: %d to be read, each as soon as it is written.", len(doings), readable)
	return claim("reading the lines", readable, nil, fmt.Sprint(len(doings)))
}

// readableIn counts the records that can be read from what has come so far.
func readableIn(framing frame.Framing, sofar []byte) (n int) {
	for _, err := range framing.Records(bytes.NewReader(sofar)) {
		if err == nil {
			n++
		}
	}
	return n
}

// strayPrint has the agent print what is no event, as a library below it might.
func strayPrint(ctx context.Context, s *stage) error {
	s.expect("no id: owes nothing", "an event", "no JSON: skipped, no reply",
		"the next line is good", "an event", "an event")
	var events []event
	err := s.converse(ctx, answerPrompt(func(stream frame.Stream) error {
		return stream.WriteRecord([]byte("warning: the disk is nearly full"))
	}), collect(&events))
	return claim("reading the lines", events, err, fmt.Sprint(doings))
}

// permissionAsked has the agent stop in the middle of its work until it may go on. That
// it has waited shows in the order of the lines.
func permissionAsked(ctx context.Context, s *stage) error {
	s.expect("no id: owes nothing", "an event",
		"has a request_id: the agent waits for that answer",
		"settles it: the request_id is inside response",
		"only now the agent goes on", "an event", "an event")
	ask := controlRequest{"control_request", "req_1_5f3a9c27", permission{"can_use_tool", "Bash", map[string]string{"command": "ls"}}}
	var events []event
	keep := collect(&events)
	err := s.converse(ctx, answerPrompt(func(stream frame.Stream) error {
		if err := writeEvent(stream, ask); err != nil {
			return err
		}
		var answer controlResponse
		if err := readEvent(stream, &answer); err != nil {
			return err
		}
		return claim("the control_response", answer.Response.RequestID, nil, ask.RequestID)
	}), func(stream frame.Stream, rec []byte) error {
		var asked controlRequest
		if err := message.Raw(rec).Decode(&asked); err != nil || asked.Type != ask.Type {
			return keep(stream, rec)
		}
		return s.send(stream, allow(asked))
	})
	return claim("reading the lines", events, err, fmt.Sprint(doings))
}

// allow answers a request for permission with yes, and gives its input back as the
// protocol asks.
func allow(asked controlRequest) (answer controlResponse) {
	answer.Type = "control_response"
	answer.Response.Subtype = "success"
	answer.Response.RequestID = asked.RequestID
	answer.Response.Response = decision{"allow", asked.Request.Input}
	return answer
}
