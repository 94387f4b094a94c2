package recording

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
)

// Text before the first record costs its lines, whatever is behind it.
func TestReadBehindText(t *testing.T) {
	const entry = `{"t":0,"dir":"c2s","raw":"x"}` + "\n"
	up := plain("up", 1, 0)
	tests := []struct {
		sentence string
		in       string
		opts     *Options
		want     account
	}{
		{"header", "up\n\n[log] on\r\nContent-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", nil, account{ShapeRaw, "header", []said{
			up, plain("", 2, 0), plain("[log] on", 3, 4), plain("{}", 0, 35), plain("[1]", 0, 58)}, ""}},
		{"header, when the shape is known", "up\nContent-Length: 2\n\n{}", &Options{Shape: ShapeRaw}, account{ShapeRaw, "header", []said{
			up, plain("{}", 0, 22)}, ""}},
		{"and bad framing is still the end", "up\nContent-Length: 2\n\n{}oops here\n", nil, account{ShapeRaw, "header", []said{up, plain("{}", 0, 22)},
			`frame: header: record 3, offset 24: stray text "oops here" instead of a header; is something printing to stdout?`}},
		{"lines", "up\n{}\ntext\nContent-Length: 2\n", nil, account{ShapeRaw, "lines", []said{
			up, plain("{}", 2, 3), plain("text", 3, 6), plain("Content-Length: 2", 4, 11)}, ""}},
		{"nothing", "up\n\n", nil, account{ShapeRaw, "lines", []said{up}, ""}},
		{"values end to end", "up\n{}{}\ndown\n", nil, account{ShapeRaw, "concat", []said{
			up, plain("{}", 0, 3), plain("{}", 0, 5), bad("down", 0, 8, frame.ErrStray.Error())}, ""}},
		{"a text sequence", "up\n\x1e{}\n", nil, account{ShapeRaw, "seq", []said{up, plain("{}", 0, 4)}, ""}},
		{"a transcript", "up\n\n" + entry + "oops\n" + entry, nil, account{ShapeTranscript, "lines", []said{
			up, plain("", 2, 0), {Raw: "x", Side: "client", Line: 3, Offset: 4}, bad("oops", 4, 34, ErrNotEntry.Error()), {Raw: "x", Side: "client", Line: 5, Offset: 39}}, ""}},
		{"more text than that is a log", strings.Repeat("up\n", 8) + "Content-Length: 2\n\n{}", nil, account{ShapeRaw, "lines", []said{
			up, plain("up", 2, 3), plain("up", 3, 6), plain("up", 4, 9), plain("up", 5, 12), plain("up", 6, 15), plain("up", 7, 18), plain("up", 8, 21),
			plain("Content-Length: 2", 9, 24), plain("", 10, 0), plain("{}", 11, 43)}, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) { tellsOf(t, tt.in, tt.opts, tt.want) })
	}
}

// What the input is taken for is told as it is known, and text is lines until then.
func TestReadBehindTextTells(t *testing.T) {
	r := NewReader(strings.NewReader("up\nContent-Length: 2\n\n{}"), nil)
	var told []string
	for range 3 {
		told = append(told, r.Framing().String()+": "+r.Why())
		_, _ = r.Read()
	}
	want := []string{
		"lines: so far there is text, and only lines can pass over that",
		"lines: so far there is text, and only lines can pass over that",
		"header: behind text, the first line is a Content-Length header",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// That values stand end to end is a guess, which costs no more than the line where it does
// not hold; whoever says so is held to it.
func TestReadValues(t *testing.T) {
	stray, tooLong := frame.ErrStray.Error(), frame.ErrTooLong.Error()
	tests := []struct {
		sentence string
		in       string
		opts     *Options
		want     account
	}{
		{"text in a line of its own", "{\"a\":1}{}\nhello there\r\n{\"b\":[]}\n[2]\n", nil, account{ShapeRaw, "concat", []said{
			plain(`{"a":1}`, 0, 0), plain("{}", 0, 7), bad("hello there", 0, 10, stray), plain(`{"b":[]}`, 0, 23), plain("[2]", 0, 32)}, ""}},
		{"when it is said, text is the end", "{}{}\n?", &Options{Framing: "concat"}, account{ShapeRaw, "concat", []said{plain("{}", 0, 0), plain("{}", 0, 2)},
			`frame: concat: record 3, offset 5: stray text "?" instead of a value; is something printing to stdout?`}},
		{"text behind a value", "{}{} # done {}\n[]\n", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("{}", 0, 2), bad("# done {}", 0, 5, stray), plain("[]", 0, 15)}, ""}},
		{"lines of a log", "{}{}\n[INFO] up\n2026-11-30 up\nnone\ntrue\n", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("{}", 0, 2), bad("[INFO] up", 0, 5, stray), bad("2026-11-30 up", 0, 15, stray), bad("none", 0, 29, stray), plain("true", 0, 34)}, ""}},
		{"an object that is faulty is one all the same", "{}{\"id\":1,}{\"id\":2,'}'\n{}", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain(`{"id":1,}`, 0, 2), plain(`{"id":2,'}`, 0, 11), bad("'", 0, 21, stray), plain("{}", 0, 23)}, ""}},
		{"half a line", "{}{}\n{\"a\":1,\n{\"b\":2}{}\n[]\n", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("{}", 0, 2), bad(`{"a":1,`, 0, 5, stray), plain(`{"b":2}`, 0, 13), plain("{}", 0, 20), plain("[]", 0, 23)}, ""}},
		{"half a line that swallows the next one", "{}{}\n{\"a\":\n{\"b\":2}\n[]\n", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("{}", 0, 2), bad(`{"a":`, 0, 5, stray), plain(`{"b":2}`, 0, 11), plain("[]", 0, 19)}, ""}},
		{"and all the rest", "{}{}\n[\n{\"b\":2}\n", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("{}", 0, 2), bad("[", 0, 5, stray), plain(`{"b":2}`, 0, 7)}, ""}},
		{"a value over several lines that is faulty", "{\n \"a\": 1\n}\n{\n \"b\": 1\n oops\n}\n{}\n", nil, account{ShapeRaw, "concat", []said{
			plain("{\n \"a\": 1\n}", 0, 0), bad("{\n \"b\": 1", 0, 12, stray), bad("oops", 0, 23, stray), bad("}", 0, 28, stray), plain("{}", 0, 30)}, ""}},
		{"an input that ends in a value", "{}{\n\"a\":", nil, account{ShapeRaw, "concat", []said{plain("{}", 0, 0)},
			"frame: concat: record 2, offset 2: the input ended inside a value"}},
		{"a value over the limit", "{}[1,2]\n{\"a\":1}[]\nlong text\n", &Options{Limit: 5}, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("[1,2]", 0, 2), bad(`{"a":1}`, 0, 8, tooLong), plain("[]", 0, 15), bad("long text", 0, 18, stray)}, ""}},
		{"text without an end", "{}[]\ntru", nil, account{ShapeRaw, "concat", []said{
			plain("{}", 0, 0), plain("[]", 0, 2), bad("tru", 0, 5, stray)}, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) { tellsOf(t, tt.in, tt.opts, tt.want) })
	}
}

// A value of any length is read over in bounded memory, and what is behind it is found.
func TestReadLongValue(t *testing.T) {
	const size = 8 << 20
	for sentence, long := range map[string]string{
		"a value": `{"a":"` + strings.Repeat("x", size) + `"}`,
		"text":    strings.Repeat("log ", size/4),
		"half":    "{\n" + strings.Repeat(" ", size) + "oops",
	} {
		r := NewReader(strings.NewReader("{}{}\n"+long+"\n[1]\n"), &Options{Limit: 1000})
		var got []string
		for rec, err := range r.All() {
			if err != nil {
				t.Fatalf("%s: %v", sentence, err)
			}
			if skip, ok := skipOf(rec.Err); ok {
				got = append(got, fmt.Sprint(skip.Size == int64(len(long)) && len(rec.Raw) == frame.HeadSize))
				continue
			}
			got = append(got, string(rec.Raw))
		}
		if diff := cmp.Diff([]string{"{}", "{}", "true", "[1]"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sentence, diff)
		}
		if most := 2 * (sniffRoom + frame.HeadSize); cap(r.values.buf) > most {
			t.Errorf("%s: %d bytes are held, want at most %d", sentence, cap(r.values.buf), most)
		}
	}
}
