// Package dialecttest holds what the tests of all dialects have in common. Only tests import it.
//
// # Words
//
// [Words] holds a dialect's table of words against the typed constants of its package, and [Sound] against the rest of
// the dialect. The table is written by hand, since who sends a method, and in which era, no constant can say.
//
// # Transcripts
//
// [Transcript] reads what real programs wrote to each other. [Conversations] checks that they said it in the words of
// the dialect, and that its Go types keep what they said. [Keep] and [Stable] ask the types the same of single values.
//
// # Peers
//
// [Peer] connects a peer to a [Far] end, which a test writes and reads by hand. [Cancelled] checks by it what becomes
// of a call that is taken back.
package dialecttest
