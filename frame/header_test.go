package frame

import (
	"io"
	"strings"
	"testing"
)

func TestHeaderRead(t *testing.T) {
	testRead(t, Header, []readCase{
		{"a body has as many bytes as its header says", "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\n[\n]\n",
			[]outcome{rec("{}", 1, 0, 21), rec("[\n]\n", 2, 0, 44), eof(2, 0, 44)}},
		{"names mean the same in any case", "CONTENT-length:2\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 20), eof(1, 0, 20)}},
		{"the order is free and fields that nobody knows are passed over",
			"X-Trace: a:b\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 92), eof(1, 0, 92)}},
		{"utf8 means utf-8, and quotes do no harm", "Content-Length: 2\r\nContent-Type: a/b; x=y; Charset=\"UTF8\"\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 61), eof(1, 0, 61)}},
		{"a type without a charset is UTF-8", "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 53), eof(1, 0, 53)}},
		{"lines may end in LF alone", "Content-Length: 2\n\n{}",
			[]outcome{rec("{}", 1, 0, 19), eof(1, 0, 19)}},
		{"blank lines before a header do no harm", "\r\n\nContent-Length: 2\r\n\r\n{}\r\n \n",
			[]outcome{rec("{}", 1, 0, 24), eof(1, 0, 24)}},
		{"not even very many", strings.Repeat("\r\n", 10_000) + "Content-Length: 2\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 20_021), eof(1, 0, 20_021)}},
		{"the same length twice is one length", "Content-Length: 2\r\ncontent-length: 02\r\n\r\n{}",
			[]outcome{rec("{}", 1, 0, 41), eof(1, 0, 41)}},
		{"an empty body is a record", "Content-Length: 0\r\n\r\nContent-Length: 0\r\n\r\n",
			[]outcome{rec("", 1, 0, 21), rec("", 2, 0, 42), eof(2, 0, 42)}},
		{"a long body is one record", appended(t, Header, object(300_000)) + appended(t, Header, "{}"),
			[]outcome{rec(object(300_000), 1, 0, 26), rec("{}", 2, 0, 300_047), eof(2, 0, 300_047)}},
	})
}

func TestHeaderBadFraming(t *testing.T) {
	unexpected := io.ErrUnexpectedEOF
	testRead(t, Header, []readCase{
		{"a header needs a length", "Content-Type: a/b\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"a length is not empty", "Content-Length:\r\n\r\n", []outcome{bad(nil, 1, 0)}},
		{"a length is not negative", "Content-Length: -2\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"a length has no sign", "Content-Length: +2\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"a length is a number", "Content-Length: 2x\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"a length is one number", "Content-Length: 2, 2\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"a length fits 63 bits", "Content-Length: 9223372036854775808\r\n\r\n{}", []outcome{bad(nil, 1, 0)}},
		{"two lengths must agree", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", []outcome{bad(nil, 1, 19)}},
		{"another charset is not read", "Content-Length: 2\r\nContent-Type: a/b; charset=latin1\r\n\r\n{}", []outcome{bad(nil, 1, 19)}},
		{"the input must not end in a header", "Content-Len", []outcome{bad(unexpected, 1, 0)}},
		{"the input must not end after a field", "Content-Length: 2\r\n", []outcome{bad(unexpected, 1, 0)}},
		{"the input must not end in a body", "Content-Length: 3\r\n\r\n{}", []outcome{bad(unexpected, 1, 21)}},
		{"the input must not end before a body", "Content-Length: 3\r\n\r\n", []outcome{bad(unexpected, 1, 21)}},
		{"the input must not end in a body that is skipped", "Content-Length: 9223372036854775807\r\n\r\n{}", []outcome{bad(unexpected, 1, 39)}},
		{"records before bad framing are delivered", "Content-Length: 2\r\n\r\n{}\n\nlistening on port 80\n",
			[]outcome{rec("{}", 1, 0, 21), bad(ErrStray, 2, 25)}},
		{"a field has a colon", "Content-Length: 2\r\nhello\r\n\r\n", []outcome{bad(ErrStray, 1, 19)}},
		{"a name has no space", "Content-Length : 2\r\n\r\n", []outcome{bad(ErrStray, 1, 0)}},
		{"a field is not folded", "Content-Length:\r\n 2\r\n\r\n", []outcome{bad(nil, 1, 0)}},
		{"JSON is no header", `{"jsonrpc":"2.0"}`, []outcome{bad(ErrStray, 1, 0)}},
		{"a header is bounded", strings.Repeat("A: b\r\n", 2000), []outcome{bad(nil, 1, 0)}},
		{"bad framing behind blank lines is where it is", "\r\n\nA: b\r\n\r\n", []outcome{bad(nil, 1, 3)}},
		{"a line of a header is bounded", strings.Repeat("a", 1<<20), []outcome{bad(nil, 1, 0)}},
	})
}

func TestHeaderOverTheLimit(t *testing.T) {
	long := object(5000)
	testRead(t, Header.Limit(1000), []readCase{
		{"a long body costs one record", appended(t, Header, "{}", long, "[]"),
			[]outcome{rec("{}", 1, 0, 21), skip(ErrTooLong, long, 2, 0, 47), rec("[]", 3, 0, 5068), eof(3, 0, 5068)}},
	})
}

// A server that logs to stdout is the most frequent cause of bad framing, so that
// the error quotes what it says, and asks.
func TestHeaderQuotesStrayText(t *testing.T) {
	for text, want := range map[string]string{
		"Listening on port 80\nbye": `frame: header: record 1, offset 0: stray text "Listening on port 80" instead of a header; is something printing to stdout?`,
		"\x1b[1mhello\n":            `frame: header: record 1, offset 0: stray text "\x1b[1mhello" instead of a header; is something printing to stdout?`,
	} {
		if _, err := Header.Read(NewReader(strings.NewReader(text))); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// The first byte of a line that cannot be a header is enough: a prompt without LF
// would otherwise be waited on for ever.
func TestHeaderDoesNotWaitForStrayText(t *testing.T) {
	near, far := Pipe()
	defer far.Close()
	if _, err := near.Write([]byte("> ")); err != nil {
		t.Fatal(err)
	}
	if _, err := Header.Read(NewReader(far)); err == nil || !strings.Contains(err.Error(), `"> "`) {
		t.Errorf("got %v", err)
	}
}
