package parley

import (
	"log/slog"
	"strconv"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A Dialect is what two programs agreed on beyond frames, envelopes and calls. It
// is a value: every field may be left out, and the zero Dialect is JSON-RPC 2.0
// over lines that has no words for cancelling, progress or logs. docs/adr/0002
// says why it has these fields and no others.
type Dialect struct {
	// Name is what the tool and the ledger call the dialect.
	Name string

	// Framing finds the records. The zero value is [frame.Lines].
	Framing frame.Framing

	// Codec turns records into messages and back. Nil is [message.Strict].
	Codec message.Codec

	// BadInput says whether a refused record is answered.
	BadInput BadInput

	// NoBatch says that the dialect has no batches: an array is refused as one
	// bad record, though the replies in it still settle their calls.
	NoBatch bool

	// StringIDs says that ids are strings (Claude): our calls are "1", "2", "3" and
	// not 1, 2, 3.
	StringIDs bool

	// Cancel is how a caller takes a call back.
	Cancel Cancel

	// Withdraw is the note by which the caller says that a call of its own needs
	// no answer any more although nobody failed (Codex: serverRequest/resolved).
	// The ledger reads it.
	Withdraw IDNote

	// Progress is how a handler reports on a call before its reply.
	Progress ProgressWords

	// Log is how a slog record becomes a note.
	Log LogWords

	// Meta is where correlation travels with a request.
	Meta Meta

	// Inner finds a message inside a message, such as the JSON-RPC message that a
	// control request of Claude's stream carries, and the one that its answer
	// carries. What should be one and is none is a [*message.ParseError]. Nil: there
	// is none.
	Inner func(message.Message) (Inner, bool)

	// Waits names the requests that wait for a person, and for what of them. The
	// ledger says "waiting for approval" instead of "working" by this table.
	Waits map[string]Wait

	// Words are the methods that the dialect names, and who sends them. Nil: the
	// dialect names none, and any method is as good as another. The ledger tells by
	// it which side an unmarked record came from, and lint which method is unknown.
	Words []Word
}

// A Word is a method that a dialect names.
type Word struct {
	Method string
	Note   bool   // it is a note, and wants no answer
	From   Side   // who sends it; SideUnknown: either side does
	Doc    string // what it says or asks, in a sentence
}

// A Side is one of the two ends of a stream. A client starts the conversation, and most
// often the process of the server.
type Side uint8

// The sides.
const (
	SideUnknown Side = iota
	SideClient       // also called host, editor, SDK
	SideServer       // also called agent
)

// String returns the name of the side: "client", "server" or "unknown".
func (s Side) String() string {
	switch s {
	case SideClient:
		return "client"
	case SideServer:
		return "server"
	case SideUnknown:
	}
	return "unknown"
}

// Other returns the side at the other end.
func (s Side) Other() Side {
	switch s {
	case SideClient:
		return SideServer
	case SideServer:
		return SideClient
	case SideUnknown:
	}
	return SideUnknown
}

// An Inner is a message that another one carries. It numbers its calls by itself.
type Inner struct {
	Message message.Message

	// Scope says among whose calls the id of the message counts, such as the name of
	// the MCP server that is spoken to. It is empty in the answer, which belongs to
	// the scope of what it answers.
	Scope string
}

// BadInput says what happens to a record that is refused.
type BadInput uint8

const (
	// AnswerBadInput answers it with -32700 or -32600, as JSON-RPC 2.0, section
	// 5.1, asks. It is the zero value.
	AnswerBadInput BadInput = iota
	// SilentOnBadInput counts and logs it, and writes nothing.
	SilentOnBadInput
)

// An IDNote is a note whose params name a call by its id.
type IDNote struct {
	Method string // of the note; "" means that the dialect has none
	Member string // of its params object that holds the id
}

// Cancel is how a dialect takes a call back.
type Cancel struct {
	IDNote

	// Answered says that a cancelled call is still answered: with whatever its
	// handler returns, or with -32800 if that is the end of its ctx (LSP, ACP).
	// False means that no answer is sent any more (MCP).
	Answered bool
}

// ProgressWords says how progress on a call looks on the wire.
type ProgressWords struct {
	Method string // of the note; "" means that the dialect has none
	Token  string // member of the note's params that says which call it is about
	Value  string // member that holds the value; "" spreads an object's members beside the token

	// Ask is the path in the request's params at which a caller that wants
	// progress puts a token. Empty means that nobody has to ask and that the
	// token is the id of the request.
	Ask []string
}

// LogWords says how a log record looks on the wire.
type LogWords struct {
	Method string // of the note; "" means that the dialect has none

	// Params makes the params out of a record's level, message and attributes.
	// Nil writes {"time", "level", "msg", …} as slog's JSON handler names them.
	Params func(level slog.Level, msg string, attrs message.Raw) any
}

// Meta is where a dialect carries correlation: a trace context and a correlation
// id. At most one of Params and Extra is set; with neither, nothing travels.
type Meta struct {
	Params string // member of an object params that holds them ("_meta" in MCP)
	Extra  string // member of the envelope that holds them ("trace" in Codex)

	// Ask says that the place is a custom of ours and not of the dialect: it is used
	// only if [Options.Correlate] asks for it, and params that are absent stay so.
	Ask bool
}

// Wait is what a request waits for when it waits for a person.
type Wait uint8

const (
	// WaitApproval is a yes or no, such as the permission to run a command.
	WaitApproval Wait = iota + 1
	// WaitInput is an answer in a person's own words.
	WaitInput
)

// JSONRPC is plain JSON-RPC 2.0 over lines, with the three words that LSP gave the
// field: $/cancelRequest {id}, after which a call is still answered; $/progress
// {token, value}, whose token is the id of the request; and $/log. It is what a nil
// [Options.Dialect] means.
var JSONRPC = Dialect{
	Name:     "jsonrpc",
	Cancel:   Cancel{IDNote: IDNote{Method: "$/cancelRequest", Member: "id"}, Answered: true},
	Progress: ProgressWords{Method: "$/progress", Token: "token", Value: "value"},
	Log:      LogWords{Method: "$/log"},
	Meta:     Meta{Params: "_meta", Ask: true},
}

// CallID returns the id of the nth call of one side, counted from 1.
func (d *Dialect) CallID(n int64) message.ID {
	if d.StringIDs {
		return message.StringID(strconv.FormatInt(n, 10))
	}
	return message.IntID(n)
}

// codec is the dialect's codec, or the strict one.
func (d *Dialect) codec() message.Codec {
	if d.Codec == nil {
		return message.Strict
	}
	return d.Codec
}
