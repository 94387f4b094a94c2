package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/term"
)

// On a terminal no record takes more than its line, however narrow that is, and what is
// owed is the last thing that is cut.
func TestTextFitsTheTerminal(t *testing.T) {
	files, err := filepath.Glob("../../testdata/transcripts/*.jsonl")
	if err != nil || len(files) < 17 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{40, 60, 80, 120} {
			for line := range strings.Lines(shownOn(t, text, width)) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%s: %d columns on a terminal of %d: %s", filepath.Base(file), n, width, line)
				}
			}
		}
	}
}

// shownOn returns the lines of the records of a text on a terminal.
func shownOn(t *testing.T, text []byte, width int) string {
	t.Helper()
	var out bytes.Buffer
	x := &explainFlags{framing: framingAuto, dialect: dialectAuto, limit: frame.DefaultLimit}
	v := newTextView(bufio.NewWriter(&out), term.Look{Terminal: true, Width: width})
	tell := &telling{flags: x, view: v}
	r := x.reader(bytes.NewReader(text))
	d, err := dialect.Lookup("jsonrpc")
	if err != nil {
		t.Fatal(err)
	}
	if err := tell.begin(chosen{dialect: d}, r, true); err != nil {
		t.Fatal(err)
	}
	if err := v.idle(); err != nil {
		t.Fatal(err)
	}
	out.Reset() // the lines before the first record
	for rec, err := range r.All() {
		if err == nil {
			err = tell.add(&rec)
		}
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	if err := v.idle(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		why  string
		room int
		want []string
	}{
		{"there is room", 37, []string{"summary", "the/method", "identifier"}},
		{"the first goes first", 33, []string{"su…", "the/method", "identifier"}},
		{"a mark alone says nothing", 30, []string{"", "the/method", "identifier"}},
		{"then the next ones, as far as they should", 23, []string{"", "the/…", "identifier"}},
		{"and at last all", 3, []string{"", "", ""}},
	} {
		summary, method, id := "summary", "the/method", "identifier"
		fit(test.room-4, cuttable{&summary, 0}, cuttable{&method, 5}, cuttable{&id, 4}, cuttable{&method, 0}, cuttable{&id, 0})
		if got := []string{summary, method, id}; strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %q, want %q", test.why, got, test.want)
		}
	}
}
