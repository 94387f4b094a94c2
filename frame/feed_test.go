package frame

import (
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An outcome is what one Read gave, in a form that go-cmp can show.
type outcome struct {
	Rec  string // the record, if Err is empty
	Err  string // the reason of a SkipError, or the text of the error that ended it all
	Size int64  // of a SkipError
	Head string // of a SkipError
	Pos  Pos
}

// rec and skip write down expected outcomes.
func rec(text string, number, line, offset int64) outcome {
	return outcome{Rec: text, Pos: Pos{number, line, offset}}
}

func skip(why error, head string, number, line, offset int64) outcome {
	return outcome{Err: why.Error(), Size: int64(len(head)), Head: head, Pos: Pos{number, line, offset}}
}

// eof is the outcome of a clean end after a last thing at pos.
func eof(number, line, offset int64) outcome {
	return outcome{Err: io.EOF.Error(), Pos: Pos{number, line, offset}}
}

// bad is the outcome of a FramingError, without its text.
func bad(why error, number, offset int64) outcome {
	o := outcome{Err: "bad framing", Pos: Pos{number, 0, offset}}
	if why != nil {
		o.Err += ": " + why.Error()
	}
	return o
}

// readAll reads f until an error ends it, and holds every Read to what is true of
// all of them.
func readAll(t testing.TB, f Framing, in io.Reader) []outcome {
	t.Helper()
	r := NewReader(in)
	var all []outcome
	var owned [][]byte
	for {
		b, err := f.Read(r)
		o := outcome{Rec: string(b), Pos: r.Pos()}
		if err == nil {
			if b == nil || cap(b) != len(b) || int64(len(b)) > f.MaxRecord() {
				t.Fatalf("record %q: nil %v, len %d, cap %d, limit %d", b, b == nil, len(b), cap(b), f.MaxRecord())
			}
			owned = append(owned, b)
			all = append(all, o)
			continue
		}
		if b != nil {
			t.Fatalf("Read gave both a record %q and an error %v", b, err)
		}
		o.Err = err.Error()
		if s, ok := errors.AsType[*SkipError](err); ok {
			if s.Pos != r.Pos() || s.Framing != f || s.Limit != f.MaxRecord() || len(s.Head) > HeadSize || cap(s.Head) != len(s.Head) {
				t.Fatalf("%+v at %v", s, r.Pos())
			}
			o.Err, o.Size, o.Head = s.Err.Error(), s.Size, string(s.Head)
			all = append(all, o)
			continue
		}
		if fe, ok := errors.AsType[*FramingError](err); ok {
			// The text may quote more or less of the input, depending on the cuts.
			o.Err = "bad framing"
			if fe.Err != nil {
				o.Err += ": " + fe.Err.Error()
			}
		}
		if _, again := f.Read(r); again != err {
			t.Fatalf("Read gave %v, and then %v", err, again)
		}
		checkOwned(t, all, owned)
		return append(all, o)
	}
}

// checkOwned fails if a later Read has changed a record that an earlier one gave.
func checkOwned(t testing.TB, all []outcome, owned [][]byte) {
	t.Helper()
	i := 0
	for _, o := range all {
		if o.Err != "" {
			continue
		}
		if string(owned[i]) != o.Rec {
			t.Fatalf("record %q has become %q", o.Rec, owned[i])
		}
		i++
	}
}

// feeds gives the same bytes whole, byte by byte, with the error beside the last
// bytes, and in random cuts.
func feeds(data string, seed uint64) iter.Seq2[string, io.Reader] {
	return func(yield func(string, io.Reader) bool) {
		in := func() io.Reader { return strings.NewReader(data) }
		_ = yield("whole", in()) &&
			yield("byte by byte", iotest.OneByteReader(in())) &&
			yield("error with the data", iotest.DataErrReader(in())) &&
			yield("random cuts", &cutReader{in(), rand.New(rand.NewPCG(seed, 0)), 9}) &&
			yield("random long cuts", &cutReader{in(), rand.New(rand.NewPCG(seed, 1)), 9000})
	}
}

// A cutReader gives up to most bytes at a time, now and then none.
type cutReader struct {
	in   io.Reader
	rand *rand.Rand
	most int
}

func (c *cutReader) Read(p []byte) (int, error) {
	return c.in.Read(p[:min(len(p), c.rand.IntN(c.most+1))])
}

// A readCase is an input and what comes of it, however it is cut.
type readCase struct {
	sentence string
	in       string
	want     []outcome
}

func testRead(t *testing.T, f Framing, cases []readCase) {
	for _, c := range cases {
		t.Run(c.sentence, func(t *testing.T) {
			for how, in := range feeds(c.in, 1) {
				if diff := cmp.Diff(c.want, readAll(t, f, in)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

// A refusal is a record that Append must not take.
type refusal struct {
	sentence string
	rec      string
	want     error
	offset   int
}

func testRefuse(t *testing.T, f Framing, cases []refusal) {
	for _, c := range cases {
		t.Run(c.sentence, func(t *testing.T) {
			dst := []byte("before")
			got, err := f.Append(dst, []byte(c.rec))
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok || refused.Err != c.want || refused.Offset != c.offset {
				t.Errorf("Append(%q) gives %v, want %v at byte %d", c.rec, err, c.want, c.offset)
			}
			if string(got) != "before" {
				t.Errorf("a refused record left %q behind", got)
			}
			if remedies[c.want] == "" || !strings.Contains(err.Error(), remedies[c.want]) {
				t.Errorf("%q does not say what to do", err)
			}
		})
	}
}

// appended returns what f makes of records, which it must accept.
func appended(t testing.TB, f Framing, recs ...string) string {
	t.Helper()
	var b []byte
	for _, r := range recs {
		var err error
		if b, err = f.Append(b, []byte(r)); err != nil {
			t.Fatal(err)
		}
	}
	return string(b)
}

// allocated returns how many bytes do allocates, what it frees again included.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// filler is an endless supply of one byte.
type filler byte

func (f filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f)
	}
	return len(p), nil
}

// of returns n bytes of it.
func (f filler) of(n int64) io.Reader { return io.LimitReader(f, n) }

// all names the framings for tests that hold for each.
var all = []Framing{Lines, Header, Concat, Seq}

func forEach(t *testing.T, do func(t *testing.T, f Framing)) {
	for _, f := range all {
		t.Run(f.String(), func(t *testing.T) { do(t, f) })
	}
}

// object returns a JSON object of exactly size bytes, at least 8.
func object(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
