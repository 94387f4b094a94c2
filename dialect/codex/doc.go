// Package codex is the protocol of `codex app-server`, version 2, as a dialect of parley: what
// a front end and the Codex agent say to each other over the agent's stdin and stdout.
//
// [Dialect] is for [parley.Options], the ledger and lint. The constants are the methods, each
// with the Go types of its params and result:
//
//	turn, err := codex.TurnStart.Call(ctx, server, codex.TurnStartParams{ThreadID: id, Input: input})
//	mux := parley.NewMux(codex.CommandApproval.Handle(ask), codex.TurnCompleted.Handle(done))
//
// The rules are from the README of the app-server and from conversations with version 0.171,
// which are in testdata. The methods of the client are those that this version names in its
// refusal of an unknown one.
//
// # Sides
//
// The front end is the client and starts the server. Both call each other over the same stream,
// and number their calls by themselves: the client mostly from 1, the server from 0.
//
// # Framing
//
// One message a line, shaped as in JSON-RPC 2.0 but without the member "jsonrpc", which is
// neither written nor asked for. An id is a string or an integer of 64 bits. A request may carry
// a trace context in the member trace beside its params, and newer servers write when a note
// was sent, in milliseconds since 1970, in emittedAtMs; both are in [message.Request] under
// Extra. There are no batches. A line that is no message is logged by the server and not answered.
//
// # Handshake
//
// [Handshake] calls initialize and sends initialized.
//
// # Params
//
// A call without params is refused; its params are at least {}. Where the type is [message.Raw],
// which is absent when it is nil, send message.Raw("{}").
//
// # Turns
//
// A thread is a conversation, a turn a round of it, an item a message or a deed in it.
// turn/start is answered at once, with a turn that is in progress; turn/completed says when it
// is over and how. The items that go by meanwhile count as item/completed has them.
// thread/status/changed says whether a thread is idle or active, and whether it waits for a
// person ([ThreadStatus]).
//
// # Waiting for a person
//
// An approval is a call of the server. Its answer is a decision ([Decision]); after an error in
// its place the command fails without having run. When the turn goes on or ends without the answer, the server says so by
// serverRequest/resolved, which also follows every answer: a call that it names and that is not
// answered yet needs no answer any more, and whoever shows it takes it away ([Resolved]).
// The ledger reads this; parley does not act on it, since answers that come late do no harm.
//
// # Cancelling
//
// There is no note that takes back a call: when the ctx of a Call ends, it returns, nothing is
// sent, and the answer is dropped when it comes. A turn is ended by turn/interrupt, whose answer
// {} only says that this was understood; a command by command/exec/terminate.
//
// # Types
//
// Every enum is an open set: a Go string with constants for the values that are known, and any
// other value is kept. What is either a name or an object is a [Choice]. An item keeps its text
// ([Item]), so that the kinds that have no type here are not lost. A member that is null reads
// as one that is absent, and is left out when it is written. Members that no field is named
// for are dropped in decoding; who relays messages should pass on their bytes.
//
// What only some front ends need has [message.Raw] for params and result. The protocol grows
// with every release, and its own schema comes from `codex app-server generate-json-schema`.
//
// # Errors
//
// Beside the codes of JSON-RPC there is [CodeOverloaded]. The server answers -32600 for almost
// all that it does not like, unknown methods among them.
package codex
