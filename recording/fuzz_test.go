package recording

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead: no input panics, and the cuts of the input change nothing.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "{}\n", "{}{}", "{\n}", "[\n1,2]", "[1]\n", "Content-Length: 2\r\n\r\n{}", "\x1e{}\n", "con", "\xEF\xBB\xBF{}",
		`{"t":1,"dir":"c2s","raw":"\ud800"}` + "\nx\n", `{"a":"` + "\n", "[[\n{]}", "{\n]", "{\"\\ \"\n", "[\n\"\\",
		"up\nContent-Length: 2\n\n{}", "up\n{}{}", "{}{}\ntext\n{", "{}{\"a\":\n{\"b\":1}\n", "[\n1,x,\n2]\n3", "[1,2\n{}", "{}[truf\n1-1 [",
	} {
		f.Add(seed)
	}
	names, _ := filepath.Glob("testdata/d*.jsonl")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, opts := range []Options{{}, {Limit: 5}, {Shape: ShapeArray}, {Shape: ShapeTranscript}, {Framing: "concat"}} {
			whole := tellAll(t, strings.NewReader(in), &opts)
			cut := tellAll(t, iotest.OneByteReader(strings.NewReader(in)), &opts)
			if (whole.End == "") != (cut.End == "") {
				t.Errorf("ends with %q whole, with %q in bytes", whole.End, cut.End)
			}
			whole.End, cut.End = "", "" // it may quote more or less of the input
			if diff := cmp.Diff(whole, cut); diff != "" {
				t.Errorf("%+v (-whole +bytes):\n%s", opts, diff)
			}
		}
	})
}

// FuzzTranscript: every byte of a record survives being an entry of a transcript.
func FuzzTranscript(f *testing.F) {
	for _, seed := range []string{"", "{}", "a\nb", "\r", "\x00\x1e\x7f", "\u2028\u0085\uFFFD", `\"\u0000/`, "𝄞<&>"} {
		f.Add(seed, "c2s")
	}
	f.Fuzz(func(t *testing.T, raw, dir string) {
		if !utf8.ValidString(raw) || !utf8.ValidString(dir) || dir == "" {
			return
		}
		line, err := json.Marshal(map[string]any{"t": 1, "dir": dir, "raw": raw + "\r\n"})
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(bytes.NewReader(line), nil)
		rec, err := r.Read()
		if err != nil || rec.Err != nil || string(rec.Raw) != raw {
			t.Fatalf("%q has become %q, %v, %v", raw, rec.Raw, rec.Err, err)
		}
		if _, known := writers[dir]; !known && rec.Process != dir {
			t.Errorf("dir %q has become %q", dir, rec.Process)
		}
		if _, err := r.Read(); err != io.EOF {
			t.Errorf("after the end: %v", err)
		}
	})
}
