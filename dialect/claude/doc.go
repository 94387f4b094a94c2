// Package claude speaks Claude Code's stream-json with its control messages, the lines
// that an SDK or an editor (the client) and the agent (the server) exchange after
// `claude --input-format stream-json --output-format stream-json`. It is no JSON-RPC: a
// record is named by its member type, and ids are nested. [Dialect] makes calls and
// notes of it all the same, so that order, cancelling, bounds and debts are those of
// every other dialect.
//
// # Records
//
//	control_request         a call; its method is the subtype of what it asks
//	control_response        the reply to one; what it answers is nested in it
//	control_cancel_request  the note that takes a call back
//	keep_alive              nothing; it is ignored
//	any other type          a note that is named by it
//
// The params of a call are the object that asks, subtype included, and those of a note
// are the whole record, both byte for byte. Whoever writes one may leave the subtype, or
// the type, out of the params: the codec puts it in front. So [CanUseTool] and its like
// have types without that member.
//
// A type or a subtype that this package does not know is a note or a call like any
// other, since the protocol grows: "unknown types must be skipped" is up to the handler.
//
// # Ids
//
// An id is a string, and is kept as its exact text. A peer numbers its calls "1", "2",
// "3"; the codec writes an integer as such a string too.
//
// # Errors
//
// A call fails with a text; the protocol has no codes and no data. What is read gets
// [CodeControlError], and what is written keeps the message alone.
//
// # Turns
//
// A user record is a note, and notes are handled one at a time. So the calls behind it,
// interrupt among them, begin when its handler has returned, waits in a call of its own,
// or has said [parley.Async].
//
// # Ending
//
// A result ends a turn and not the run: background work begins further turns, and the
// agent may still ask for permissions. It leaves when its input ends.
//
// Nothing is answered that is no message: agents print stray lines, and each costs one
// record.
package claude
