package frame

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// An offered reader notes the smallest buffer that it was offered.
type offered struct {
	in    io.Reader
	least int
	reads int
}

func (o *offered) Read(p []byte) (int, error) {
	if o.reads++; o.reads > len(bom) { // the look for a byte order mark keeps what it has seen
		o.least = min(o.least, len(p))
	}
	return o.in.Read(p)
}

// A framing that left bytes in the buffer to look at them again with the next ones
// would offer less than the whole buffer. That each read is offered all of it shows
// that every byte is looked at once, however small the pieces.
func TestEveryByteIsLookedAtOnce(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		const size = 1 << 20
		in := &offered{in: iotest.OneByteReader(strings.NewReader(appended(t, f, object(size), "{}"))), least: largeBuffer}
		var got []outcome
		spent := allocated(func() {
			for rec := range f.Records(in) {
				got = append(got, outcome{Size: int64(len(rec))})
			}
		})
		if len(got) != 2 || got[0].Size != size || got[1].Size != 2 {
			t.Fatalf("got %+v", got)
		}
		if in.reads < size {
			t.Fatalf("%d reads are not byte by byte", in.reads)
		}
		if in.least != smallBuffer {
			t.Errorf("a read was offered %d bytes of a buffer of %d", in.least, smallBuffer)
		}
		// Copying the record anew each time it grows would cost a multiple of this.
		if most := int64(2*size + pieceSize + largeBuffer); spent > most {
			t.Errorf("%d bytes were allocated for a record of %d", spent, size)
		}
	})
}

func TestMemoryOfALargeRecord(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		for _, size := range []int{5 << 10, 100_000, 1<<20 + 1, 10 << 20} {
			data := appended(t, f, object(size))
			in := NewReader(strings.NewReader(data))
			var got []byte
			spent := allocated(func() { got, _ = f.Read(in) })
			if len(got) != size {
				t.Fatalf("%d of %d bytes came", len(got), size)
			}
			most := int64(2*size + pieceSize + smallBuffer + largeBuffer)
			if f == Header {
				most += int64(size) // doubling frees as it goes; two thirds live at once
			}
			if spent > most {
				t.Errorf("%d bytes were allocated for a record of %d, at most %d are allowed", spent, size, most)
			}
		}
	})
}

func TestSmallRecordIsOneAllocation(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		record := appended(t, f, `{"jsonrpc":"2.0","id":1,"method":"echo"}`)
		r := NewReader(strings.NewReader(strings.Repeat(record, 1002)))
		read := func() {
			if _, err := f.Read(r); err != nil {
				t.Fatal(err)
			}
		}
		read() // makes the buffer
		// Where the buffer ends inside of a record, that costs some more.
		if got := testing.AllocsPerRun(1000, read); got > 1 {
			t.Errorf("%v allocations for a record", got)
		}
	})
}

// inkbox-ai/claude-code-plugin#11: a hostile peer that sends no boundary must not
// cost more than the limit, and the connection must live on.
func TestSkippingIsBounded(t *testing.T) {
	over := map[Framing]func(size int64) io.Reader{
		Lines: func(n int64) io.Reader { return io.MultiReader(filler('x').of(n), strings.NewReader("\n")) },
		Concat: func(n int64) io.Reader {
			return io.MultiReader(strings.NewReader(`"`), filler('x').of(n-2), strings.NewReader(`"`))
		},
		Seq: func(n int64) io.Reader {
			return io.MultiReader(strings.NewReader("\x1e\""), filler('x').of(n-2), strings.NewReader("\"\n"))
		},
		Header: func(n int64) io.Reader {
			b := appendHeader(nil, int(n), nil)
			return io.MultiReader(strings.NewReader(string(b)), filler('x').of(n))
		},
	}
	for _, c := range []struct {
		sentence    string
		limit, size int64
	}{
		{"one byte over the default limit", DefaultLimit, DefaultLimit + 1},
		{"far over a small limit", 1 << 20, 40 << 20},
		{"over a limit that is smaller than the head", 100, 10 << 20},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			forEach(t, func(t *testing.T, f Framing) {
				in := NewReader(io.MultiReader(over[f](c.size), strings.NewReader(appended(t, f, "{}"))))
				f = f.Limit(c.limit)
				var err, nextErr error
				var next []byte
				spent := allocated(func() {
					_, err = f.Read(in)
					next, nextErr = f.Read(in)
				})
				skipped, ok := errors.AsType[*SkipError](err)
				if !ok || !errors.Is(err, ErrTooLong) || skipped.Size != c.size || len(skipped.Head) != HeadSize {
					t.Fatalf("got %v", err)
				}
				if string(next) != "{}" || nextErr != nil {
					t.Errorf("then got %q, %v", next, nextErr)
				}
				if most := c.limit + c.limit/100 + 8*pieceSize; spent > most {
					t.Errorf("%d bytes were allocated, at most %d are allowed", spent, most)
				}
			})
		})
	}
}
