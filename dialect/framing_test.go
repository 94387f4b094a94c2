package dialect_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
)

var framingTests = []struct{ rule, head, want string }{
	{"one value a line", "{\"id\":1}\n", "lines"},
	{"CRLF, blank lines and a BOM change nothing", "\xEF\xBB\xBF\r\n \n[1]\r\n", "lines"},
	{"a scalar is a value", "42\n", "lines"},
	{"text behind a value", "{\"id\":1} # done\n", "lines"},

	{"noise first: what stands behind it tells", "Starting server...", "short: lines"},
	{"a whole line of it", "Starting server...\n", "short: lines behind 19"},
	{"and a line behind it", "Starting server...\n\n{\"id\":1}\n", "lines behind 19"},
	{"noise that looks like JSON", "{nope\n{\"id\":1}\n", "lines behind 6"},
	{"noise of a log", "[INFO] up\n", "short: lines behind 10"},
	{"a date", "\xEF\xBB\xBF2026-11-30 up\n", "short: lines behind 17"},
	{"an object as a program of JavaScript prints it", "{\n  port: 3000\n}\n{\"id\":1}\n", "lines behind 17"},
	{"a line of a log that begins like a request", "GET ready for it\n", "short: lines behind 17"},
	{"or like NATS", "INFO server up\n", "short: lines behind 15"},
	{"or like the PROXY protocol", "PROXY mode is off\n", "short: lines behind 18"},
	{"a request behind noise is noise too", "up\nPOST / HTTP/1.1\r\n", "short: lines behind 20"},
	{"so much noise is a log", strings.Repeat("up\n", 8), "lines behind 21"},
	{"or a line of it that is so long", "up\n" + strings.Repeat("up ", 2000), "lines behind 3"},
	{"a header behind noise", "up\nCONTENT-LENGTH: 2\r\n\r\n{}", "header behind 3"},
	{"with its other fields", "up\n\nContent-Type: x\nContent-Length: 2\n\n", "header behind 3"},
	{"a header behind noise that is not whole", "up\nContent-Length: 2\r\n", "short: lines behind 3"},
	{"a line of a log that begins like a header", "up\nContent-Length: none\n", "short: lines behind 24"},
	{"a line of a log that looks like a header", "up\nContent-Length: 2\nGET / 200\n", "short: lines behind 31"},
	{"a header behind a value is none", "up\n{}\nContent-Length: 2\r\n\r\n{}", "lines behind 3"},
	{"values end to end behind noise", "up\n{}{}", "concat behind 3"},
	{"a value over several lines behind noise", "up\n{\n}", "concat behind 3"},
	{"RS behind noise", "up\n\x1E", "seq behind 3"},

	{"values end to end", `{"id":1}{"id":2}`, "concat"},
	{"with white space between them", `{"id":1} [2]`, "concat"},
	{"a value over several lines", "{\n  \"id\": 1\n}", "concat"},
	{"the second value may be half there", `{"id":1}{`, "concat"},

	{"a header", "Content-Length: 2\r\n\r\n{}", "header"},
	{"in any case", "content-TYPE: x\r\n", "header"},
	{"RS", "\x1E{\"id\":1}\n", "seq"},
	{"RS behind a blank line", "\n\x1E", "seq"},

	{"an HTTP request", "POST / HTTP/1.1\r\nContent-Length: 8\r\n\r\n{\"id\":1}\n", "HTTP/1"},
	{"a WebSocket begins as one", "GET /ws HTTP/1.1\r\n", "HTTP/1"},
	{"CONNECT with an authority", "CONNECT a:80 HTTP/1.1\r\n", "HTTP/1"},
	{"an HTTP answer", "HTTP/1.1 200 OK\r\n", "HTTP/1"},
	{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2"},
	{"TLS", "\x16\x03\x01\x02\x00", "TLS"},
	{"PROXY, version 1", "PROXY TCP4 1.2.3.4 5.6.7.8 9 10\r\n", "PROXY protocol"},
	{"PROXY, version 2", "\r\n\r\n\x00\r\nQUIT\n!", "PROXY protocol"},
	{"a NATS client", "CONNECT {\"verbose\":false}\r\n", "NATS"},
	{"a NATS server", "INFO {\"server_id\":\"x\"}\r\n", "NATS"},

	{"nothing yet", "", "short: lines"},
	{"white space", " \r\n", "short: lines"},
	{"half a BOM", "\xEF\xBB", "short: lines"},
	{"half a value", `{"id":`, "short: lines"},
	{"a value that may not be all of the line", `{"id":1}`, "short: lines"},
	{"half a value over several lines, which may be noise", "{\n", "short: concat"},
	{"half a header", "Content-Len", "short: lines"},
	{"POST, PUT, PATCH, PRI or PROXY", "P", "short: lines"},
	{"Content-Length or CONNECT", "C", "short: lines"},
	{"half a request", "GET /a", "short: lines"},
	{"a request whose target is longer than any line of a log", "GET /" + strings.Repeat("a", 20_000), "HTTP/1"},
	{"a request behind an empty line", "\r\nPOST /rpc HTTP/1.1\r\n", "HTTP/1"},
	{"half a PROXY signature", "\r\n\r\n\x00", "short: lines"},
	{"half a TLS record", "\x16\x03", "short: lines"},
}

// sniffed tells in a word what SniffFraming says.
func sniffed(head string) string {
	g, err := dialect.SniffFraming([]byte(head))
	var foreign *dialect.ForeignError
	said := g.Framing.String()
	if g.Text > 0 {
		said += fmt.Sprintf(" behind %d", g.Text)
	}
	switch {
	case errors.As(err, &foreign):
		return foreign.Protocol
	case g.Why == "":
		return said + " for no reason"
	case errors.Is(err, dialect.ErrShort):
		return "short: " + said
	case err != nil:
		return err.Error()
	}
	return said
}

func TestSniffFraming(t *testing.T) {
	for _, test := range framingTests {
		if got := sniffed(test.head); got != test.want {
			t.Errorf("%s: %q is %s, want %s", test.rule, test.head, got, test.want)
		}
	}
}

// How the bytes are cut is of no account: as they come one by one, nothing is said until
// enough are there, and then always the same. What is called text stays text.
func TestSniffFramingByteByByte(t *testing.T) {
	for _, test := range framingTests {
		checkStable(t, test.head)
	}
}

func checkStable(t *testing.T, head string) {
	t.Helper()
	said, text := "", 0
	for n := range len(head) + 1 {
		got := sniffed(head[:n])
		if g, err := dialect.SniffFraming([]byte(head[:n])); g.Text < text || g.Text > n {
			t.Fatalf("%q begins with %d bytes of text, and with one less it was %d: %v", head[:n], g.Text, text, err)
		} else {
			text = g.Text
		}
		if strings.HasPrefix(got, "short: ") && said == "" {
			continue
		}
		if said == "" {
			said = got
		}
		if got != said {
			t.Fatalf("%q is %s, and with %q it is %s", head[:n-1], said, head[n-1], got)
		}
	}
}

// An answer never changes with more bytes, and the error of a foreign protocol says what
// to do.
func FuzzSniffFraming(f *testing.F) {
	for _, test := range framingTests {
		f.Add(test.head)
	}
	f.Fuzz(func(t *testing.T, head string) {
		if len(head) < 200 {
			checkStable(t, head)
		}
		_, err := dialect.SniffFraming([]byte(head))
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}

// What a framing writes is sniffed as that framing, for two records and more.
func TestSniffWhatFramingsWrite(t *testing.T) {
	for _, f := range []frame.Framing{frame.Lines, frame.Header, frame.Seq} {
		var text []byte
		for _, rec := range []string{`{"id":1}`, `[2]`} {
			var err error
			if text, err = f.Append(text, []byte(rec)); err != nil {
				t.Fatal(err)
			}
		}
		if got := sniffed(string(text)); got != f.String() {
			t.Errorf("%q is %s, want %v", text, got, f)
		}
	}
}
