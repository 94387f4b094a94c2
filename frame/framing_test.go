package frame

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestByName(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		if got, err := ByName(f.String()); got != f || err != nil {
			t.Errorf("ByName(%q) = %v, %v", f, got, err)
		}
	})
	_, err := ByName("ndjson")
	if err == nil {
		t.Fatal("there is a framing of no known name")
	}
	for _, f := range all {
		if !strings.Contains(err.Error(), f.String()) {
			t.Errorf("%q does not list %v", err, f)
		}
	}
}

func TestLimitIsPartOfTheValue(t *testing.T) {
	if (Framing{}) != Lines {
		t.Error("the zero value is not Lines")
	}
	if Lines.MaxRecord() != DefaultLimit {
		t.Errorf("Lines reads records of up to %d bytes", Lines.MaxRecord())
	}
	small := Seq.Limit(1000)
	if small.MaxRecord() != 1000 || small == Seq || small.String() != "seq" {
		t.Errorf("Seq.Limit(1000) is %v with %d", small, small.MaxRecord())
	}
	for _, n := range []int64{0, -1, DefaultLimit} {
		if small.Limit(n) != Seq {
			t.Errorf("Limit(%d) does not give the default back", n)
		}
	}
}

func TestLimitOfAnySize(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		big := object(200 << 10) // longer than SkipError.Head, so that a wrong sum would cut it
		got := readAll(t, f.Limit(math.MaxInt64), strings.NewReader(appended(t, f, big)))
		if len(got) != 2 || got[0].Rec != big {
			t.Errorf("a record of %d bytes is lost under the largest limit", len(big))
		}
	})
}

func TestRecordAtTheLimitFits(t *testing.T) {
	for _, limit := range []int{16, 1000, 5000, HeadSize, HeadSize + 1, 200 << 10} {
		forEach(t, func(t *testing.T, f Framing) {
			f = f.Limit(int64(limit))
			fits, over := object(limit), object(limit+1)
			for how, in := range feeds(appended(t, f, fits, over, fits), 2) {
				got := readAll(t, f, in)
				for i := range got {
					got[i].Pos = Pos{}
				}
				want := []outcome{{Rec: fits}, skip(ErrTooLong, over, 0, 0, 0), {Rec: fits}, eof(0, 0, 0)}
				want[1].Head = over[:min(len(over), HeadSize)]
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("limit %d, %s (-want +got):\n%s", limit, how, diff)
				}
			}
		})
	}
}

func TestErrorsComeAfterCompleteRecords(t *testing.T) {
	broken := errors.New("the cable is out")
	forEach(t, func(t *testing.T, f Framing) {
		data := appended(t, f, `{"a":1}`, `{"b":2}`) + appended(t, f, `{"c":3}`)[:5]
		for how, in := range feeds(data, 3) {
			r := NewReader(io.MultiReader(in, failing{broken}))
			for _, want := range []string{`{"a":1}`, `{"b":2}`} {
				if got, err := f.Read(r); string(got) != want || err != nil {
					t.Errorf("%s: got %q, %v; want %s", how, got, err, want)
				}
			}
			for range 2 {
				if got, err := f.Read(r); got != nil || err != broken {
					t.Errorf("%s: got %q, %v; want the reader's own error", how, got, err)
				}
			}
		}
	})
}

// failing fails with err and must not be asked again.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestReaderThatGivesNothing(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		if _, err := f.Read(NewReader(failing{})); err != io.ErrNoProgress {
			t.Errorf("got %v, want io.ErrNoProgress", err)
		}
	})
}

func TestEmptyInput(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		for _, in := range []string{"", "\xEF\xBB\xBF", " \r\n\n", "\xEF\xBB\xBF\n"} {
			for how, r := range feeds(in, 4) {
				if diff := cmp.Diff([]outcome{eof(0, 0, 0)}, readAll(t, f, r)); diff != "" {
					t.Errorf("%q, %s (-want +got):\n%s", in, how, diff)
				}
			}
		}
	})
}

func TestByteOrderMarkIsDropped(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		for how, in := range feeds("\xEF\xBB\xBF"+appended(t, f, `{"a":1}`, `{"b":2}`), 5) {
			got := readAll(t, f, in)
			if len(got) != 3 || got[0].Rec != `{"a":1}` || got[1].Rec != `{"b":2}` {
				t.Errorf("%s: %+v", how, got)
			}
		}
	})
}

func TestDeliveredWithItsLastByte(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		data := appended(t, f, `{"a":"1"}`)
		if f == Concat {
			data = strings.TrimSuffix(data, "\n") // the LF is not needed to see the end
		}
		r := NewReader(io.MultiReader(strings.NewReader(data), failing{errors.New("Read waits for more")}))
		if got, err := f.Read(r); string(got) != `{"a":"1"}` || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestRecords(t *testing.T) {
	f := Lines.Limit(5)
	seq := f.Records(strings.NewReader("one\ntoo long\ntwo\n\nthree"))
	var got []string
	collect := func(most int) {
		for rec, err := range seq {
			if err != nil {
				rec = []byte(err.Error())
			}
			if got = append(got, string(rec)); len(got) == most {
				return
			}
		}
	}
	collect(1)
	collect(-1) // goes on where the first range stopped
	want := []string{"one", "frame: lines: record 2, line 2, offset 4: skipped 8 bytes: " +
		"the record is longer than the limit of 5 bytes; send less at a time or raise the limit", "two", "three"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRecordsStopAtBadFraming(t *testing.T) {
	var got []string
	for rec, err := range Concat.Records(strings.NewReader("1 2 ]3")) {
		if err != nil {
			rec = []byte(err.Error())
		}
		got = append(got, string(rec))
	}
	want := []string{"1", "2", `frame: concat: record 3, offset 4: stray text "]3" instead of a value; is something printing to stdout?`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestErrorTexts(t *testing.T) {
	at := Pos{Record: 2, Line: 3, Offset: 4}
	long := "\x1b[31mwarning\u202e: this goes on for very much longer than anybody wants"
	for _, c := range []struct {
		err  error
		want string
	}{
		{&SkipError{Framing: Lines, Pos: at, Size: 9, Limit: 8, Err: ErrTooLong},
			"frame: lines: record 2, line 3, offset 4: skipped 9 bytes: the record is longer than the limit of 8 bytes; send less at a time or raise the limit"},
		{&SkipError{Framing: Seq, Pos: Pos{1, 0, 0}, Size: 3, Head: []byte("hi\nyou"), Err: ErrStray},
			`frame: seq: record 1, offset 0: skipped 3 bytes: text outside of any record: "hi"…; is something printing to stdout?`},
		{&SkipError{Framing: Seq, Pos: Pos{1, 0, 1}, Size: 2, Head: []byte("12"), Err: ErrTruncated},
			`frame: seq: record 1, offset 1: skipped 2 bytes: the record may have lost its end: "12"`},
		{&FramingError{Framing: Header, Pos: Pos{1, 0, 0}, Msg: quote([]byte(long))},
			`frame: header: record 1, offset 0: "\x1b[31mwarning\u202e: this goes on for very m"…`},
		{&RefusedError{Framing: Lines, Offset: 7, Err: ErrNewline},
			"frame: lines: record refused: it holds a line feed at byte 7; turn LF outside of strings into spaces and escape it inside them"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
