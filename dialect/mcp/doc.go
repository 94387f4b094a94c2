// Package mcp is the Model Context Protocol as a dialect of JSON-RPC 2.0: its words,
// its rules, and the Go types of what is said. It knows both eras of the protocol and
// is neither a client nor a server; both are written with it.
//
// # Eras
//
// The legacy revisions, 2024-11-05 to 2025-11-25, open with initialize, and both sides
// may call. The modern one, 2026-07-28, has no opening: every request says in its
// _meta which version it speaks and what the client can, and only the client calls.
// [Legacy] and [Modern] are the dialects of each, [Dialect] has the words of both, for
// whoever reads a stream before knowing. [EraOf] tells by a first request.
//
// # Records
//
// One message a line, UTF-8, no line feed inside ("Transports", stdio). Batches existed
// in revision 2025-03-26 alone and are refused here: a peer of that revision may send
// one, and is told so by -32600.
//
// # Cancelling
//
// notifications/cancelled names the request by requestId, and a request that was taken
// back is not answered any more ("Cancellation"; both eras). initialize must not be
// taken back, which is why [Handshake] leaves it open when its ctx ends.
//
// # Progress and logs
//
// Who wants progress puts a token at _meta.progressToken of the request; the report
// is an object with progress, total and message beside that token ([ProgressParams]).
// Logs go as notifications/message under the eight levels of syslog ([Level]). In the
// modern era a server must not log on a request that names no level in its _meta; the
// peer does not enforce that, whoever logs has to look.
//
// # Who waits for a person
//
// elicitation/create waits for somebody to fill in a form or to visit a page.
// sampling/createMessage counts as waiting for an approval: the protocol wants a human
// who can refuse it ("Sampling", user interaction model), and although many hosts wave
// it through, a call that hangs there hangs in front of that person. In the modern era
// both travel inside a result whose type is input_required ([InputRequired]); the words
// and the waits are the same.
//
// # Types
//
// The types hold the members of both eras, and say in which era a member exists where
// that differs. What is absent stays absent. A member that the protocol requires is
// written even when it is empty: the text of a text block, the content of a complete
// result. JSON of other people, such as schemas, arguments and _meta, is a
// [message.Raw] and keeps its bytes; members that have no field here are dropped when
// they are decoded.
//
// # Errors
//
// The Code constants are the codes that the protocol adds to those of JSON-RPC. A tool
// that fails says so in its result ([CallToolResult.IsError]); an error reply means
// that there was no tool to run, or no sense in the request ("Tools", error handling).
//
// The names in quotes here and below are sections of the specification.
package mcp
