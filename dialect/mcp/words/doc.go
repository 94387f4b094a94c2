// Package words is what MCP is called by: its dialects, the names of its methods and who
// sends them, its eras and versions. It is for whoever reads a stream and neither serves
// nor calls; package mcp has all of it under the same names, and the types, the server and
// the client besides, for which it needs a library that the core of parley does without.
package words
