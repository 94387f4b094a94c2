// Package measure finds out what things cost, and says it in numbers and tables that
// mean the same on every machine.
//
// # Layers
//
// [Layers] takes a request through the layers of parley one at a time, from the
// write(2) of its line to the write(2) of its answer, and sets beside each the least
// that anybody would have to do there: its floor. Then it makes the same call whole,
// over two pipes of the system, so that the parts can be held against the sum.
//
// # Honesty
//
// An op and its floor are measured by turns in short runs, and the median of the runs
// counts, so that a busy moment of the machine does not favour either. What an op has
// to do beside the stage it stands for is measured between the same runs and taken off.
// Waking somebody up is in no stage where it can be kept out, because it costs what the
// machine has to do at the moment; it shows in the whole calls.
//
// # Numbers
//
// Times are wall times. A [Histogram] is constant in size and right to 0.4 %; its
// quantiles are by nearest rank: q of all values are at most that one.
package measure
