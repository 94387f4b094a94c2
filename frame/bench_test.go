package frame

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// again gives the same bytes over and over.
type again struct {
	data []byte
	at   int
}

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.data[a.at:])
	a.at = (a.at + n) % len(a.data)
	return n, nil
}

// sizes are those of a short call, a tool's result, and a file.
var sizes = []struct {
	name string
	size int
}{{"100B", 100}, {"10kB", 10_000}, {"1MB", 1_000_000}}

func BenchmarkRead(b *testing.B) {
	for _, f := range all {
		for _, s := range sizes {
			b.Run(f.String()+"/"+s.name, func(b *testing.B) {
				record := appended(b, f, object(s.size))
				r := NewReader(&again{data: []byte(strings.Repeat(record, 10))})
				b.SetBytes(int64(len(record)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := f.Read(r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, f := range all {
		for _, s := range sizes {
			b.Run(f.String()+"/"+s.name, func(b *testing.B) {
				record := []byte(object(s.size))
				var dst []byte
				b.SetBytes(int64(s.size))
				b.ReportAllocs()
				for b.Loop() {
					var err error
					if dst, err = f.Append(dst[:0], record); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkWriteRecords(b *testing.B) {
	s := Lines.Stream(nil, io.Discard).(ManyWriter)
	recs := bytes.Split(bytes.Repeat([]byte(object(100)+"\n"), 16), []byte("\n"))[:16]
	many := make([]Record, len(recs))
	for i, rec := range recs {
		many[i] = Record{rec[:50], rec[50:]}
	}
	b.SetBytes(int64(len(recs) * 101))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.WriteRecords(b.Context(), many); err != nil {
			b.Fatal(err)
		}
	}
}
