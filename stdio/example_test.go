//go:build unix

package stdio_test

import (
	"fmt"
	"io"
	"log"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/stdio"
)

// A server that answers every record with itself. It may print what it likes.
func Example() {
	stream, err := stdio.Claim(frame.Lines)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for {
		rec, err := stream.ReadRecord()
		if err == io.EOF {
			return // the peer has closed our stdin: time to go
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("answering", stream.Pos()) // goes to stderr
		if err := stream.WriteRecord(rec); err != nil {
			log.Fatal(err)
		}
	}
}

func ExampleClaim() {
	stream, err := stdio.Claim(frame.Lines)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("this goes to stderr, and not between the records")

	_, again := stdio.Claim(frame.Lines)

	if err := stream.Release(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(again)
	// Output: this process's stdin and stdout are claimed already; Claim them once and share the stream
}

func ExampleStdio_Release() {
	stream, err := stdio.Claim(frame.Lines)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("this goes to stderr")
	err = stream.Release()
	fmt.Println("this goes to stdout:", err)
	// Output: this goes to stdout: <nil>
}

// Close ends the stream. What is printed later still goes to stderr.
func ExampleStdio_Close() {
	stream, err := stdio.Claim(frame.Lines)
	if err != nil {
		log.Fatal(err)
	}
	if err := stream.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("this goes to stderr")
}
