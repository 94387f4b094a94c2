// Package interop tests parley against programs of other people. It holds no code but tests; README.md says what is
// tested against what, and how to run it.
package interop
