package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
)

// BenchmarkSmall is a conversation of small calls, answers and notes, 16 calls open at
// any time: what explain does for each record but for printing it.
func BenchmarkSmall(b *testing.B) {
	const window = 16
	var records []ledger.Record
	for i := range 10_000 {
		records = append(records,
			ledger.Record{At: time.Duration(i), From: parley.SideClient, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}`, i)},
			ledger.Record{At: time.Duration(i), From: parley.SideServer, Raw: []byte(`{"jsonrpc":"2.0","method":"item/delta","params":{"text":"abc"}}`)})
		if i >= window {
			records = append(records, ledger.Record{At: time.Duration(i), From: parley.SideServer,
				Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"sum":3}}`, i-window)})
		}
	}
	size := 0
	for _, r := range records {
		size += len(r.Raw)
	}
	b.SetBytes(int64(size / len(records)))
	b.ReportAllocs()
	l := ledger.New(nil)
	i := 0
	for b.Loop() {
		if i == len(records) {
			i, l = 0, ledger.New(nil)
		}
		e := l.Add(records[i])
		if e.Why() == "" {
			b.Fatal("an entry without a reason")
		}
		i++
	}
}

// Benchmark100K is the same with records of 100 KiB: one long string, and many numbers.
func Benchmark100K(b *testing.B) {
	for name, value := range map[string]string{
		"string":  `"` + strings.Repeat("0123456789 abcd ", 100<<10/16) + `"`,
		"objects": `[` + strings.TrimSuffix(strings.Repeat(`{"line":12,"text":"some words"},`, 100<<10/32), ",") + `]`,
	} {
		b.Run(name, func(b *testing.B) {
			call := []byte(`{"jsonrpc":"2.0","id":1,"method":"write","params":{"value":` + value + `}}`)
			reply := []byte(`{"jsonrpc":"2.0","id":1,"result":` + value + `}`)
			b.SetBytes(int64(len(call) + len(reply)))
			l := ledger.New(nil)
			for b.Loop() {
				l.Add(ledger.Record{From: parley.SideClient, Raw: call})
				l.Add(ledger.Record{From: parley.SideServer, Raw: reply})
			}
		})
	}
}
