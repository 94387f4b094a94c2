package main

import (
	"os"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A handshake is what a protocol wants said before the first call, and after the last:
// --init. What is said are the words of its dialect; here is only who we are, and what
// of it depends on the command line.
type handshake struct {
	dialect parley.Dialect

	greeting string                               // the first call
	params   func(can map[string]message.Raw) any // can: what --answer answers
	ready    string                               // the note after its answer; "" for none
	readying any                                  // and its params; nil for none
	goodbye  string                               // a call before the end; "" for none
	leave    string                               // and the note after its answer

	// answers are for calls of the server that have one answer only.
	answers map[string]message.Raw
}

// object is an object without members: params, a result, capabilities.
type object struct{}

// handshakes are the values of --init.
var handshakes = map[string]*handshake{
	// MCP 2025-11-25, "Lifecycle" and "Ping". The modern era has no handshake; a server
	// that knows older versions only says so in its answer, and is taken as it is.
	"mcp": {
		dialect:  mcp.Dialect,
		greeting: string(mcp.Initialize),
		params: func(can map[string]message.Raw) any {
			return mcp.InitializeParams{
				ProtocolVersion: mcp.LatestLegacy,
				Capabilities:    mcp.ClientCapabilitiesFor(can),
				ClientInfo:      mcp.Implementation{Name: "parley", Version: versionName()},
			}
		},
		ready:   string(mcp.Initialized),
		answers: map[string]message.Raw{string(mcp.Ping): message.Raw("{}")},
	},
	// LSP 3.18, "Server lifecycle".
	"lsp": {
		dialect:  lsp.Dialect,
		greeting: string(lsp.Initialize),
		params: func(map[string]message.Raw) any {
			pid := os.Getpid()
			return lsp.InitializeParams{
				ProcessID:  &pid,
				ClientInfo: &lsp.Program{Name: "parley", Version: versionName()},
			}
		},
		ready:    string(lsp.Initialized),
		readying: object{},
		goodbye:  string(lsp.RequestShutdown),
		leave:    string(lsp.Exit),
	},
	// ACP v1, "Initialization".
	"acp": {
		dialect:  acp.Dialect,
		greeting: string(acp.Initialize),
		params: func(can map[string]message.Raw) any {
			_, read := can[string(acp.ReadTextFile)]
			_, write := can[string(acp.WriteTextFile)]
			return acp.InitializeParams{
				ProtocolVersion:    acp.Version,
				ClientCapabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: read, WriteTextFile: write}},
			}
		},
	},
	// The app-server of Codex: its README, "Initialization".
	"codex": {
		dialect:  codex.Dialect,
		greeting: string(codex.Initialize),
		params: func(map[string]message.Raw) any {
			return codex.InitializeParams{ClientInfo: codex.ClientInfo{Name: "parley", Version: versionName()}}
		},
		ready: string(codex.Initialized),
	},
	// Claude Code's control protocol.
	"claude": {
		dialect:  claude.Dialect,
		greeting: string(claude.Initialize),
		params:   func(map[string]message.Raw) any { return object{} },
	},
}

var handshakeNames = []string{"mcp", "lsp", "acp", "codex", "claude"}
