package claude

import (
	"errors"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Dialect is Claude Code's stream-json. A call that was taken back is not answered any
// more; an answer that comes all the same is dropped.
var Dialect = parley.Dialect{
	Name:      "claude",
	Framing:   frame.Lines,
	Codec:     Codec,
	BadInput:  parley.SilentOnBadInput,
	NoBatch:   true,
	StringIDs: true,
	Cancel: parley.Cancel{
		IDNote: parley.IDNote{Method: string(ControlCancelRequest), Member: "request_id"},
	},
	Inner: inner,
	Waits: map[string]parley.Wait{
		string(CanUseTool):        parley.WaitApproval,
		string(Elicitation):       parley.WaitInput,
		string(RequestUserDialog): parley.WaitInput,
	},
	Words: words,
}

// CodeControlError is the code of every error that is read, since the wire has none: it
// is the first of those that JSON-RPC leaves to servers.
const CodeControlError = message.CodeServerError

// inner finds the MCP message that a control message carries: an mcp_message asks with
// one, and its answer has the reply. The id inside is another than the one outside. What
// is there and is no message is a [*message.ParseError], such as the reply without an id
// with which the Python SDK acknowledges a note.
func inner(m message.Message) (parley.Inner, bool) {
	var text message.Raw
	var scope string
	switch m := m.(type) {
	case *message.Request:
		if m.IsNote() || m.Method != string(MCPMessage) {
			return parley.Inner{}, false
		}
		text, _ = m.Params.Member("message")
		name, _ := m.Params.Member("server_name")
		if word, ok := textOf(name); ok {
			scope = string(word)
		}
	case *message.Response:
		text, _ = m.Result.Member("mcp_response")
	}
	if text.IsZero() {
		return parley.Inner{}, false
	}
	carried, err := message.Strict.Parse(text)
	if bad, ok := errors.AsType[*message.ParseError](err); ok {
		carried = bad
	}
	return parley.Inner{Message: carried, Scope: scope}, true
}
