// Package dialect knows the dialects by their names, and tells by the first bytes and
// records of a stream which one is spoken there, and why.
//
// # Sniffing
//
// It goes in two steps, framing first and words then: [SniffFraming] looks at bytes,
// [Sniff] at records. Both are pure functions that say in words what they saw, so that a
// person can tell whether the guess is right; `--dialect` and `--framing` overrule it.
//
// A guess about a dialect is sure if a record is one that only this dialect has, such as
// a control_request or textDocument/didOpen. The first such record decides, and what
// comes after it changes nothing but the era of MCP. Everything else is the best that
// can be said so far: a method that other protocols may have as well, or no method that
// any dialect names. Then more records may lead to another guess.
//
// # Errors
//
// SniffFraming tells what is still open ([ErrShort]) from what is another protocol
// altogether ([*ForeignError]). The second is never read as lines: the body of an HTTP
// request that a web page makes is under the control of that page, and behind header
// lines that are passed over as noise it would be taken for calls.
package dialect
