// Package acp is the Agent Client Protocol, version 1, as a dialect of parley: what an
// editor and a coding agent say to each other over the agent's stdin and stdout.
//
// [Dialect] is for [parley.Options], the ledger and lint. The constants are the methods, each
// with the Go types of its params and result:
//
//	result, err := acp.Prompt.Call(ctx, agent, acp.PromptParams{SessionID: id, Prompt: blocks})
//	mux := parley.NewMux(acp.RequestPermission.Handle(ask), acp.SessionUpdate.Handle(show))
//
// Rules with a quoted title are from the pages of the protocol at agentclientprotocol.com,
// read as of schema v1 1.21 (August 2026).
//
// # Sides
//
// The editor is the client, the agent the server; the client starts the agent. Both call
// each other over the same stream, and each numbers its calls by itself: while the client
// waits for its prompt 2, the agent may well ask for permission 0.
//
// # Framing
//
// One message a line, with "jsonrpc":"2.0", in UTF-8 and without a line feed inside; the
// agent's stderr is free for logs ("Transports"). Version 1 has no batches. Ids are
// integers, strings or null.
//
// # Handshake
//
// [Handshake] calls initialize, which agrees on a version and on what either side can do.
// There is no second message. What a side did not announce may not be asked of it
// ("Initialization").
//
// # Turns
//
// A turn is one call of session/prompt. It lasts as long as the agent works, notes of
// session/update go by meanwhile, and its result says why it ended ([StopReason]). A client
// that waits for a person is an open session/request_permission or elicitation/create of the
// agent; there is no other signal ("Prompt Turn").
//
// # Cancelling
//
// There are two ways, and they differ in what is answered.
//
// session/cancel is a note that ends the turn of a session. The client answers every open
// permission of it with the outcome cancelled, the agent may send more updates, and then
// answers the prompt with the stop reason cancelled, which is a result and no error ("Prompt
// Turn", "Cancellation"). parley does not do this by itself: a turn is the program's.
//
// $/cancel_request takes back one call, from either side, by its id. It is optional, and
// unlike in MCP the call is still answered: with a result, or with -32800 ("Cancellation").
// parley does this: the ctx of a Call that ends sends the note, and one that arrives ends
// the ctx of the handler. Note the underscore; LSP writes $/cancelRequest, with the id in
// another member.
//
// # Extensions
//
// A method of one's own begins with "_". Every type has a member _meta for whatever else
// there is to say, and its members traceparent, tracestate and baggage are kept for W3C
// trace contexts; nothing may be added beside it ("Extensibility"). An unknown call is answered
// -32601, an unknown note ignored.
//
// # Types
//
// Every enum is an open set: a Go string with constants for the values that version 1 names,
// and any other value is kept. A struct for a union has the members of all its variants and
// one that says which it is; the comments name the variant where it is not all of them.
// Members that no field is named for are dropped in decoding; who relays messages should
// pass on their bytes. A member that is null reads as one that is absent.
//
// Methods that are not stable yet have [message.Raw] for params and result.
//
// # Errors
//
// Beside those of JSON-RPC there are [ErrAuthRequired] and [ErrResourceNotFound].
package acp
