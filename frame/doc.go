// Package frame finds where a record begins and ends in a stream of bytes, and
// marks records so that the other side can find them again. It knows no JSON
// beyond the little lexing that tells where a value ends; what a record says is
// the business of package message.
//
// A [Framing] is a value with a pair of pure functions, [Framing.Append] and
// [Framing.Read], and the law between them: Read(Append(x)) == x for every x
// that Append accepts. There are four:
//
//	Lines    one record a line, ended by LF (JSON Lines, NDJSON, MCP, ACP)
//	Header   Content-Length: N, a blank line, N bytes (the LSP base protocol)
//	Concat   JSON values end to end, with white space between them or not
//	Seq      RS, a JSON text, LF (RFC 7464, JSON text sequences)
//
// [Framing.Stream] joins a framing, a reader and a writer into a [Stream], which
// is what a peer talks over. [Pipe] makes two connected ends in memory.
//
// # Order
//
// Records are read in the order of their bytes, and each is delivered as soon as
// its last byte has arrived, or as soon as the framing lets anybody know. Every record
// is written by one call of Write, marks included, and records of many
// goroutines never mix. A write that has returned nil has been handed to the
// writer; nothing is buffered behind it.
//
// # Bytes
//
// A record that was read belongs to the caller. It has an allocation of its own,
// exactly as long as the record, so that a bound in bytes may charge its len, and
// appending to it copies it. Reading takes time linear in the bytes read, however small the
// pieces in which they arrive, and holds at most twice the record and 128 KiB.
//
// # Limits
//
// A framing carries the length of the largest record that it reads, 64 MiB by
// default ([DefaultLimit], [Framing.Limit]). The limit counts the record's own
// bytes, not its marks. A longer record costs no more memory than one that fits:
// it is read over to its end and reported with its first 64 KiB. Writing has no
// limit, because only the other side knows its own.
//
// # Ending
//
// At the end of the input Read returns io.EOF, after everything that was whole.
// A last line without LF is delivered, and so is a last Seq element. An input that
// ends inside a Header or a Concat record gives an error that wraps
// io.ErrUnexpectedEOF. Any other error of
// the underlying reader is returned as it is, after the records that were
// complete before it, and stays: the reader is not asked again.
//
// # Errors
//
// Reading tells two kinds of trouble apart. After a [*SkipError] the reader
// stands at the next record: call Read again. After a [*FramingError] there is no
// point in the stream to resume at, and every later Read returns the same. Append
// and the writes return a [*RefusedError] for a record that the framing cannot
// carry; nothing of it is written and the stream stays sound. A write that fails
// or stops half-way breaks the write side for good ([ErrBroken]), because the
// other side can no longer tell where the next record begins.
package frame
