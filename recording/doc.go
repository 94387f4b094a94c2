// Package recording reads what two programs said to each other, from a file or a
// pipe, whatever it looks like there. It is what explain, lint and convert read with.
//
// A recording has a [Shape]:
//
//	raw          the stream itself, in any framing of package frame
//	transcript   one JSON object a line: who wrote it, when, and its text
//	array        one JSON array, each element of which is a record
//
// A [Reader] finds the shape and the framing by the first bytes, unless [Options] name
// them, and says why in words.
//
// # Transcripts
//
// A line is an object with dir and raw, both strings, and t, a number of milliseconds
// since the start. raw is the record; one LF or CRLF at its end is dropped, and what
// it holds is delivered as one record, be it blank or several lines. dir is c2s or
// sdk->agent (the client wrote it), s2c or agent->sdk (the server did), or tells of
// the process: err, argv, env, exit, eof. Any other dir is passed on as such. Other
// members are ignored. The text of raw comes out byte for byte; only half of a
// surrogate pair, which no bytes stand for, becomes U+FFFD. Where the raws are not records
// but pieces of a stream, [Options] can have them joined.
//
// # Guesses
//
// What was only guessed holds as long as it holds. Lines of text before the first record
// are records of their own, and what stands behind them says what the stream is. Values end
// to end that are interrupted by text go on in the next line: the text is a record that
// cannot be delivered. So are elements of an array that are no values, and what stands
// behind the array is values again. What [Options] name is not doubted.
//
// # Order
//
// Records are delivered in the order of the input, each as soon as it is there. To find
// the shape, no more is read than leaves no doubt: the first line of a stream of lines,
// the first value where it goes over several of them, the first element of an array, and
// 64 KiB at most.
//
// # Memory
//
// One record is held at a time, and of each side the piece of one where those are joined.
// [Record.Raw] is good until the next Read.
//
// # Ending
//
// At the end of the input Read returns io.EOF. [Follow] is a file that has no end until
// its context has one.
//
// # Errors
//
// A record that cannot be delivered costs that record: it comes with the reason in
// [Record.Err], and reading goes on. An error of Read is the end: a
// [*frame.FramingError] where the rest of the input cannot be made out, a
// [*dialect.ForeignError] where it is another protocol, otherwise what the input itself
// failed with. Every later Read returns the same.
package recording
