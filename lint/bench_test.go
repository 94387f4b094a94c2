package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// small are the records of a talk between two programs: a request, a note and an answer
// in turn, all in order.
func small() (records [][]byte) {
	for i := range 1000 {
		records = append(records,
			fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add","arguments":{"a":%d,"b":2}}}`, i, i),
			[]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"working"}}`),
			fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%d"}]}}`, i, i+2),
		)
	}
	return records
}

// large are requests and answers of 100 KiB: of long text, and of many small members.
func large() [][]byte {
	text := strings.Repeat("all work and no play, ", 100<<10/22)
	members := strings.TrimSuffix(strings.Repeat(`{"name":"a","value":12345,"on":true},`, 100<<10/37), ",")
	return [][]byte{
		[]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"text":"` + text + `"}}}`),
		[]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"list":[` + members + `]}}}`),
	}
}

// bench lints the records over and over, or only gives them to a ledger, which is the
// bound: lint does that too, and may take twice as long.
func bench(b *testing.B, records [][]byte, alone bool) {
	d, err := dialect.Lookup("mcp")
	if err != nil {
		b.Fatal(err)
	}
	size := int64(0)
	for _, rec := range records {
		size += int64(len(rec))
	}
	b.SetBytes(size / int64(len(records)))
	b.ReportAllocs()
	book := ledger.New(&ledger.Options{Dialect: &d})
	l := lint.New(&lint.Options{Dialect: &d})
	n := 0
	for b.Loop() {
		rec := records[n%len(records)]
		n++
		if alone {
			book.Add(ledger.Record{At: ledger.Untimed, Raw: rec})
			continue
		}
		l.Record(recording.Record{Raw: rec, Pos: frame.Pos{Record: int64(n), Line: int64(n)}})
	}
}

func BenchmarkSmall(b *testing.B)       { bench(b, small(), false) }
func BenchmarkSmallLedger(b *testing.B) { bench(b, small(), true) }
func Benchmark100K(b *testing.B)        { bench(b, large(), false) }
func Benchmark100KLedger(b *testing.B)  { bench(b, large(), true) }
