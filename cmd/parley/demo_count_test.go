package main

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
)

// The two directions number on their own, and so does each section; an answer settles
// the call that came the other way in the same section.
func TestCount(t *testing.T) {
	var c count
	add := func(dir parley.Direction, lines ...string) {
		for _, line := range lines {
			c.add(dir, []byte(line))
		}
	}
	const out, in = parley.Outbound, parley.Inbound
	owes := func(dir parley.Direction, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, c.owed(dir)); diff != "" {
			t.Errorf("owed to who asked %s (-want +got):\n%s", arrow(dir), diff)
		}
	}
	c.begin(parley.JSONRPC)
	add(out, `[{"jsonrpc":"2.0","id":10,"method":"m"},{"jsonrpc":"2.0","method":"m"},1]`, `{"jsonrpc":"2.0","id":9,"method":"m"}`)
	add(in, `{"jsonrpc":"2.0","id":9,"method":"m"}`, `{"jsonrpc":"2.0","id":9,"result":0}`, `{"jsonrpc":"2.0","id":8,"result":0}`)
	owes(out, "10")
	owes(in, "9")
	c.begin(claude.Dialect)
	owes(out)
	add(in, `warning: x`, `{"type":"output"}`, `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool"}}`)
	owes(in, `"r"`)
	add(out, `{"type":"control_response","response":{"subtype":"success","request_id":"r"}}`)
	owes(in)
	if c.strays != 1 {
		t.Errorf("%d answers to nothing, want 1", c.strays)
	}
	want := [2]tally{
		out: {lines: 3, asked: 2, answered: 1, free: 1, bad: 1},
		in:  {lines: 6, asked: 2, answered: 1, free: 1, bad: 1},
	}
	if diff := cmp.Diff(want, c.tallies, cmp.AllowUnexported(tally{})); diff != "" {
		t.Errorf("tallies (-want +got):\n%s", diff)
	}
}

func TestFold(t *testing.T) {
	tests := []struct {
		name  string
		width int
		text  string
		want  []string
	}{
		{"what fits stays whole", 10, `{"a":1}`, []string{`{"a":1}`}},
		{"the outermost comma is cut first", 24, `{"a":1,"b":{"c":2,"d":3,"e":4}}`, []string{`{"a":1,`, `"b":{"c":2,"d":3,"e":4}}`}},
		{"the last of them", 16, `[1,22,333,4444,55555]`, []string{`[1,22,333,4444,`, `55555]`}},
		{"a comma in a string is none", 12, `{"a":"b,c,d,e"}`, []string{`{"a":`, `"b,c,d,e"}`}},
		{"an escaped quote ends no string", 14, `["a\",b,c,d",1,2]`, []string{`["a\",b,c,d",`, `1,2]`}},
		{"text is cut at spaces", 8, `no json here`, []string{`no json`, `here`}},
		{"a word that is wider than a line is cut", 4, `"abcdef"`, []string{`"abc`, `def"`}},
		{"a wide character takes two columns", 6, `列出当前`, []string{`列出当`, `前`}},
		{"a column too narrow for a character holds it", 1, `列出`, []string{`列`, `出`}},
		{"nothing is one part", 8, ``, []string{``}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, fold(test.text, test.width)); diff != "" {
				t.Errorf("fold(%s, %d) (-want +got):\n%s", test.text, test.width, diff)
			}
		})
	}
}

// Whatever is folded fits, and is the same text but for spaces at the cuts.
func TestFoldKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`{}[]:,"\ ab列`))).Draw(t, "text")
		width := rapid.IntRange(2, 30).Draw(t, "width")
		parts := fold(text, width)
		for _, part := range parts {
			if n := lipgloss.Width(part); n > width {
				t.Errorf("%q has %d columns, more than %d", part, n, width)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := strings.Join(parts, ""); squeeze(got) != squeeze(text) {
			t.Errorf("fold lost something: %q of %q", got, text)
		}
	})
}
