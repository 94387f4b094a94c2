package recording

import (
	"encoding/json"
	"strings"
	"testing"
)

// endless returns an input of the same record over and over.
func endless(b *testing.B, text string) *repeat {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	return &repeat{text: text}
}

func read(b *testing.B, r *Reader) {
	for b.Loop() {
		if rec, err := r.Read(); err != nil || rec.Err != nil {
			b.Fatal(err, rec.Err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	short := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"path":"/a/b/c"}}}`
	long := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("some words and then\\n", 5000) + `"}`
	for _, size := range []struct{ name, text string }{{"100B", short}, {"100kB", long}} {
		b.Run("lines/"+size.name, func(b *testing.B) {
			read(b, NewReader(endless(b, size.text+"\n"), nil))
		})
		b.Run("transcript/"+size.name, func(b *testing.B) {
			line, err := json.Marshal(struct {
				T   int    `json:"t"`
				Dir string `json:"dir"`
				Raw string `json:"raw"`
			}{12, "c2s", size.text})
			if err != nil {
				b.Fatal(err)
			}
			read(b, NewReader(endless(b, string(line)+"\n"), nil))
		})
		b.Run("array/"+size.name, func(b *testing.B) {
			read(b, NewReader(&prefixed{"[\n", endless(b, size.text+",")}, nil))
		})
	}
}

// prefixed gives text before the rest.
type prefixed struct {
	text string
	rest *repeat
}

func (p *prefixed) Read(b []byte) (int, error) {
	if p.text != "" {
		n := copy(b, p.text)
		p.text = p.text[n:]
		return n, nil
	}
	return p.rest.Read(b)
}
