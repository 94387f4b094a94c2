// Everything serves one of each thing that an MCP server can have, to clients of both
// eras: tools that talk to their caller, resources, prompts.
//
// The names, and what each says, are those that the official conformance suite
// (@modelcontextprotocol/conformance) asks a server for.
//
//	go run ./examples/everything
package main

import (
	"context"
	"log"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/stdio"
)

func main() {
	stream, err := stdio.Claim(frame.Lines)
	check(err)
	mux := parley.NewMux(slices.Concat(contentTools(), talkingTools(), askingTools(), askingAtOnce(), formTools())...)
	server := mcp.NewServer(mux, mcp.Info{
		Name:         "everything",
		Version:      "1.0.0",
		Title:        "One of each thing",
		Instructions: "Nothing here is of use but for tests.",
	})
	addResources(server)
	addPrompts(server)
	addAskingPrompt(server)
	addChangingTools(server)
	check(server.Serve(context.Background(), stream, nil))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
