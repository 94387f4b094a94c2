// Package message says what a record says: a request, a response, a batch, an id, an
// error. It does no I/O, starts no goroutine and knows no method; it is a pair of pure
// functions, [Codec.Parse] and [Codec.Append], and the types between them.
//
// A call is a [Request] with an id and wants an answer; a note is one without
// ([Request.IsNote]); a reply is a [Response] and settles a call. A [Batch] holds any
// of them.
//
// # Bytes
//
// Params, results, error data and members that nobody here knows are [Raw]: the text as
// it came, down to the last digit and escape. What Parse returns points into the record
// that it was given, so the record must stay as it is for as long as the message lives.
// An [ID] is a copy.
//
// # Checking
//
// Parse reads the whole record once and checks all of it against RFC 8259: the grammar,
// UTF-8, and that it is one value, at most 10,000 levels deep. What it hands out is
// valid JSON; Append does not check it again. Member names match exactly, after escapes
// ("m\u0065thod" is method). A member of the envelope that is there twice is refused,
// because two readers of such a record may take it for two different messages.
//
// Two more limits keep what a record costs in proportion to its length: 1,024 members
// that are not of the envelope, and 65,536 messages in a batch.
//
// # Refusals
//
// What Parse does not accept it returns as a [*ParseError], which says how to go on:
// the error to answer with (-32700 if the text is not JSON, else -32600), the id if it
// could be read, and the [Kind] that the record claims to be. [ParseError.Answerable]
// has the rule: a note is never answered, nor is anything that has a result or an
// error, whatever else is wrong with it. In a batch each member is accepted or refused
// by itself.
//
// [Strict] wants "jsonrpc":"2.0" in every message (JSON-RPC 2.0, section 4). [Bare]
// does without, for dialects that leave it out, and writes none.
//
// # Errors
//
// The errors that the specification names are values, [MethodNotFound] and so on. They
// are matched by code with errors.Is, and [Error.With] and [Error.Withf] make the one
// to send from them.
package message
