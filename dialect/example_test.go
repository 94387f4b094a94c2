package dialect_test

import (
	"fmt"
	"strings"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
)

func ExampleLookup() {
	d, err := dialect.Lookup("claude")
	fmt.Println(d.Name, d.Framing, err)
	_, err = dialect.Lookup("lps")
	fmt.Println(err)
	// Output:
	// claude lines <nil>
	// dialect: no dialect is called "lps"; use one of jsonrpc, mcp, mcp-legacy, mcp-modern, lsp, acp, codex, claude, stream
}

func ExampleNames() {
	fmt.Println(strings.Join(dialect.Names(), " "))
	// Output: jsonrpc mcp mcp-legacy mcp-modern lsp acp codex claude stream
}

func ExampleSniffFraming() {
	for _, head := range []string{
		"{\"id\":1}\n",
		"Content-Length: 8\r\n\r\n",
		`{"id":1}{"id":2}`,
		"POST / HTTP/1.1\r\n",
		"P",
	} {
		g, err := dialect.SniffFraming([]byte(head))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%v: %s\n", g.Framing, g.Why)
	}
	// Output:
	// lines: the first line is a whole JSON value
	// header: the first line is a Content-Length header
	// concat: a second value begins on the line where the first ends
	// dialect: this is HTTP/1 and no stream of records (the first line is a POST request); connect by what speaks it
	// dialect: too few bytes to tell the framing
}

func ExampleSniff() {
	g := dialect.Sniff(frame.Lines, [][]byte{
		[]byte(`Starting server...`),
		[]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`),
	})
	fmt.Println(g.Dialect.Name, g.Sure)
	fmt.Println(g.Why)
	// Output:
	// mcp-legacy true
	// initialize with protocolVersion "2025-06-18": MCP, legacy era
}
