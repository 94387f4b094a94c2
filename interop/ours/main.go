// Ours is the side of parley in the conversations in which a client of other people starts its server. It does what
// its argument says, on stdin and stdout, and tapes the conversation in a file:
//
//	ours mcp TAPE    an MCP server
//	ours acp TAPE    an agent
//
// The tests build it and hand it to the scripts in ../js.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/interop/tape"
	"github.com/parley-rpc/parley/stdio"
)

// A program is what to serve, and in which words.
type program struct {
	dialect *parley.Dialect
	mux     func() *parley.Mux
}

var programs = map[string]program{
	"mcp": {&mcp.Legacy, server},
	"acp": {&acp.Dialect, func() *parley.Mux { return newAgent().mux() }},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("want two arguments: mcp or acp, and a file for the tape")
	}
	p, ok := programs[args[0]]
	if !ok {
		return fmt.Errorf("there is no program %q: say mcp or acp", args[0])
	}
	file, err := os.Create(args[1])
	if err != nil {
		return err
	}
	stream, err := stdio.Claim(p.dialect.Framing)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	t := tape.New(file, parley.SideServer)
	err = parley.Serve(context.Background(), stream, p.mux().Handle, &parley.Options{
		Dialect: p.dialect,
		Logger:  slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Trace:   &parley.Trace{Record: t.Record},
	})
	return errors.Join(err, t.Err(), file.Close())
}
