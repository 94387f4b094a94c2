// Package parleytest helps to test what is built on parley: two peers in memory, wire
// scripts, and the cases of faults that real users of other software reported.
//
// # Peers
//
// [Pair] connects two peers through memory and ends them with the test; an unclean
// end fails it.
//
// # Wire scripts
//
// [Scripts] runs txtar files of one sentence, the lines that go in and the lines that
// must come out. go test -update rewrites what comes out.
//
// # Cases
//
// [Cases] runs pairs of NAME.in, the raw bytes that one side writes, and NAME.expect,
// what must come of it. Each is fed whole, byte by byte and in pieces, under the fake
// clock of testing/synctest.
package parleytest
