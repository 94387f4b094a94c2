package main

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/parley-rpc/parley"
)

func TestDeeds(t *testing.T) {
	tests := []struct {
		name string
		rule rule
		line string
		want []deed
	}{
		{"a call is owed by its id", callDeeds, `{"jsonrpc":"2.0","id":"a","method":"m"}`, []deed{{isOwed, `"a"`}}},
		{"the id null is an id", callDeeds, `{"jsonrpc":"2.0","id":null,"method":"m"}`, []deed{{isOwed, "null"}}},
		{"a note is owed nothing", callDeeds, `{"jsonrpc":"2.0","method":"m"}`, []deed{{does: owesNothing}}},
		{"a result settles", callDeeds, `{"jsonrpc":"2.0","id":7,"result":null}`, []deed{{settles, "7"}}},
		{"an error settles", callDeeds, `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}`, []deed{{settles, "7"}}},
		{"broken text is owed an error with id null", callDeeds, `{broken`, []deed{{isOwed, "null"}}},
		{"a bad request is owed one with its id", callDeeds, `{"jsonrpc":"2.0","id":5}`, []deed{{isOwed, "5"}}},
		{"a bad note is owed nothing", callDeeds, `{"jsonrpc":"2.0","method":"m","params":1}`, []deed{{does: isSkipped}}},
		{"a bad reply is owed nothing", callDeeds, `{"jsonrpc":"2.0","id":5,"result":1,"error":{}}`, []deed{{does: isSkipped}}},
		{
			"a batch does what its members do", callDeeds,
			`[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","method":"m"},1]`,
			[]deed{{isOwed, "1"}, {does: owesNothing}, {isOwed, "null"}},
		},
		{"an event is owed nothing", eventDeeds, `{"type":"output","text":"x"}`, []deed{{does: owesNothing}}},
		{"an id alone makes no debt of an event", eventDeeds, `{"type":"assistant","id":1,"request_id":"r"}`, []deed{{does: owesNothing}}},
		{"a control_request is owed by its request_id", eventDeeds, `{"type":"control_request","request_id":"r"}`, []deed{{isOwed, `"r"`}}},
		{
			"a control_response settles by the request_id inside", eventDeeds,
			`{"type":"control_response","request_id":"wrong","response":{"request_id":"r"}}`, []deed{{settles, `"r"`}},
		},
		{"no JSON is skipped", eventDeeds, `warning: x`, []deed{{does: isSkipped}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.rule([]byte(test.line)), cmp.AllowUnexported(deed{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.line, diff)
			}
		})
	}
}

// The two directions and the sections number on their own; an answer settles the call
// that came the other way in the same section.
func TestCountOwed(t *testing.T) {
	var c count
	const out, in = parley.Outbound, parley.Inbound
	c.add(1, out, []deed{{isOwed, "10"}, {isOwed, "9"}})
	c.add(1, in, []deed{{isOwed, "9"}})
	c.add(2, out, []deed{{isOwed, "9"}, {isOwed, "9"}})
	if diff := cmp.Diff([]string{"9", "10"}, c.owed(1, out)); diff != "" {
		t.Errorf("owed to us in section 1:\n%s", diff)
	}
	c.add(1, in, []deed{{settles, "9"}})
	c.add(2, in, []deed{{settles, "9"}})
	c.add(2, out, []deed{{settles, "9"}}) // they have asked nothing in section 2
	for _, test := range []struct {
		section int
		by      parley.Direction
		want    []string
	}{{1, out, []string{"10"}}, {1, in, []string{"9"}}, {2, out, []string{"9"}}, {2, in, nil}} {
		if diff := cmp.Diff(test.want, c.owed(test.section, test.by)); diff != "" {
			t.Errorf("owed in section %d, asked %s:\n%s", test.section, arrow(test.by), diff)
		}
	}
	if c.strays != 1 {
		t.Errorf("%d answers to nothing, want 1", c.strays)
	}
	want := [2]tally{in: {lines: 3, asked: 1}, out: {lines: 3, asked: 4, answered: 2}}
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
