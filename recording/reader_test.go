package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A said is a record in a form that go-cmp can show and that outlives the next Read.
type said struct {
	Raw     string
	Side    string // "" for unknown
	Process string
	Time    time.Duration // -1: none
	Line    int64
	Offset  int64
	Err     string // the reason of the SkipError
}

// An account is all that a Reader said about an input.
type account struct {
	Shape   Shape
	Framing string
	Said    []said
	End     string // "" for io.EOF
}

// tellAll reads in to its end.
func tellAll(t testing.TB, in io.Reader, opts *Options) account {
	t.Helper()
	r := NewReader(in, opts)
	var a account
	for {
		rec, err := r.Read()
		if err != nil {
			if _, again := r.Read(); again != err {
				t.Fatalf("Read gave %v, and then %v", err, again)
			}
			if err != io.EOF {
				a.End = err.Error()
			}
			break
		}
		s := said{Raw: string(rec.Raw), Process: rec.Process, Time: -1, Line: rec.Pos.Line, Offset: rec.Pos.Offset}
		if rec.Timed {
			s.Time = rec.Time
		}
		if rec.From != parley.SideUnknown {
			s.Side = rec.From.String()
		}
		if rec.Err != nil {
			skipped, ok := errors.AsType[*frame.SkipError](rec.Err)
			if !ok || skipped.Pos != rec.Pos || len(skipped.Head) > frame.HeadSize {
				t.Fatalf("Err is %v at %v, want a SkipError there", rec.Err, rec.Pos)
			}
			s.Err = skipped.Err.Error()
		}
		a.Said = append(a.Said, s)
	}
	a.Shape, a.Framing = r.Shape(), r.Framing().String()
	if r.Why() == "" {
		t.Error("no reason is given for the shape")
	}
	return a
}

// plain is a record of a raw stream.
func plain(raw string, line, offset int64) said {
	return said{Raw: raw, Time: -1, Line: line, Offset: offset}
}

// bad is a record of a raw stream that could not be delivered.
func bad(raw string, line, offset int64, why string) said {
	return said{Raw: raw, Time: -1, Line: line, Offset: offset, Err: why}
}

// tellsOf checks what is said of an input, however it comes.
func tellsOf(t *testing.T, in string, opts *Options, want account) {
	t.Helper()
	for how, in := range map[string]io.Reader{
		"whole":               strings.NewReader(in),
		"byte by byte":        iotest.OneByteReader(strings.NewReader(in)),
		"error with the data": iotest.DataErrReader(strings.NewReader(in)),
	} {
		if diff := cmp.Diff(want, tellAll(t, in, opts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
	}
}

func TestRead(t *testing.T) {
	tooLong, notEntry := frame.ErrTooLong.Error(), ErrNotEntry.Error()
	const entry = `{"t":0,"dir":"c2s","raw":"x"}` + "\n"
	tests := []struct {
		sentence string
		in       string
		opts     *Options
		want     account
	}{
		{"an empty input has no records", "", nil, account{ShapeRaw, "lines", nil, ""}},
		{"nor has one of white space", " \n\r\n", nil, account{ShapeRaw, "lines", nil, ""}},
		{"lines with their numbers, blank ones too", "{\"id\":1}\r\n\n[2]\nlog text\n", nil, account{ShapeRaw, "lines", []said{
			plain(`{"id":1}`, 1, 0), plain("", 2, 0), plain(`[2]`, 3, 11), plain("log text", 4, 15)}, ""}},
		{"a byte order mark begins no line", "\xEF\xBB\xBF{}\n", nil, account{ShapeRaw, "lines", []said{plain("{}", 1, 3)}, ""}},
		{"header", "content-length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", nil, account{ShapeRaw, "header", []said{
			plain("{}", 0, 21), plain("[1]", 0, 44)}, ""}},
		{"text that starts like a header is a line", "content\n", nil, account{ShapeRaw, "lines", []said{plain("content", 1, 0)}, ""}},
		{"json-seq", "\x1e{}\n\x1e[1]\n", nil, account{ShapeRaw, "seq", []said{plain("{}", 0, 1), plain("[1]", 0, 5)}, ""}},
		{"values end to end", `{"a":"}\""}[1] 2`, nil, account{ShapeRaw, "concat", []said{
			plain(`{"a":"}\""}`, 0, 0), plain("[1]", 0, 11), plain("2", 0, 15)}, ""}},
		{"values over several lines", "{\n  \"a\": [\n1]}\n{}\n", nil, account{ShapeRaw, "concat", []said{
			plain("{\n  \"a\": [\n1]}", 0, 0), plain("{}", 0, 15)}, ""}},
		{"a value without a line end is a line", `{"a":1}`, nil, account{ShapeRaw, "lines", []said{plain(`{"a":1}`, 1, 0)}, ""}},
		{"a first line that is broken off is a line", "{\"a\":1,\n{\"b\":2}\n", nil, account{ShapeRaw, "lines", []said{
			plain(`{"a":1,`, 1, 0), plain(`{"b":2}`, 2, 8)}, ""}},
		{"text behind the first value is of its line", "{\"a\":1} done\n{}\n", nil, account{ShapeRaw, "lines", []said{
			plain(`{"a":1} done`, 1, 0), plain("{}", 2, 13)}, ""}},
		{"an array in one line is a batch", "[1,2]\n[3]\n", nil, account{ShapeRaw, "lines", []said{
			plain("[1,2]", 1, 0), plain("[3]", 2, 6)}, ""}},
		{"an array over several lines is its elements", "\xEF\xBB\xBF[1,\n{\"a\":[\"],\"]} ,\n\"\\\"\"\n]\n", nil, account{ShapeArray, "concat", []said{
			plain("1", 0, 4), plain(`{"a":["],"]}`, 0, 7), plain(`"\""`, 0, 22)}, ""}},
		{"the same in one line, when it is asked for", "[[], {},true]", &Options{Shape: ShapeArray}, account{ShapeArray, "concat", []said{
			plain("[]", 0, 1), plain("{}", 0, 5), plain("true", 0, 8)}, ""}},
		{"a framing that is named is not looked for", "{}{}\n", &Options{Framing: "lines"}, account{ShapeRaw, "lines", []said{plain("{}{}", 1, 0)}, ""}},
		{"nor is a shape", entry, &Options{Shape: ShapeRaw}, account{ShapeRaw, "lines", []said{plain(strings.TrimSpace(entry), 1, 0)}, ""}},
		{"a record over the limit costs a record", "{\"a\":1}\n{}\n", &Options{Limit: 3}, account{ShapeRaw, "lines", []said{
			{Raw: `{"a":1}`, Time: -1, Line: 1, Err: tooLong}, plain("{}", 2, 8)}, ""}},
		{"bad framing is the end", "Content-Length: 2\r\n\r\n{}stray text\n", nil, account{ShapeRaw, "header", []said{
			plain("{}", 0, 21)}, `frame: header: record 2, offset 23: stray text "stray text" instead of a header; is something printing to stdout?`}},
		{"a transcript", entry + `{"dir":"agent->sdk","raw":"\u2028\"\r\n","t":1.5}` + "\n" + `{"t":2,"dir":"exit","raw":""}` + "\n", nil, account{ShapeTranscript, "lines", []said{
			{Raw: "x", Side: "client", Line: 1}, {Raw: "\u2028\"", Side: "server", Time: 1500 * time.Microsecond, Line: 2, Offset: 30},
			{Process: "exit", Time: 2 * time.Millisecond, Line: 3, Offset: 80}}, ""}},
		{"dir may be escaped, or be another word; t may be missing", `{"dir":"sdk-\u003eagent","raw":"1"}` + "\n" + `{"dir":"n\u006fte","raw":"a\nb\r"}`, nil, account{ShapeTranscript, "lines", []said{
			{Raw: "1", Side: "client", Time: -1, Line: 1}, {Raw: "a\nb\r", Process: "note", Time: -1, Line: 2, Offset: 36}}, ""}},
		{"a line that is no entry costs a line", entry + "oops\n" + `{"t":1,"dir":"s2c","raw":"cut` + "\n" + `{"dir":"","raw":""}` + "\n" + entry, nil, account{ShapeTranscript, "lines", []said{
			{Raw: "x", Side: "client", Line: 1}, {Raw: "oops", Time: -1, Line: 2, Offset: 30, Err: notEntry},
			{Raw: `{"t":1,"dir":"s2c","raw":"cut`, Side: "server", Time: time.Millisecond, Line: 3, Offset: 35, Err: notEntry},
			{Raw: `{"dir":"","raw":""}`, Time: -1, Line: 4, Offset: 65, Err: notEntry}, {Raw: "x", Side: "client", Line: 5, Offset: 85}}, ""}},
		{"the limit is that of the record in a transcript", `{"t":3,"dir":"c2s","raw":"1234"}` + "\n" + entry, &Options{Limit: 3}, account{ShapeTranscript, "lines", []said{
			{Raw: "1234", Side: "client", Time: 3 * time.Millisecond, Line: 1, Err: tooLong}, {Raw: "x", Side: "client", Line: 2, Offset: 33}}, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) { tellsOf(t, tt.in, tt.opts, tt.want) })
	}
}

// Options that make no sense are an error of the first Read.
func TestReadOptions(t *testing.T) {
	for want, opts := range map[string]Options{
		`frame: no framing is called "csv"; use one of lines, header, concat, seq`:        {Framing: "csv"},
		`recording: no shape is called "heap"; use one of raw, transcript, array`:         {Shape: "heap"},
		`frame: no framing is called "transcript"; use one of lines, header, concat, seq`: {Framing: "transcript"},
	} {
		if _, err := NewReader(strings.NewReader("{}"), &opts).Read(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", opts, err, want)
		}
	}
}

// A real transcript comes out as encoding/json reads it, line for line.
func TestReadTranscripts(t *testing.T) {
	names, err := filepath.Glob("../testdata/transcripts/*.jsonl")
	if err != nil || len(names) < 16 {
		t.Fatalf("%d transcripts, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want []said
			var offset int64
			for line := range bytes.Lines(text) {
				var e struct {
					T        float64
					Dir, Raw string
				}
				if err := json.Unmarshal(line, &e); err != nil {
					t.Fatal(err)
				}
				s := said{Raw: e.Raw, Time: time.Duration(e.T * 1e6), Line: int64(len(want)) + 1, Offset: offset}
				offset += int64(len(line))
				switch e.Dir {
				case "c2s", "sdk->agent":
					s.Side = "client"
				case "s2c", "agent->sdk":
					s.Side = "server"
				case "err":
					s.Process = "stderr"
				default:
					s.Process = e.Dir
				}
				if body, ok := strings.CutSuffix(s.Raw, "\n"); ok {
					s.Raw = strings.TrimSuffix(body, "\r")
				}
				want = append(want, s)
			}
			got := tellAll(t, bytes.NewReader(text), nil)
			if diff := cmp.Diff(account{ShapeTranscript, "lines", want, ""}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A long first line is recognised by what stands before its raw.
func TestReadLongFirstEntry(t *testing.T) {
	raw := strings.Repeat("x", 3*sniffRoom)
	in := `{"t":7,"dir":"s2c","raw":"` + raw + "\"}\n"
	want := account{ShapeTranscript, "lines", []said{{Raw: raw, Side: "server", Time: 7 * time.Millisecond, Line: 1}}, ""}
	if diff := cmp.Diff(want, tellAll(t, strings.NewReader(in), nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Over the limit even as a line, it still says who wrote it.
	got := tellAll(t, strings.NewReader(in), &Options{Limit: 100})
	if len(got.Said) != 1 || got.Said[0].Side != "server" || got.Said[0].Err == "" || len(got.Said[0].Raw) < frame.HeadSize-100 {
		t.Errorf("%.200v", got)
	}
}

// Of a record whose line is over any limit, the head is that of the record and not of the
// line, wherever the cut is: so its id can be read.
func TestReadHeadOfLongEntry(t *testing.T) {
	for _, piece := range []string{`\\`, `\"`, `\u00fc`, `\ud83d\ude00`, "ü", "𝄞", "x"} {
		for shift := range 13 {
			entry := `{"t":7,"dir":"s2c","raw":"{\"id\":1,\"a\":\"` + strings.Repeat("x", shift) + strings.Repeat(piece, 2*frame.HeadSize/len(piece)) + `"}` + "\n"
			for rec, err := range NewReader(strings.NewReader(entry), &Options{Limit: 100}).All() {
				if err != nil || !errors.Is(rec.Err, frame.ErrTooLong) || !bytes.HasPrefix(rec.Raw, []byte(`{"id":1,"a":"xx`)[:13+min(shift, 2)]) {
					t.Errorf("%s after %d: %.40q, %v, %v", piece, shift, rec.Raw, rec.Err, err)
				}
			}
		}
	}
}

// The first record is delivered when it is there, whatever comes after it or not.
func TestReadWaitsForNothing(t *testing.T) {
	for sentence, first := range map[string]string{
		"a line":            "{\"id\":1}\n",
		"a line of text":    "ready\n",
		"an entry":          `{"t":0,"dir":"c2s","raw":"{}"}` + "\n",
		"a header and body": "Content-Length: 2\r\n\r\n{}",
		"an element":        "\x1e{}\n",
		"values":            "{\n\"a\":1}",
		"values in a line":  "{\"a\":1}{",
		"values with text":  "{}{}\ntext\n{",
	} {
		t.Run(sentence, func(t *testing.T) {
			// A read behind what was written is an error that no input gives by itself.
			waited := errors.New("waited for more")
			in := io.MultiReader(strings.NewReader(first), iotest.ErrReader(waited))
			if rec, err := NewReader(in, nil).Read(); err != nil || rec.Err != nil || len(rec.Raw) == 0 {
				t.Errorf("%+v, %v", rec, err)
			}
		})
	}
}

// Another protocol is no recording, whatever may stand behind its first line.
func TestReadForeign(t *testing.T) {
	in := "POST / HTTP/1.1\r\n\r\n{\"id\":1}\n"
	for _, opts := range []*Options{nil, {Shape: ShapeRaw}, {Framing: "auto"}} {
		_, err := NewReader(strings.NewReader(in), opts).Read()
		if _, ok := errors.AsType[*dialect.ForeignError](err); !ok {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	// Whoever names a framing knows better.
	if rec, err := NewReader(strings.NewReader(in), &Options{Framing: "lines"}).Read(); err != nil || rec.Err != nil {
		t.Errorf("%v, %v", rec.Err, err)
	}
}

// An error of the input comes behind the records before it, and is the input's own.
func TestReadPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "{}\n", "[\n1,"} {
		var last error
		for _, err := range NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), nil).All() {
			last = err
		}
		if last != broken {
			t.Errorf("%q: ends with %v", text, last)
		}
	}
	if _, err := NewReader(iotest.ErrReader(io.ErrNoProgress), nil).Read(); err != io.ErrNoProgress {
		t.Errorf("%v", err)
	}
}

func TestMilliseconds(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "12": 12 * time.Millisecond, "0.0015": 1500 * time.Nanosecond, "-1": -time.Millisecond, "1e3": time.Second,
		"9223372036854": 9223372036854 * time.Millisecond,
	} {
		if got, ok := milliseconds([]byte(text)); got != want || !ok {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{`"1"`, "null", "9223372036855", "1e300", "-1e300", "99999999999999999999"} {
		if got, ok := milliseconds([]byte(text)); got != 0 || ok {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}
