package message

import (
	"fmt"
	"strings"
	"testing"
)

const (
	smallRequest  = `{"jsonrpc":"2.0","id":12345,"method":"textDocument/hover","params":{"line":12,"character":5}}`
	smallResponse = `{"jsonrpc":"2.0","id":12345,"result":{"contents":"hello","n":[1,2,3]}}`
)

// A scan costs no memory, whatever it finds, and the message of a small record costs
// next to none.
func TestAllocations(t *testing.T) {
	scan := func(rec string) float64 {
		text := []byte(rec)
		return testing.AllocsPerRun(100, func() {
			s := scanner{text: text}
			var e envelope
			if s.peek() == '{' {
				s.object(&e, maxDepth-1)
			} else {
				s.value(maxDepth)
			}
		})
	}
	for rule, rec := range map[string]string{
		"a small request":        smallRequest,
		"a deep value":           nested(5_000),
		"a value that is deeper": nested(20_000),
		"escapes in names":       `{"\u006dethod":"m","\u0069d":"\u0069d","\u0061\u0061":1}`,
		"text that is not ASCII": `{"a":"日本語 é 😀"}`,
		"a fault":                `{"a":"\x"}`,
		"four extra members":     `{"a":1,"b":2,"c":3,"d":4,"id":1}`,
	} {
		if allocs := scan(rec); allocs != 0 {
			t.Errorf("%s: %v allocations, want 0", rule, allocs)
		}
	}
	parse := map[string]float64{
		smallRequest:                            2, // the Request and its method
		smallResponse:                           1,
		`{"jsonrpc":"2.0","id":"a","result":1}`: 2, // and the id
	}
	for rec, want := range parse {
		text := []byte(rec)
		if allocs := testing.AllocsPerRun(100, func() { Strict.Parse(text) }); allocs > want {
			t.Errorf("Parse(%s): %v allocations, want at most %v", rec, allocs, want)
		}
	}
	dst := make([]byte, 0, 1024)
	r := parseRequest(t, Strict, smallRequest)
	if allocs := testing.AllocsPerRun(100, func() { Strict.Append(dst, r) }); allocs != 0 {
		t.Errorf("Append: %v allocations, want 0", allocs)
	}
	prefix := []byte(smallRequest[:len(smallRequest)-5])
	if allocs := testing.AllocsPerRun(100, func() { Peek(prefix) }); allocs != 0 {
		t.Errorf("Peek: %v allocations, want 0", allocs)
	}
}

func BenchmarkParse(b *testing.B) {
	result := func(value string) string { return `{"jsonrpc":"2.0","id":1,"result":` + value + `}` }
	records := []struct{ name, rec string }{
		{"small request", smallRequest},
		{"small response", smallResponse},
		{"note", `{"jsonrpc":"2.0","method":"n"}`},
		{"64 KiB ASCII", result(`"` + strings.Repeat("The quick brown fox. ", 3_000) + `"`)},
		{"64 KiB escapes", result(`"` + strings.Repeat(`a line of text\n\t\"quoted\" `, 2_200) + `"`)},
		{"64 KiB CJK", result(`"` + strings.Repeat("日本語のテキスト", 2_700) + `"`)},
		{"64 KiB numbers", result(`[` + strings.Repeat(`12345,-1.5e3,`, 5_000) + `0]`)},
		{"64 KiB objects", result(`[` + strings.Repeat(`{"name":"x","ok":true,"list":[1,{}]},`, 1_700) + `0]`)},
		{"batch of 100", `[` + strings.Repeat(smallRequest+",", 99) + smallRequest + `]`},
		{"deep", result(nested(5_000))},
	}
	for _, r := range records {
		b.Run(r.name, func(b *testing.B) {
			text := []byte(r.rec)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Strict.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	r := parseRequest(b, Strict, smallRequest)
	dst := make([]byte, 0, 1024)
	b.SetBytes(int64(len(smallRequest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Strict.Append(dst, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	type params struct {
		Name string   `json:"name"`
		List []int    `json:"list"`
		Raw  Raw      `json:"raw"`
		Any  any      `json:"any"`
		Tags []string `json:"tags"`
	}
	v := params{"x", []int{1, 2, 3}, Raw(`{"a":1}`), map[string]any{"k": 1.5}, []string{"a", "b"}}
	for _, value := range []any{v.List, v} {
		b.Run(fmt.Sprintf("%.20T", value), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
