package recording

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/parley-rpc/parley/frame"
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
		{"half a byte order mark costs the element behind it", "\xEF\xBB[1]", 1, ""},
		{"an element that is no value costs an element", "[1,bad,[2 3],4]", 4, ""},
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

// An array over several lines is one before it has ended. What is no value in it costs an
// element; where it is no array any more, the rest is values, and what was wrong is said at
// the end.
func TestArrayGuessed(t *testing.T) {
	stray := frame.ErrStray.Error()
	tests := []struct {
		sentence string
		in       string
		want     account
	}{
		{"an element that is no value", "[\n1,\nbad,\n{\"a\" 1},\n2\n]\n", account{ShapeArray, "concat", []said{
			plain("1", 0, 2), bad("bad", 0, 5, stray), plain(`{"a" 1}`, 0, 10), plain("2", 0, 19)}, ""}},
		{"the first element may be none", "[\nbad,\n1\n]", account{ShapeArray, "concat", []said{
			bad("bad", 0, 2, stray), plain("1", 0, 7)}, ""}},
		{"values behind it", "[1,\n2]\n{\"id\":1}\ntext\n", account{ShapeArray, "concat", []said{
			plain("1", 0, 1), plain("2", 0, 4), plain(`{"id":1}`, 0, 7), bad("text", 0, 16, stray)}, ""}},
		{"an end that is missing", "[1,2\n{\"id\":1}\n3", account{ShapeArray, "concat", []said{
			plain("1", 0, 1), plain("2", 0, 3), plain(`{"id":1}`, 0, 5), plain("3", 0, 14)},
			"frame: concat: record 3, offset 5: want a comma or the end of the array, got '{'"}},
		{"a line that only looks like the beginning of one", "[\n{\"id\":1}\n{\"id\":2}\n", account{ShapeRaw, "lines", []said{
			plain("[", 1, 0), plain(`{"id":1}`, 2, 2), plain(`{"id":2}`, 3, 11)}, ""}},
		{"a line of a log that begins with a bracket", "[1/3 up,\n{\"id\":1}\n", account{ShapeRaw, "lines", []said{
			plain("[1/3 up,", 1, 0), plain(`{"id":1}`, 2, 9)}, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) { tellsOf(t, tt.in, nil, tt.want) })
	}
}

// The elements of a live array are delivered before it ends.
func TestArrayWaitsForNothing(t *testing.T) {
	waited := errors.New("waited for more")
	in := io.MultiReader(strings.NewReader("[\n{\"id\":1},\n"), iotest.ErrReader(waited))
	if rec, err := NewReader(in, nil).Read(); err != nil || string(rec.Raw) != `{"id":1}` {
		t.Errorf("%s, %v", rec.Raw, err)
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
