package stream_test

import (
	"fmt"
	"strings"

	"github.com/parley-rpc/parley/dialect/stream"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A log is counted by its levels.
func Example() {
	log := `{"level":"info","msg":"up"}
{"level":"warn","msg":"slow"}
{"level":"info","msg":"down"}
`
	count := map[string]int{}
	for rec := range frame.Lines.Records(strings.NewReader(log)) {
		if m, err := stream.Codec.Parse(rec); err == nil {
			count[m.(*message.Request).Method]++
		}
	}
	fmt.Println(count)
	// Output: map[info:2 warn:1]
}

func ExampleCodec() {
	m, _ := stream.Codec.Parse([]byte(`{"type":"saved","bytes":1.50}`))
	note := m.(*message.Request)
	fmt.Println(note.Method, note.Params)
	// Output: saved {"type":"saved","bytes":1.50}
}
