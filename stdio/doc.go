// Package stdio claims this process's own stdin and stdout for records. After
// [Claim], a stray print cannot break into the stream of records, and nobody else
// can read from it.
//
//	func main() {
//		stream, err := stdio.Claim(frame.Lines)
//		if err != nil { ... }
//		... // serve on stream; log to stderr, or print: it goes to stderr too
//	}
//
// # What is claimed
//
// Claim moves descriptors 0 and 1 to private ones that no child inherits. Then it
// points descriptor 1 and os.Stdout at stderr, so that what a handler prints, a C
// library writes or a child inherits is seen there and is not lost. It points
// descriptor 0 and os.Stdin at the null device, so that a command that a handler
// runs reads the end of its input at once, and no bytes of the peer.
//
// Call Claim first in main, before any goroutine runs: a read of os.Stdin that is
// under way keeps reading the peer's bytes, a bufio.Reader keeps those it has read
// ahead, and os.Stdin and os.Stdout are variables without a lock. On Windows the
// descriptors of the C runtime are not covered: it takes them from the system when
// the process starts.
//
// A stdin or stdout that was closed when the process began is the null device: the
// Go runtime opens that in its place. Reading finds the end at once, and records
// that are written vanish.
//
// # Ending
//
// At the end of stdin ReadRecord returns io.EOF. Close closes the private
// descriptors, so that the peer sees the end of our stdout while this process lives
// on. It never hangs. But a read that is blocked in the system stays blocked, and
// its goroutine with it, until the peer writes or goes away: the descriptor may be
// shared with other processes, a terminal with the shell say, and making it
// non-blocking, which alone would free the read, would make it so for them too.
//
// # Errors
//
// A write after the reader of our stdout has gone returns an error (syscall.EPIPE, on
// Windows ERROR_NO_DATA), in place of the death by SIGPIPE that Go programs die of a
// broken stdout. Until Release the same holds for stderr, on which a server logs: the peer
// that went away was often the reader of both, and a log line must not kill a
// server that is finishing. (Claim takes SIGPIPE with signal.Notify and ignores
// it; children get the default back, as signal.Ignore would not give them.)
package stdio
