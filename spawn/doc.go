// Package spawn runs a peer as a child process. A [Child] is a frame.Stream over
// the child's stdin and stdout; its Close is the shutdown ladder.
//
//	child, err := spawn.Start(spawn.Command{Path: "server", Args: []string{"--stdio"}})
//	if err != nil { ... }
//	defer child.Close()
//
// # Ending
//
// Close climbs down a ladder and stops at the first step that works: it closes
// the child's stdin, which is the one signal that every system has; waits Grace;
// sends SIGTERM to the child's whole process group; waits Grace; sends SIGKILL to
// the group; and waits two seconds more. This is the order of MCP 2025-11-25,
// "Lifecycle, Shutdown", and of the stdio transport of MCP 2026-07-28. On Windows
// the group is a job object and both signals are TerminateJobObject.
//
// The life of the peer is the life of the process that Start made. When that
// process ends by itself, what it left running in its group (the real server of a
// launcher, say) is taken down by the same ladder at once, and not only in Close.
// A step of the ladder is over when the whole group is gone, so that a server
// behind `sh -c` gets its full grace although its shell dies of the first SIGTERM.
//
// If this program dies first, by SIGKILL even, Linux kills the child, and Windows
// the whole job. Elsewhere the child sees the end of its stdin.
//
// # Order
//
// What the child wrote before its end is read in full: the pipes are ours and
// stay open until Close. A stranger that holds the child's stdout open past its
// end, from outside the group, delays the end of the stream by half a second at most.
// Close discards what was not read. To ask for the end and still read the last
// records, call CloseWrite, read to the end, and then Close.
//
// # Errors
//
// Start returns a [*StartError]. A child that ended other than with exit code 0
// ends the stream with an [*ExitError], which carries the exit code or the signal
// and the tail of stderr; it matches io.EOF. A child that ended with code 0, or
// closed its stdout and lives on, ends the stream with io.EOF. A write to a child
// that is gone fails with an error that wraps its ExitError.
//
// # Stderr
//
// The child's stderr is always read, whoever looks at it, so that a child that
// logs a lot never blocks. The last 4 KiB are kept for errors. Command.Stderr gets
// a copy through a buffer of 256 KiB: a writer that is too slow loses bytes, with a
// line that says how many, and never stops the child.
package spawn
