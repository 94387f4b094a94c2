// Package parley is JSON-RPC 2.0 between two equal peers over one stream of
// records, most often the standard input and output of a child process.
//
// Three layers stand on each other and never mix. Package frame finds where a
// record begins and ends. Package message says what a record says. This package
// keeps the promises: a call wants an answer with the same id, a note wants none,
// and both sides may call, note and answer at once.
//
//	bytes  --frame-->  records  --codec-->  messages  --peer-->  calls, notes, replies  --handler-->  your functions
//
// # Serving and calling
//
// [Serve] answers what arrives on a stream until its input ends; [Connect] gives a
// [Conn], with which this side calls as well. Neither knows a registry: both take a
// [Handler], a plain function of a method name and its params. A [Mux] is one way
// to make a Handler out of many typed functions. A protocol is a table of typed
// constants of type [Method] and [Note].
//
// # Order
//
//  1. A reply never waits for a handler.
//  2. Notes are handled one at a time, in the order in which they came. A handler that
//     goes on for long lets the next one begin with [Async].
//  3. A call begins when every note before it is done, or when the handler of the
//     note waits in a Call of its own. Calls that have begun run side by side. If
//     such a handler has waited for 250 ms, calls also overtake the notes that are
//     held up behind it: its own answer may depend on them.
//  4. Outside handlers, Call returns when every note that came before its reply is
//     done. Inside a handler, which is known by its ctx, it returns with the reply.
//     [Unordered] waives this rule for one ctx.
//  5. A cancellation overtakes everything that has been read.
//
// # Bad input
//
// One bad line costs one line. What can be refused is answered (-32700 when it is
// no JSON, -32600 when it is no message); a note is never answered, and neither is
// a record that holds a result or an error.
//
// # Correlation
//
// A trace context (W3C traceparent and tracestate) and a correlation id travel with
// calls and notes through any number of hops: [WithCorrelation] sets them, the ctx of a
// handler has what its request brought, and a Call made under it hands that on in the
// place that its dialect has ([Dialect.Meta]), without touching another byte. What a
// caller wrote there stays. Plain JSON-RPC adds nothing unless [Options.Correlate] says so.
//
// # Ending
//
// The end of the input is not the end of the peer: what was read is answered and
// written first, as long as there is progress ([Options.Drain]). Calls of ours that
// have no reply by then fail at once with [ErrClosed], which wraps the reason.
// Close is bounded ([Options.CloseTimeout]).
//
// # Errors
//
// An error of a handler that is or wraps a *message.Error reaches the other side
// with its own code. Any other error, and a panic, becomes -32603 with the name of
// its type in data.exception; the stack of a panic goes to the log only.
package parley
