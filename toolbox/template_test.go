package toolbox

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// escape writes a text so that a template has it for a literal.
var escape = strings.NewReplacer("{", "{{", "}", "}}").Replace

// FuzzTemplate holds that a value comes out as it went in, whatever it and its
// surroundings hold, and that no template makes parseTemplate panic.
func FuzzTemplate(f *testing.F) {
	f.Add("-n", "5", "")
	f.Add("{", "{v}", "}}{")
	f.Add("", "-rf\x00", "x")
	f.Fuzz(func(t *testing.T, before, value, after string) {
		_, _ = parseTemplate(before)
		parsed, err := parseTemplate(escape(before) + "{v}" + escape(after))
		if err != nil {
			t.Fatalf("%q, %q: %v", before, after, err)
		}
		values := map[string]string{"v": value, "w": "no"}
		want := before + value + after
		if got := parsed.text(values); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		word, ok, err := parsed.word(values, false)
		bad := strings.HasPrefix(value, "-") && before == "" || strings.Contains(value, "\x00")
		if (err != nil) != bad || !bad && (!ok || word != want) {
			t.Errorf("got %q, %v, %v, want %q", word, ok, err, want)
		}
		if _, ok, err := parsed.word(nil, false); ok || err != nil {
			t.Errorf("without a value there is a word, or %v", err)
		}
	})
}

// A dash at the start is refused from whichever placeholder it comes.
func TestWordBeginsWithDash(t *testing.T) {
	tests := []struct {
		does, template string
		values         map[string]string
		refused        string
	}{
		{"the first placeholder", "{a}{b}", map[string]string{"a": "-x", "b": ""}, "/a"},
		{"the second, behind an empty one", "{a}{b}", map[string]string{"a": "", "b": "-x"}, "/b"},
		{"behind a literal", "-{a}", map[string]string{"a": "-x"}, ""},
		{"behind another value", "{a}{b}", map[string]string{"a": "x", "b": "-x"}, ""},
	}
	for _, tt := range tests {
		parsed, err := parseTemplate(tt.template)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = parsed.word(tt.values, false)
		got := ""
		if err != nil {
			got = err.(*refusal).Pointer
		}
		if diff := cmp.Diff(tt.refused, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.does, diff)
		}
	}
}
