package main

import (
	"os"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A handshake is what a protocol wants said before the first call, and after the
// last: --init. It also brings the words that the protocol has beyond its dialect.
type handshake struct {
	framing frame.Framing

	greeting string                               // the first call
	params   func(can map[string]message.Raw) any // can: what --answer answers
	ready    string                               // the note after its answer
	readying any                                  // and its params; nil for none
	goodbye  string                               // a call before the end; "" for none
	leave    string                               // and the note after its answer

	cancel   parley.Cancel
	progress parley.ProgressWords

	// answers are for calls of the server that have one answer only.
	answers map[string]message.Raw
}

// object is an object without members: params, a result, capabilities.
type object struct{}

// handshakes are the values of --init.
var handshakes = map[string]*handshake{
	// MCP 2025-11-25, "Lifecycle", "Ping", "Cancellation" and "Progress". Later
	// revisions have no handshake; a server that knows older ones only says so in its
	// answer, and is taken as it is.
	"mcp": {
		framing:  frame.Lines,
		greeting: "initialize",
		params: func(can map[string]message.Raw) any {
			return mcpHello{"2025-11-25", mcpCapabilities(can), clientInfo{"parley", versionName()}}
		},
		ready:    "notifications/initialized",
		cancel:   parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}},
		progress: parley.ProgressWords{Method: "notifications/progress", Token: "progressToken", Ask: []string{"_meta", "progressToken"}},
		answers:  map[string]message.Raw{"ping": message.Raw("{}")},
	},
	// LSP 3.18, "Base Protocol", "Server lifecycle", "Cancellation" and "Work Done
	// Progress".
	"lsp": {
		framing:  frame.Header,
		greeting: "initialize",
		params: func(map[string]message.Raw) any {
			return lspHello{os.Getpid(), clientInfo{"parley", versionName()}, nil, object{}}
		},
		ready:    "initialized",
		readying: object{},
		goodbye:  "shutdown",
		leave:    "exit",
		cancel:   parley.JSONRPC.Cancel,
		progress: parley.ProgressWords{Method: "$/progress", Token: "token", Value: "value", Ask: []string{"workDoneToken"}},
	},
}

var handshakeNames = []string{"mcp", "lsp"}

type clientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type mcpHello struct {
	ProtocolVersion string            `json:"protocolVersion"`
	Capabilities    map[string]object `json:"capabilities"`
	ClientInfo      clientInfo        `json:"clientInfo"`
}

// mcpCapabilities are what a client has to announce for a server to ask it anything:
// one for each kind of call that --answer answers.
func mcpCapabilities(can map[string]message.Raw) map[string]object {
	has := make(map[string]object)
	for method, capability := range map[string]string{
		"sampling/createMessage": "sampling",
		"elicitation/create":     "elicitation",
		"roots/list":             "roots",
	} {
		if can[method] != nil {
			has[capability] = object{}
		}
	}
	return has
}

type lspHello struct {
	ProcessID    int        `json:"processId"`
	ClientInfo   clientInfo `json:"clientInfo"`
	RootURI      *string    `json:"rootUri"`
	Capabilities object     `json:"capabilities"`
}

// adapt gives a dialect the words of the handshake.
func (h *handshake) adapt(d *parley.Dialect) {
	d.Cancel, d.Progress = h.cancel, h.progress
}
