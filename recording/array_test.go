package recording

import (
	"io"
	"strings"
	"testing"
)

// What is wrong with an array is told with its place; the elements before it count.
func TestArrayFaults(t *testing.T) {
	tests := []struct {
		sentence string
		in       string
		elements int
		want     string // "" for a clean end
	}{
		{"an empty array has no elements", "[ \n]", 0, ""},
		{"a trailing comma", "[1,2,]", 2, "record 3, offset 5: want a value, got ']'"},
		{"a leading comma", "[,1]", 0, "record 1, offset 1: want a value, got ','"},
		{"two commas", "[1,,2]", 1, "record 2, offset 3: want a value, got ','"},
		{"no comma", "[1 2]", 1, "record 2, offset 3: want a comma or the end of the array, got '2'"},
		{"a value glued to a number", `[1"a"]`, 0, `record 1, offset 2: want a comma or the end of the array, got '"'`},
		{"the wrong bracket", "[1}", 0, "record 1, offset 2: want a comma or the end of the array, got '}'"},
		{"no array", `{"a":1}`, 0, "record 1, offset 0: want an array, got '{'"},
		{"no array but text", "text", 0, "record 1, offset 0: want an array, got 't'"},
		{"half a byte order mark", "\xEF\xBB[1]", 0, `record 1, offset 0: stray text "\xef\xbb 1 " instead of a value; is something printing to stdout?`},
		{"text behind the array", "[1]\n[2]", 1, "record 2, offset 4: want nothing behind the array, got '['"},
		{"an end inside the array", "[1,", 1, "record 2, offset 3: the input ended inside the array"},
		{"an end inside an element", `[1,{"a":`, 1, "record 2, offset 8: the input ended inside the array"},
		{"an end inside a number", "[12", 0, "record 1, offset 3: the input ended inside the array"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			r := NewReader(strings.NewReader(tt.in), &Options{Shape: ShapeArray})
			n := 0
			var end string
			for _, err := range r.All() {
				if err != nil {
					end = strings.TrimPrefix(err.Error(), "frame: concat: ")
				} else {
					n++
				}
			}
			if n != tt.elements || end != tt.want {
				t.Errorf("%d elements, then %q; want %d, then %q", n, end, tt.elements, tt.want)
			}
		})
	}
}

// An array of any length takes no memory but for an element at a time.
func TestArrayIsEndless(t *testing.T) {
	const count = 1_000_000
	in := io.MultiReader(strings.NewReader("["), io.LimitReader(&repeat{text: `{"a":[1]},`}, count*10), strings.NewReader("0]"))
	n := 0
	r := NewReader(in, &Options{Shape: ShapeArray, Limit: 9})
	for rec, err := range r.All() {
		if err != nil || rec.Err != nil {
			t.Fatal(err, rec.Err)
		}
		n++
	}
	if n != count+1 {
		t.Errorf("%d elements", n)
	}
}

// repeat gives the same text over and over.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	for n < len(p) {
		n += copy(p[n:], r.text)
	}
	r.at = (r.at + n) % len(r.text)
	return n, nil
}
