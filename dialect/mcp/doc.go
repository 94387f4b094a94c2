// Package mcp is the Model Context Protocol as a dialect of JSON-RPC 2.0: its words,
// its rules, and the Go types of what is said, with a client and a server of both eras
// of the protocol.
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
// in revision 2025-03-26 alone. A [Server] takes them where initialize has agreed on
// it, without an initialize inside; all others, and those that reach a client, are
// refused by -32600.
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
// # Calling
//
// [Connect] opens a conversation as the client, of whichever era the server is, and the
// [Client] is the same in both: lists come whole, what a server asks is answered by the
// functions of [ClientOptions], and a ctx that ends takes the call back. Where a server
// could go on for ever, with pages, with questions or with changes that nobody takes, it
// meets a bound and the method an error. A client of the modern era never answers: what
// its server asks outside a result is counted and dropped.
//
// # Serving
//
// [Serve] makes tools of the routes of a [parley.Mux], one line each, and speaks the era
// of each request: one that names its version in _meta is modern, and initialize opens
// the legacy era for the rest of the connection. Which of two requests came first is
// decided in the order of the wire. Before initialize a legacy request is refused, save a
// ping; methods that MCP does not have are answered as plain JSON-RPC, at any time.
//
// The schemas of a tool come from its Go types ([SchemaOf]), and arguments that do not
// fit never reach the handler; 1.0 and 1e2 are integers, and reach a Go int as 1 and 100.
// A result is a text and, where its version lets it be, the same as structured content:
// an object since 2025-06-18, any JSON in the modern era. A string is a text and nothing
// else, and a [CallToolResult] is used as it is. An error of the handler becomes a result
// with IsError and its text, that of a *[message.Error] without its code. Error replies
// are for an unknown tool (-32602), for a request without sense, for a handler that
// panics (-32603), and until 2025-06-18 for arguments that do not fit (-32602).
//
// Resources, prompts and further tools are added to a [Server] at any time, and its
// clients told. A kind of which there never was one is not announced, and its methods are
// unknown. Lists are sorted by name. A handler asks its client with [AskUser],
// [AskModel] and [AskRoots], logs with [Logger] and reports with parley.Progress, in both
// eras alike. Tasks are not offered.
//
// Nothing grows without bounds: a page has [Info.PageSize] things and 1 MiB, a completion
// 100 values; a request asks its client 64 times, and 256 KiB of answers travel in its
// requestState; a connection has 16 streams of subscriptions/listen, each of which takes
// up one of its handlers, and watches 1,024 resources by URIs of 8 KiB, as does each of
// the streams. A client is told of a change once, however often it happened before the
// client could read of it.
//
// A client that hangs up is no error, and one that is gone ends the contexts of its
// handlers with the first record that cannot reach it.
//
// When the server ends a stream of subscriptions/listen, because its input or its ctx
// has ended, it sends notifications/cancelled and then the answer: the specification
// wants the one on its page on cancellation and the other on its page on subscriptions.
//
// # Errors
//
// The Code constants are the codes that the protocol adds to those of JSON-RPC. A tool
// that fails says so in its result ([CallToolResult.IsError]); an error reply means
// that there was no tool to run, or no sense in the request ("Tools", error handling).
//
// The names in quotes here and below are sections of the specification.
package mcp
