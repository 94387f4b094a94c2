package frame_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parley-rpc/parley/frame"
)

// The same record in each of the four framings.
func ExampleFraming_Append() {
	for _, f := range []frame.Framing{frame.Lines, frame.Header, frame.Concat, frame.Seq} {
		b, err := f.Append(nil, []byte(`{"id":1}`))
		fmt.Printf("%-6v %q %v\n", f, b, err)
	}
	// A record that the framing cannot carry is refused before it does harm.
	_, err := frame.Lines.Append(nil, []byte("{\n}"))
	fmt.Println(err)
	// Output:
	// lines  "{\"id\":1}\n" <nil>
	// header "Content-Length: 8\r\n\r\n{\"id\":1}" <nil>
	// concat "{\"id\":1}\n" <nil>
	// seq    "\x1e{\"id\":1}\n" <nil>
	// frame: lines: record refused: it holds a line feed at byte 1; turn LF outside of strings into spaces and escape it inside them
}

func ExampleFraming_Read() {
	r := frame.NewReader(strings.NewReader("{\"id\":1}\r\n\n{\"id\":2}"))
	for {
		rec, err := frame.Lines.Read(r)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s at %v\n", rec, r.Pos())
	}
	// Output:
	// {"id":1} at record 1, line 1, offset 0
	// {"id":2} at record 2, line 3, offset 11
	// EOF
}

// A line over the limit costs one line.
func ExampleFraming_Records() {
	in := strings.NewReader("short\n" + strings.Repeat("long ", 1000) + "\nshort again\n")
	for rec, err := range frame.Lines.Limit(100).Records(in) {
		if skipped, ok := errors.AsType[*frame.SkipError](err); ok {
			fmt.Printf("skipped %d bytes at line %d: %v\n", skipped.Size, skipped.Pos.Line, skipped.Err)
			continue
		}
		fmt.Printf("%s %v\n", rec, err)
	}
	// Output:
	// short <nil>
	// skipped 5000 bytes at line 2: the record is longer than the limit
	// short again <nil>
}

func ExampleFraming_Limit() {
	f := frame.Lines.Limit(1 << 20)
	fmt.Println(f, f.MaxRecord(), f == frame.Lines, f.Limit(0) == frame.Lines)
	// Output: lines 1048576 false true
}

func ExampleFraming_Stream() {
	s := frame.Lines.Stream(strings.NewReader("ping\n"), os.Stdout)
	rec, _ := s.ReadRecord()
	_ = s.WriteRecord([]byte("pong to " + string(rec)))
	// Output: pong to ping
}

// A caller can put an envelope around bytes without copying them.
func ExampleManyWriter() {
	s := frame.Lines.Stream(nil, os.Stdout).(frame.ManyWriter)
	result := []byte(`[1,2,3]`)
	_ = s.WriteRecords(context.Background(), []frame.Record{
		{[]byte(`{"id":1,"result":`), result, []byte(`}`)},
		{[]byte(`{"id":2,"result":`), result, []byte(`}`)},
	})
	// Output:
	// {"id":1,"result":[1,2,3]}
	// {"id":2,"result":[1,2,3]}
}

func ExamplePositioner() {
	s := frame.Concat.Stream(strings.NewReader(`{"a":1} [2]`), nil)
	for range 2 {
		rec, _ := s.ReadRecord()
		fmt.Printf("%s at %v\n", rec, s.(frame.Positioner).Pos())
	}
	// Output:
	// {"a":1} at record 1, offset 0
	// [2] at record 2, offset 8
}

func ExampleByName() {
	f, err := frame.ByName("seq")
	fmt.Println(f, err)
	_, err = frame.ByName("ndjson")
	fmt.Println(err)
	// Output:
	// seq <nil>
	// frame: no framing is called "ndjson"; use one of lines, header, concat, seq
}

// Two peers in one process.
func ExamplePipe() {
	a, b := frame.Pipe()
	here, there := frame.Header.Stream(a, a), frame.Header.Stream(b, b)
	_ = here.WriteRecord([]byte("hello"))
	_ = here.Close()
	rec, err := there.ReadRecord()
	fmt.Printf("%s %v\n", rec, err)
	_, err = there.ReadRecord()
	fmt.Println(err)
	// Output:
	// hello <nil>
	// EOF
}

// A small pipe shows what a peer does that is not read from.
func ExampleNewPipe() {
	a, b := frame.NewPipe(4)
	go func() {
		_, _ = a.Write([]byte("more than fits"))
		_ = a.Close()
	}()
	text, _ := io.ReadAll(b)
	fmt.Println(string(text))
	// Output: more than fits
}

// The other end can answer what came before the end of its input.
func ExamplePipeEnd_CloseWrite() {
	a, b := frame.Pipe()
	_, _ = a.Write([]byte("question"))
	_ = a.CloseWrite()
	text, _ := io.ReadAll(b)
	_, _ = b.Write([]byte("answer to " + string(text)))
	_ = b.Close()
	text, _ = io.ReadAll(a)
	fmt.Println(string(text))
	// Output: answer to question
}

// Bad framing has no point to resume at.
func ExampleFramingError() {
	for _, err := range frame.Header.Records(strings.NewReader("Server is ready\n")) {
		fmt.Println(err)
	}
	// Output: frame: header: record 1, offset 0: stray text "Server is ready" instead of a header; is something printing to stdout?
}
