package recording_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/recording"
)

// A transcript says who wrote what and when.
func ExampleReader_Read() {
	r := recording.NewReader(strings.NewReader(`{"t":0,"dir":"c2s","raw":"{\"id\":1,\"method\":\"ping\"}"}
{"t":1.5,"dir":"s2c","raw":"{\"id\":1,\"result\":{}}"}
{"t":9,"dir":"exit","raw":"0"}
`), nil)
	for {
		rec, err := r.Read()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v %v %q %s\n", rec.Time, rec.From, rec.Process, rec.Raw)
	}
	// Output:
	// 0s client "" {"id":1,"method":"ping"}
	// 1.5ms server "" {"id":1,"result":{}}
	// 9ms unknown "exit" 0
	// EOF
}

// A record that cannot be read costs that record.
func ExampleReader_All() {
	in := strings.NewReader("{\"id\":1}\n{\"id\":2,\"data\":\"much\"}\n{\"id\":3}\n")
	for rec, err := range recording.NewReader(in, &recording.Options{Limit: 10}).All() {
		switch {
		case err != nil:
			fmt.Println("the end:", err)
		case errors.Is(rec.Err, frame.ErrTooLong):
			fmt.Printf("line %d is too long\n", rec.Pos.Line)
		default:
			fmt.Printf("line %d: %s\n", rec.Pos.Line, rec.Raw)
		}
	}
	// Output:
	// line 1: {"id":1}
	// line 2 is too long
	// line 3: {"id":3}
}

// What an input looks like is found by its first bytes.
func ExampleReader_Why() {
	for _, text := range []string{"{\"id\":1}\n", "Content-Length: 8\r\n\r\n{\"id\":1}", "[\n{\"id\":1}\n]"} {
		r := recording.NewReader(strings.NewReader(text), nil)
		fmt.Printf("%v, %v: %s\n", r.Shape(), r.Framing(), r.Why())
	}
	// Output:
	// raw, lines: the first line is a whole JSON value
	// raw, header: the first line is a Content-Length header
	// array, concat: it begins with an array that goes over several lines
}

// The pieces that somebody recorded as they came out of a pipe are joined.
func ExampleOptions_concat() {
	in := strings.NewReader(`{"t":0,"dir":"c2s","raw":"{\"id\":1,\"method\":\"a\"}{\"id\":2,\"met"}
{"t":5,"dir":"c2s","raw":"hod\":\"b\"}"}
`)
	for rec, err := range recording.NewReader(in, &recording.Options{Framing: "concat"}).All() {
		fmt.Println(rec.Time, string(rec.Raw), err)
	}
	// Output:
	// 0s {"id":1,"method":"a"} <nil>
	// 5ms {"id":2,"method":"b"} <nil>
}

// A followed file ends with the context.
func ExampleFollow() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "log.jsonl")
	if err := os.WriteFile(path, []byte("{\"id\":1}\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, err := recording.Follow(ctx, path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = in.Close() }()
	for rec, err := range recording.NewReader(in, nil).All() {
		fmt.Println(string(rec.Raw), err)
		cancel() // without it, the loop waits for more
	}
	// Output: {"id":1} <nil>
}

func ExampleIsProcess() {
	fmt.Println(recording.IsProcess("exit"), recording.IsProcess("my-note"))
	// Output: true false
}
