// Package lint finds what is wrong with what two programs say to each other over a
// stream: text that is no message, messages of a wrong shape, answers that answer
// nothing, requests that nobody answers, and words that a dialect does not have.
//
// It is made in the manner of go/analysis: a [Rule] is a value with a name, a doc and
// the advice what to do, [Rules] has all of them, and a [Linter] applies them to the
// records of a [recording.Reader], one after the other, and returns a [Finding] for each
// fault. docs/lint.md is generated from the rules.
//
// # One fault, one finding
//
// A record that is refused as a whole gets one finding, that of the rule that explains it
// best: a value that was printed over five lines is reported once and not five times, and
// a stream in UTF-16 once and not at each line. So are the marks of another framing, such
// as Content-Length headers among lines: they are taken off then, and what stands between
// them is read as if it had come alone. What stands in a refused record all the same, such
// as the message behind a log prefix, still counts for who owes whom, so that its answer
// is not reported as an answer to nothing.
//
// # Severities
//
// An error breaks a peer that keeps to the specification, a warning breaks some peers,
// and an info is worth to know. Most findings have the severity of their rule. It is
// lower where the records cannot tell: in a raw stream of one direction every request
// looks unanswered, so that this is an info there.
//
// # Order
//
// Findings come with the record that shows the fault. Four kinds wait: a line that may be
// the first one of a longer value, one that may begin an event stream, a message without
// jsonrpc as long as all are, and what can only be said at the end. What stands before a
// header comes with the record behind it.
//
// # Limits
//
// Memory is bounded on endless streams. Of each rule [Options.MaxFindings] findings are
// returned, and at the end one that says how many more there were and how bad the worst
// of them was. Of more than 65,536 open requests the oldest are forgotten, and a finding
// at the end says how many. A value over several lines is followed for 4 MiB, and a batch
// is looked at up to its hundredth fault.
package lint
