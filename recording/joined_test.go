package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
)

// With concat, the raws of a transcript are pieces of what each side wrote. A value has the
// time of its last piece, and text ends with its piece.
func TestReadJoined(t *testing.T) {
	entry := func(ms int, dir, raw string) string {
		return fmt.Sprintf(`{"t":%d,"dir":%q,"raw":%q}`+"\n", ms, dir, raw)
	}
	in := entry(1, "c2s", `{"a":1}{"b":2}{"c`) + entry(2, "s2c", "") + entry(3, "err", "log") + entry(4, "s2c", "1") +
		entry(5, "c2s", `":3}`+"\n") + entry(6, "s2c", "2\n") + entry(7, "s2c", "<EOF>") + "oops\n" + entry(8, "c2s", "{nope\n[]") + entry(9, "c2s", `{"d":`)
	at := func(ms int, line, offset int64, s said) said {
		s.Time, s.Line, s.Offset = time.Duration(ms)*time.Millisecond, line, offset
		return s
	}
	offsets := []int64{0}
	for line := range strings.Lines(in) {
		offsets = append(offsets, offsets[len(offsets)-1]+int64(len(line)))
	}
	stray := frame.ErrStray.Error()
	want := account{ShapeTranscript, "lines", []said{
		at(1, 1, 0, said{Raw: `{"a":1}`, Side: "client"}),
		at(1, 1, 0, said{Raw: `{"b":2}`, Side: "client"}),
		at(3, 3, offsets[2], said{Raw: "log", Process: "stderr"}),
		at(5, 5, offsets[4], said{Raw: `{"c":3}`, Side: "client"}),
		at(6, 6, offsets[5], said{Raw: "12", Side: "server"}),
		at(7, 7, offsets[6], said{Raw: "<EOF>", Side: "server", Err: stray}),
		bad("oops", 8, offsets[7], ErrNotEntry.Error()),
		at(8, 9, offsets[8], said{Raw: "{nope", Side: "client", Err: stray}),
		at(8, 9, offsets[8], said{Raw: "[]", Side: "client"}),
		at(9, 10, offsets[9], said{Raw: `{"d":`, Side: "client", Err: frame.ErrTruncated.Error()}),
	}, ""}
	tellsOf(t, in, &Options{Framing: "concat"}, want)
	tellsOf(t, in, &Options{Framing: "concat", Shape: ShapeTranscript}, want)
	// A stream that begins otherwise is none, and neither is one that is said to be raw.
	for in, opts := range map[string]Options{`{"a":1}{"b":2}`: {Framing: "concat"}, in: {Framing: "concat", Shape: ShapeRaw}} {
		if shape := NewReader(strings.NewReader(in), &opts).Shape(); shape != ShapeRaw {
			t.Errorf("%.20s: %s", in, shape)
		}
	}
}

// The transcript of a program that writes values end to end is read as it was meant.
func TestReadJoinedTranscript(t *testing.T) {
	text, err := os.ReadFile("../testdata/transcripts/deb-ovsdb.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for rec, err := range NewReader(bytes.NewReader(text), &Options{Framing: "concat"}).All() {
		if err != nil {
			t.Fatal(err)
		}
		var m struct{ ID int }
		if json.Unmarshal(rec.Raw, &m) != nil {
			m.ID = -1
		}
		got = append(got, fmt.Sprint(rec.From, " ", m.ID, " at ", rec.Time.Milliseconds()))
	}
	want := []string{
		"client 1 at 0", "server 1 at 251", "client 2 at 252", "server 2 at 503", "client 3 at 503", "client 4 at 503",
		"server 3 at 753", "server 4 at 753", "client 5 at 754", "server 5 at 1004", "client 6 at 1255", "server 6 at 1505",
		"client 7 at 1505", "server 7 at 1756", "client 8 at 1757", "server 8 at 2007", "client -1 at 2008", "server -1 at 2008",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
