// Package jsonx is where the core meets the JSON library. It fixes the options once, so
// that a value is written and read alike wherever parley does it, and turns the
// library's errors into plain sentences.
//
// # Writing
//
// Text is UTF-8 on one line without HTML escaping. The three characters that some line
// readers take for the end of a line, U+0085, U+2028 and U+2029, are escaped; nothing
// else is that RFC 8259 does not ask for. Bytes of a Go string that are not UTF-8
// become U+FFFD. Maps are written in the order of their keys. JSON text inside a value
// (a Marshaler's result) loses its white space and keeps every digit and escape.
//
// # Reading
//
// Member names match exactly, members without a field are ignored, and a name given
// twice is refused (RFC 7493, section 2.3). A lone surrogate becomes U+FFFD.
//
// # Errors
//
// Every error is an [*Error] that says where (a JSON pointer and an offset) and,
// without the name of a Go package, what was wanted there.
//
// # Versions
//
// Up to Go 1.26 the library is a module; from Go 1.27 on the module is an alias of
// encoding/json/v2. Only what both have is used here, so neither the options nor the
// struct tags that one of them lacks.
package jsonx
