// Package lsp is the Language Server Protocol as a dialect of JSON-RPC 2.0: its words,
// its rules, and the Go types of what is said most. It is the base protocol and the
// methods of version 3.18, which include those of 3.17.
//
// # Records
//
// A header with Content-Length, a blank line, that many bytes ("Base Protocol"). There
// are no batches. Ids are integers or strings.
//
// # Life
//
// [Handshake] opens a conversation: initialize, its answer, initialized. [Shutdown]
// ends it: shutdown, its answer, exit. A request before initialize is answered with
// [CodeServerNotInitialized], one after shutdown with -32600 ("Server lifecycle"); the
// peer leaves both to the handlers of a server.
//
// # Cancelling
//
// $/cancelRequest names a request by its id, and the request is answered all the same:
// with whatever its handler returns, or with -32800 if that is the end of its ctx
// ("Cancellation Support"). Who takes a call back waits for nothing, and the answer is
// dropped when it comes.
//
// # Progress and logs
//
// A caller that wants progress puts a workDoneToken into the params, and the server
// reports with $/progress {token, value}; values are [WorkDoneProgress]. Our tokens are
// the ids of our requests. A token that a server makes up by itself, with
// window/workDoneProgress/create, is a UUID by custom; one that looks like an open id of
// ours would be taken for it. Logs go as window/logMessage, a level and a line of text.
//
// # Who waits for a person
//
// window/showMessageRequest waits until somebody chooses one of its actions, or closes
// the message. window/showDocument only opens something and does not wait.
//
// # Names
//
// A method that begins with $/ may be unknown to the other side: a note is ignored, a
// request is answered with -32601 ("$ Notifications and Requests").
//
// # Types
//
// Every method has its constant. Params and results that have no type here are a
// [message.Raw], which is also the type of an answer that is null: a nil Raw. Where the
// protocol lets a server choose between shapes, a type reads them all and writes one:
// [Locations], [CompletionList], [Markup]. Lines and characters count from 0; what a
// character is, the two sides agree on in initialize, by default a UTF-16 code unit
// ("Position").
//
// The names in quotes here and below are sections of the specification.
package lsp
