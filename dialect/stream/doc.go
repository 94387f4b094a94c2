// Package stream reads plain JSON Lines: logs, exports, the output of a tool that prints
// what it does. Every record is an event, a note that nobody answers, and nobody owes
// anybody anything.
//
// # Records
//
// Any JSON value is an event. The params of the note are the whole record, byte for
// byte, and its method is a name for it: the first of the members type, event, kind and
// level that an object has as a string, else "event". So a log is counted by its levels,
// and a stream of typed events by its types.
//
// # Errors
//
// What is not JSON is refused, and not answered. Calls and replies have no form here, so
// [Codec] refuses to write them.
package stream
