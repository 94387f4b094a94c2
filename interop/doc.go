// Package interop tests parley against programs of other people. It holds no code but tests, and in its folders what
// they need; README.md says what is tested against what, and how to run it.
package interop
