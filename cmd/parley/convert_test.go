package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// convert runs the command on an input, and returns its exit code and what it told.
func convert(t testing.TB, in io.Reader, out io.Writer, args ...string) (code exitCode, told string) {
	t.Helper()
	var stderr bytes.Buffer
	a := &app{stdin: in, stdout: out, stderr: &stderr, tell: newConsole(&stderr, false), getenv: func(string) string { return "" }}
	root := rootCommand(a)
	root.SetArgs(append([]string{"convert"}, args...))
	code = a.report(root.ExecuteContext(t.Context()))
	return code, stderr.String()
}

// converted is convert of a text that nothing is wrong with.
func converted(t testing.TB, in string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code, told := convert(t, strings.NewReader(in), &out, args...); code != exitOK || told != "" {
		t.Fatalf("%v: exit code %d: %s", args, code, told)
	}
	return out.String()
}

// values are of every kind, and each has something that a careless reader changes.
var values = []string{
	`{"id":12345678901234567890,"n":-1.00e+05,"a":1,"a":2}`,
	`"\u00e9é\/\ud800\u2028` + "\u2028" + `<&>"`,
	"[\r\n\t1 , {\"b\" : \"]},\\\"\"}\n]", "-0.0", "true", "null", `{}`, `[]`, `""`, `[[[]]]`,
	`"` + strings.Repeat("long ", 40_000) + `"`,
}

// Each framing into each other one and back gives the same values, byte for byte. Only
// lines cannot hold a line end: it becomes a space, once.
func TestConvertRoundTrips(t *testing.T) {
	words := []string{"lines", "header", "concat", "seq", "array"}
	texts := map[string]string{"array": "[" + strings.Join(values, ",\n") + "]\n"}
	oneLine := make([]string, len(values))
	for i, v := range values {
		oneLine[i] = string(message.OneLine(nil, []byte(v)))
	}
	for _, word := range words[:4] {
		f, err := frame.ByName(word)
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		for i, v := range values {
			if f == frame.Lines {
				v = oneLine[i]
			}
			if text, err = f.Append(text, []byte(v)); err != nil {
				t.Fatal(err)
			}
		}
		texts[word] = string(text)
	}
	for _, from := range words {
		for _, to := range words {
			there := converted(t, texts[from], "--from", from, "--to", to)
			want := texts[to]
			if from == "lines" && to != "lines" {
				want = converted(t, texts["lines"], "--from", "lines", "--to", to)
			}
			if there != want {
				t.Errorf("%s to %s: %s", from, to, cmp.Diff(want, there))
			}
			back := converted(t, there, "--from", to, "--to", from)
			want = texts[from]
			if to == "lines" {
				want = converted(t, texts["lines"], "--from", "lines", "--to", from)
			}
			if back != want {
				t.Errorf("%s to %s and back: %s", from, to, cmp.Diff(want, back))
			}
		}
	}
}

// Compact and pretty change white space and nothing else.
func TestConvertLayout(t *testing.T) {
	in := strings.Join(values, "\n")
	compact := converted(t, in, "--from", "concat", "--compact")
	pretty := converted(t, in, "--from", "concat", "--to", "pretty")
	if again := converted(t, pretty, "--from", "concat", "--compact"); again != compact {
		t.Error(cmp.Diff(compact, again))
	}
	for line := range strings.Lines(compact) {
		if line = strings.TrimSuffix(line, "\n"); !slices.Contains(values, line) && line != `[1,{"b":"]},\""}]` {
			t.Errorf("%.80q is none of the values", line)
		}
	}
}

// FuzzConvert: values of any text survive any way through the framings.
func FuzzConvert(f *testing.F) {
	for _, v := range values[:10] {
		f.Add([]byte(v), uint8(3))
	}
	words := []string{"lines", "header", "concat", "seq", "array"}
	f.Fuzz(func(t *testing.T, text []byte, way uint8) {
		var one bytes.Buffer
		if code, _ := convert(t, bytes.NewReader(text), &one, "--from", "concat"); code != exitOK {
			return
		}
		via := words[int(way)%len(words)]
		if again := converted(t, converted(t, one.String(), "--from", "lines", "--to", via), "--from", via); again != one.String() {
			t.Errorf("by %s: %s", via, cmp.Diff(one.String(), again))
		}
	})
}

// utf16Text encodes text; order says which of two bytes is first.
func utf16Text(text string, order func(u uint16) [2]byte) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b := order(u)
		out = append(out, b[:]...)
	}
	return out
}

func little(u uint16) [2]byte { return [2]byte{byte(u), byte(u >> 8)} }
func big(u uint16) [2]byte    { return [2]byte{byte(u >> 8), byte(u)} }

func TestConvertEncodings(t *testing.T) {
	const text = "{\"clef\":\"𝄞\",\"word\":\"中文 €\"}\n[\"\u010a\"]\n" // U+010A holds the byte of LF
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("{\"中\":\"文\"}\n")
	if err != nil {
		t.Fatal(err)
	}
	quotes, err := charmap.Windows1252.NewEncoder().String("{\"s\":\"“naïve” – €\"}\n")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		sentence string
		encoding string
		in       []byte
		want     string
		told     string // after the name and the line; "" for nothing, and exit code 0
	}{
		{"a mark tells the order: little", "utf-16", utf16Text("\ufeff"+text, little), text, ""},
		{"a mark tells the order: big", "utf-16", utf16Text("\ufeff"+text, big), text, ""},
		{"without a mark the order is little", "utf-16", utf16Text(text, little), text, ""},
		{"the order is named: little", "utf-16le", utf16Text("\ufeff"+text, little), text, ""},
		{"the order is named: big", "utf-16be", utf16Text(text, big), text, ""},
		{"GBK", "gbk", []byte(gbk), "{\"中\":\"文\"}\n", ""},
		{"the quotes of Windows", "windows-1252", []byte(quotes), "{\"s\":\"“naïve” – €\"}\n", ""},
		{"UTF-8 is UTF-8", "utf-8", []byte("\xEF\xBB\xBF" + text), text, ""},
		{
			"half a pair has no meaning", "utf-16le", append(utf16Text("1\n\"", little), 0, 0xD8, '"', 0, '\n', 0), "1\n\"\uFFFD\"\n",
			"line 2, offset 3: bytes that mean nothing in utf-16le have become U+FFFD",
		},
		{
			"nor has half a character", "gbk", []byte("\"\x81\"\n"), "\"\uFFFD\"\n",
			"line 1, offset 1: bytes that mean nothing in gbk have become U+FFFD",
		},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			var out bytes.Buffer
			code, told := convert(t, bytes.NewReader(tt.in), &out, "--from-encoding", tt.encoding)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			wantCode, wantTold := exitOK, ""
			if tt.told != "" {
				wantCode, wantTold = exitFindings, "parley: stdin: "+tt.told+"\n"
			}
			if code != wantCode || told != wantTold {
				t.Errorf("exit code %d, told %q; want %d, %q", code, told, wantCode, wantTold)
			}
		})
	}
}

// UTF-16 that nobody speaks of is told as what it is: no JSON.
func TestConvertUnknownEncoding(t *testing.T) {
	code, told := convert(t, bytes.NewReader(utf16Text("\ufeff{}\n", little)), io.Discard)
	if code != exitFindings || !strings.Contains(told, "line 1, offset 0: no JSON: ") {
		t.Errorf("exit code %d, told %q", code, told)
	}
}

// A value as large as the limit is one like others.
func TestConvertLargeValue(t *testing.T) {
	const size = frame.DefaultLimit
	value := `"` + strings.Repeat("x", size-2) + `"`
	out := new(checked)
	out.want = value + "\n"
	in := strings.NewReader("Content-Length: 67108864\r\n\r\n" + value)
	if code, told := convert(t, in, out); code != exitOK || told != "" || out.want != "" {
		t.Errorf("exit code %d, %d bytes are missing: %s", code, len(out.want), told)
	}
}

// checked compares what is written with what is wanted, without keeping it.
type checked struct{ want string }

func (c *checked) Write(p []byte) (int, error) {
	rest, ok := strings.CutPrefix(c.want, string(p))
	if !ok {
		return 0, io.ErrShortWrite
	}
	c.want = rest
	return len(p), nil
}

// A value comes out when it is there, though the input goes on.
func TestConvertWaitsForNothing(t *testing.T) {
	in, feed := io.Pipe()
	taken, out := io.Pipe()
	ended := make(chan exitCode)
	go func() {
		code, _ := convert(t, in, out, "--to", "array")
		ended <- code
	}()
	for _, step := range []struct{ in, out string }{{"1\n", "[1"}, {"2\n", ",\n2"}} {
		if _, err := io.WriteString(feed, step.in); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(step.out))
		if _, err := io.ReadFull(taken, got); err != nil || string(got) != step.out {
			t.Errorf("%q, %v, want %q", got, err, step.out)
		}
	}
	_ = feed.Close()
	if _, err := io.ReadFull(taken, make([]byte, len("]\n"))); err != nil {
		t.Error(err)
	}
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// On a terminal, what it could obey is escaped; in a file nothing is.
func TestConvertOnTerminal(t *testing.T) {
	var out bytes.Buffer
	w := newValueWriter(&out, "seq", false)
	w.shown = (&app{terminal: true}).shown
	if err := w.add([]byte("\"\u009b\"")); err != nil {
		t.Fatal(err)
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), `\u001e"\u009b"`+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func BenchmarkConvert(b *testing.B) {
	line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"path":"/a/b/c"}}}` + "\n"
	text := strings.Repeat(line, 10_000)
	for _, to := range []string{"lines", "header", "array"} {
		b.Run(to, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				convert(b, strings.NewReader(text), io.Discard, "--to", to)
			}
		})
	}
}
