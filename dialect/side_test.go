package dialect_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
)

func TestSniffSide(t *testing.T) {
	for _, test := range []struct {
		rule, dialect, records string
		want                   parley.Side
	}{
		{"an answer first", "jsonrpc", `{"jsonrpc":"2.0","id":1,"result":1}
{"jsonrpc":"2.0","id":1,"method":"ask"}
{"jsonrpc":"2.0","id":2,"result":1}`, parley.SideServer},
		{"a call and its answer", "jsonrpc", `{"jsonrpc":"2.0","id":1,"method":"a"}
{"jsonrpc":"2.0","id":1,"result":1}`, parley.SideUnknown},
		{"nothing", "mcp", ``, parley.SideUnknown},
		{"the head of a call, and its answer", "jsonrpc", `{"jsonrpc":"2.0","id":1,"method":"echo","params":["xxx
{"jsonrpc":"2.0","id":1,"result":1}`, parley.SideUnknown},
		{"a stray print, and an answer", "jsonrpc", `Server is ready
{"jsonrpc":"2.0","id":1,"result":1}`, parley.SideServer},
		{"a server that answers and asks", "mcp", `{"jsonrpc":"2.0","id":0,"result":{}}
{"jsonrpc":"2.0","method":"notifications/message","params":{}}
{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}
{"jsonrpc":"2.0","id":1,"result":{}}`, parley.SideServer},
		{"a client that waits for nobody", "mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":1,"result":{}}`, parley.SideClient},
		{"a client and a server that only answers", "mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":0,"result":{}}
{"jsonrpc":"2.0","method":"notifications/initialized"}`, parley.SideUnknown},
	} {
		d, err := dialect.Lookup(test.dialect)
		if err != nil {
			t.Fatal(err)
		}
		got, why := dialect.SniffSide(d, bytes.Split([]byte(test.records), []byte("\n")))
		if got != test.want || (why == "") != (got == parley.SideUnknown) {
			t.Errorf("%s: %s (%q), want %s", test.rule, got, why, test.want)
		}
	}
}

// Each transcript is of both sides, and what one side said is of that side or tells
// nothing.
func TestSniffSideOfTranscripts(t *testing.T) {
	for _, file := range transcripts(t) {
		client, server := records(t, file, frame.Lines, clientDirs...), records(t, file, frame.Lines, serverDirs...)
		both := records(t, file, frame.Lines, slices.Concat(clientDirs, serverDirs)...)
		d := dialect.Sniff(frame.Lines, both).Dialect
		for _, test := range []struct {
			side    parley.Side
			records [][]byte
		}{{parley.SideUnknown, both}, {parley.SideClient, client}, {parley.SideServer, server}} {
			got, _ := dialect.SniffSide(d, test.records)
			if got != parley.SideUnknown && got != test.side {
				t.Errorf("%s: what is of the side %s is taken for the %s's", filepath.Base(file), test.side, got)
			}
		}
	}
}

func ExampleSniffSide() {
	d, _ := dialect.Lookup("acp")
	side, why := dialect.SniffSide(d, [][]byte{
		[]byte(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}`),
		[]byte(`{"jsonrpc":"2.0","method":"session/update","params":{}}`),
	})
	fmt.Println(side, "-", strings.TrimSpace(why))
	// Output: server - all methods here are a server's
}
