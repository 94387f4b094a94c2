package lint

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPointerAt(t *testing.T) {
	const text = ` {"a/b": [1, {"~": "x,]}\""}, []], "c":{ } ,"\u0064":null}`
	tests := []struct {
		sentence, at, want string
	}{
		{"the record itself", "{", ""},
		{"a name belongs to its member", `"a/b"`, "/a~1b"},
		{"an array", "[1", "/a~1b"},
		{"an element", "1", "/a~1b/0"},
		{"an object in it", `{"~"`, "/a~1b/1"},
		{"a string with brackets", `"x,`, "/a~1b/1/~0"},
		{"inside of that", "]}", "/a~1b/1/~0"},
		{"an empty array", "[]", "/a~1b/2"},
		{"an empty object", "{ }", "/c"},
		{"a name with an escape", "null", "/d"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			at := strings.Index(text, tt.at)
			if got := pointerAt([]byte(text), at); got != tt.want {
				t.Errorf("pointerAt(%d) = %q, want %q", at, got, tt.want)
			}
		})
	}
}

// A tour of any JSON stops at each value of it, in order, and offsetOf finds back.
func FuzzTour(f *testing.F) {
	for _, seed := range []string{`{}`, `[[],{},[{"a":{}}]]`, `{"a":{"b":[1,2,{"c":null}]},"~/":"\"{"}`, `"x"`, ` [ -1e5 , true ] `} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || len(text) > 2000 {
			return
		}
		var got []string
		for tr := (tour{text: []byte(text)}); ; {
			s, ok := tr.next()
			if !ok {
				break
			}
			if s.again {
				return // pointers are not unique
			}
			if s.name {
				continue
			}
			pointer := tr.pointer()
			got = append(got, pointer)
			if at := offsetOf([]byte(text), pointer); at != s.at && pointer != "" {
				t.Errorf("offsetOf(%q) = %d, want %d", pointer, at, s.at)
			}
			if back := pointerAt([]byte(text), s.at); back != pointer {
				t.Errorf("pointerAt(%d) = %q, want %q", s.at, back, pointer)
			}
		}
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return // numbers that no float64 holds
		}
		want := pointers("", v)
		slices.Sort(got)
		slices.Sort(want)
		if strings.ContainsRune(text, '\uFFFD') || strings.Contains(text, `\u`) || len(slices.Compact(slices.Clone(got))) != len(got) {
			return // names that are the same once they are decoded
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	})
}

// pointers are those of all values in v.
func pointers(at string, v any) []string {
	all := []string{at}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			all = append(all, pointers(at+"/"+strconv.Itoa(i), e)...)
		}
	case map[string]any:
		for name, e := range v {
			all = append(all, pointers(at+"/"+escapeToken(name), e)...)
		}
	}
	return all
}

// However a value is cut into lines between its tokens, a follower takes them as one, and
// says where it ends.
func FuzzFollower(f *testing.F) {
	f.Add(`{"a":[1,true,{"b":"x"}],"c":{}}`, uint64(0b1011))
	f.Add(`[[[]],"",-1.5e3]`, ^uint64(0))
	f.Fuzz(func(t *testing.T, text string, cuts uint64) {
		text = strings.TrimSpace(text)
		if !json.Valid([]byte(text)) || text == "" || text[0] != '{' && text[0] != '[' || strings.ContainsAny(text, "\n\r") {
			return
		}
		var pieces []string
		from, quoted := 0, false
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case !quoted && strings.IndexByte(",:[{", c) >= 0:
				if cuts&1 != 0 {
					pieces = append(pieces, text[from:i+1])
					from = i + 1
				}
				cuts >>= 1
			}
		}
		pieces = append(pieces, text[from:])
		var follow follower
		for i, piece := range pieces {
			want := unfinished
			if i == len(pieces)-1 {
				want = finished
			}
			if got := follow.follow([]byte(piece)); got != want {
				t.Fatalf("piece %d of %q: %d, want %d", i, pieces, got, want)
			}
		}
		if got := follow.follow([]byte("{}")); got != broken {
			t.Errorf("something behind the value: %d, want broken", got)
		}
	})
}
