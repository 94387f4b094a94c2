package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

func TestWords(t *testing.T) {
	tests := []struct {
		sentence, text string
		want           []string
		wrong          string
	}{
		{"white space splits", "a=1 \t b=2 ", []string{"a=1", "b=2"}, ""},
		{"nothing is no word", "  ", nil, ""},
		{"quotes keep together", `a='two words' b="three of them"`, []string{"a=two words", "b=three of them"}, ""},
		{"empty quotes are a word", `'' a=""`, []string{"", "a="}, ""},
		{"quotes inside a word", `a'b c'd`, []string{"ab cd"}, ""},
		{"JSON in quotes stays as it is", `a:='{"b": "\n"}'`, []string{`a:={"b": "\n"}`}, ""},
		{"JSON without them loses its own", `a:={"b":1}`, []string{`a:={b:1}`}, ""},
		{"a backslash outside of quotes", `a\ b \'`, []string{"a b", "'"}, ""},
		{"a backslash within double quotes", `"\" \\ \n"`, []string{`" \ \n`}, ""},
		{"a quote without an end", `a 'b`, nil, "a ' has no end"},
		{"a backslash at the end", `a \`, nil, "nothing comes after"},
		{"any script", "名=值 b=ß", []string{"名=值", "b=ß"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			got, err := words(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err != nil) != (tt.wrong != "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("the error is %v, want %q", err, tt.wrong)
			}
		})
	}
}

// FuzzWords: what is quoted comes out as it went in.
func FuzzWords(f *testing.F) {
	f.Add("two words", `it's`)
	f.Add("", `\`)
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		got, err := words(quoted(a) + " " + quoted(b))
		if diff := cmp.Diff([]string{a, b}, got); err != nil || diff != "" {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
		_, _ = words(a) // whatever it is, it is no panic
	})
}

// The newest 1,000 notes stay, the oldest of them first, and none keeps more than 4 KiB.
func TestNotesAreBounded(t *testing.T) {
	var n notes
	for i := range mostNotes + 3 {
		n.add(fmt.Sprint("m", i), nil)
	}
	seen, before := n.last(mostNotes)
	if len(seen) != mostNotes || before != 3 || seen[0].method != "m3" || seen[mostNotes-1].method != "m1002" {
		t.Errorf("%d notes from %s to %s, %d before", len(seen), seen[0].method, seen[len(seen)-1].method, before)
	}
	if seen, before = n.last(1); len(seen) != 1 || before != 1002 || seen[0].method != "m1002" {
		t.Errorf("the newest: %v, %d before", seen, before)
	}
	n.add("long", message.Raw(`["`+strings.Repeat("x", 1<<20)+`"]`))
	seen, _ = n.last(1)
	text, err := message.Encode(seen[0])
	if err != nil || len(seen[0].params) != mostOfOne || badJSON(text) != nil || !strings.HasSuffix(seen[0].String(), "x…") {
		t.Errorf("a long note: %v, %.100s", err, text)
	}
}

// A history has what was typed, the newest first for who looks back, without what is there
// already and what a terminal would obey. A file that has grown is cut.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "parley", "history")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	old := strings.Repeat("a\nb\n", mostLines+1) + "\x1b[2J\n"
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	h := &history{}
	if err := h.open(path); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"c", "c", "", " d", "e "} {
		h.Add(line)
	}
	h.close()
	var got []string
	for i := range 5 {
		got = append(got, h.At(i))
	}
	if diff := cmp.Diff([]string{"e", " d", "c", "b", "a"}, got); diff != "" || h.Len() != mostLines {
		t.Errorf("%d lines (-want +got):\n%s", h.Len(), diff)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != mostLines+2 || !strings.HasSuffix(string(text), "\nb\nc\ne\n") {
		t.Errorf("the file: %v, %d lines, …%q", err, strings.Count(string(text), "\n"), text[len(text)-20:])
	}
}

// What stands before the cursor is completed as far as there is no choice.
func TestComplete(t *testing.T) {
	s := &shell{toolClient: &toolClient{client: &client{speak: mcp.Legacy}, mcp: new(mcp.Client)}}
	s.known = []mcp.Tool{
		{Name: "git_log", InputSchema: message.Raw(`{"properties":{"n":{"type":"integer"},"all":{"type":"boolean"},"tags":{"type":"array"},"order":{"enum":["new","old"]}}}`)},
		{Name: "git_show"}, {Name: "odd\x1b"},
	}
	tests := []struct{ sentence, before, after, want string }{
		{"the start that tools share", "gi", "", "git_"},
		{"one tool", "git_l", "", "git_log "},
		{"what comes after the cursor stays", "git_l", " n=1", "git_log  n=1"},
		{"a command", ":desc", "", ":describe "},
		{"a command without its colon", "desc", "", "describe "},
		{"the tool to describe", "describe git_s", "", "describe git_show "},
		{"a method to call", ":call resources/te", "", ":call resources/templates/list "},
		{"a question to answer", ":answer roots", "", ":answer roots/list="},
		{"a key", "git_log n", "", "git_log n="},
		{"a key for JSON", "git_log t", "", "git_log tags:="},
		{"no key twice", "git_log n=1 n", "", "git_log n=1 n"},
		{"one of few values", "git_log order=o", "", "git_log order=old "},
		{"a truth", "git_log all=t", "", "git_log all=true "},
		{"what cannot be typed is not offered", "od", "", "od"},
		{"nothing fits", "zzz", "", "zzz"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			line, pos, ok := (&typist{shell: s}).complete(tt.before+tt.after, len(tt.before), '\t')
			if diff := cmp.Diff(tt.want, line); diff != "" || !ok || line[pos:] != tt.after {
				t.Errorf("ok %v, the cursor before %q (-want +got):\n%s", ok, line[pos:], diff)
			}
		})
	}
	if _, _, ok := (&typist{shell: s}).complete("a", 1, 'b'); ok {
		t.Error("a letter is taken for TAB")
	}
}

// Ctrl-C is seen whatever else is typed; what is typed meanwhile waits, and not without
// end.
func TestKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, typed := io.Pipe()
		took, warned := 0, 0
		running := true
		k := newKeyboard(in, func() bool { took++; return running }, func() { warned++ })
		press := func(keys string) {
			if _, err := io.WriteString(typed, keys); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		read := func() string {
			buf := make([]byte, 2*mostAhead)
			n, _ := k.Read(buf)
			return string(buf[:n])
		}
		press("next\x03")
		if took != 1 || warned != 0 || k.entered() {
			t.Errorf("the call was taken back %d times, with %d warnings", took, warned)
		}
		if got := read(); got != "\x05\x15" {
			t.Errorf("after Ctrl-C the line editor gets %q, want what clears the line", got)
		}
		running = false
		press("half\x03")
		if warned != 1 || k.entered() {
			t.Errorf("%d warnings at the prompt", warned)
		}
		press("\x03\x03")
		if got := read(); got != "\x03" || !k.entered() {
			t.Errorf("the second Ctrl-C gives %q", got)
		}
		press(strings.Repeat("x", 2*mostAhead))
		if got := read(); len(got) > mostAhead {
			t.Errorf("%d keys were kept", len(got))
		}
		_ = typed.Close()
		if n, err := k.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the end of the keys is %d, %v", n, err)
		}
	})
}

// The half of a line is held back, and never lost.
func TestWholeLines(t *testing.T) {
	var out bytes.Buffer
	w := &wholeLines{to: &out}
	for _, step := range []struct{ in, out string }{
		{"half", ""}, {" a line\nand", "half a line\n"}, {"", "half a line\n"}, {" more\n\nx", "half a line\nand more\n\n"},
	} {
		if n, err := io.WriteString(w, step.in); n != len(step.in) || err != nil {
			t.Errorf("Write(%q) = %d, %v", step.in, n, err)
		}
		if diff := cmp.Diff(step.out, out.String()); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", step.in, diff)
		}
	}
	w.flush()
	w.flush()
	if !strings.HasSuffix(out.String(), "\nx\n") {
		t.Errorf("at the end: %q", &out)
	}
	out.Reset()
	_, _ = io.WriteString(w, strings.Repeat("y", 5<<10))
	if out.Len() != 5<<10+1 {
		t.Errorf("of a line without an end %d bytes are shown", out.Len())
	}
}

// The place of the history follows XDG_STATE_HOME, if that is a whole path.
func TestHistoryPath(t *testing.T) {
	state := t.TempDir()
	got, err := historyPath(func(string) string { return state })
	if want := filepath.Join(state, "parley", "history"); got != want || err != nil {
		t.Errorf("historyPath = %q, %v, want %q", got, err, want)
	}
	// One that is no whole path is to be ignored (XDG Base Directory Specification).
	got, err = historyPath(func(string) string { return "state" })
	if err != nil || !filepath.IsAbs(got) {
		t.Errorf("historyPath = %q, %v for a relative XDG_STATE_HOME", got, err)
	}
}
