package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/recording"
)

// hungSection is the last one: what all of this is for.
func hungSection() section {
	return section{
		part:  "A run that hangs",
		title: "Working… and working…",
		lesson: "The agent asks whether it may run a command. Nobody answers, and the screen says Working… " +
			"Every line is whole, so nothing is wrong with the pipe. Who is waited for?",
		speaks: claude.Dialect,
		owing:  1,
		run:    hang,
	}
}

// patienceOfHost is how long the host lets a person believe that something happens.
const patienceOfHost = 6 * pace

// hang has the agent ask and the host not answer, and then explains what was said.
func hang(ctx context.Context, s *stage) error {
	s.expect("begins a turn", "an event", "an approval: we owe the answer, and do not know it")
	ask := controlRequest{"control_request", "req_1_5f3a9c27", permission{"can_use_tool", "Bash", map[string]string{"command": "make test"}}}
	err := s.converse(ctx, func(stream frame.Stream) error {
		var got event
		err := errors.Join(readEvent(stream, &got), writeEvent(stream, doings[0]), writeEvent(stream, ask))
		if err != nil {
			return err
		}
		if _, err := stream.ReadRecord(); err != io.EOF {
			return fmt.Errorf("the agent got an answer, or: %w", err)
		}
		return nil
	}, func(_ frame.Stream, rec []byte) error {
		if s.waiting() == 0 {
			return nil
		}
		select {
		case <-time.After(patienceOfHost):
			return io.EOF // the host gives up
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		return err
	}
	s.remark("Working… %v later nothing has come. parley explain reads the lines:", patienceOfHost)
	text, err := explainLines(ctx, s.lines(), s.age())
	if err != nil {
		return err
	}
	s.verbatim(text)
	for _, claimed := range []string{"owed by the client", "agent: waiting for approval"} {
		if !strings.Contains(text, claimed) {
			return fmt.Errorf("explain does not say %q", claimed)
		}
	}
	return nil
}

// An entry is a line of a transcript.
type entry struct {
	T   int64  `json:"t"` // ms
	Dir string `json:"dir"`
	Raw string `json:"raw"`
}

// explainLines is what parley explain prints of the lines, and of their end.
func explainLines(ctx context.Context, lines []wireLine, end time.Duration) (string, error) {
	var entries []entry
	for _, line := range lines {
		dir := "c2s"
		if line.dir == parley.Inbound {
			dir = "s2c"
		}
		entries = append(entries, entry{line.at.Milliseconds(), dir, string(line.rec)})
	}
	entries = append(entries, entry{end.Milliseconds(), recording.ProcessEOF, ""})
	var transcript, out bytes.Buffer
	for _, e := range entries {
		text, err := message.Encode(e)
		if err != nil {
			return "", err
		}
		transcript.Write(append(text, '\n'))
	}
	a := &app{stdout: &out, stderr: io.Discard, getenv: func(string) string { return "" }, tell: newConsole(io.Discard, false), format: formatText}
	x := explainFlags{limit: frame.DefaultLimit, framing: framingAuto, dialect: dialectAuto, side: sideAuto}
	whole := bytes.NewReader(transcript.Bytes())
	err := x.twice(ctx, a, &input{name: "the lines", Reader: whole, file: whole, size: whole.Size()})
	return out.String(), err
}
