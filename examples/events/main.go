// Events streams JSON lines between a parent and its child: one line in, many out.
//
// Nothing here is a call. A line has a type and no id, so it is owed nothing: the
// parent does not wait for an answer but reads until the child's output ends. Each line
// is there as soon as its newline is.
//
//	go run ./examples/events
package main

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

type event struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "agent" {
		parent := frame.Lines.Stream(os.Stdin, os.Stdout)
		_, err := parent.ReadRecord()
		check(err)
		for _, e := range []event{{"progress", "reading"}, {"output", "README.md"}, {"output", "main.go"}, {"done", ""}} {
			send(parent, e)
		}
		return
	}
	child, err := spawn.Start(spawn.Command{Path: os.Args[0], Args: []string{"agent"}, Stderr: os.Stderr})
	check(err)
	send(child, event{"user", "列出当前目录"})
	check(child.CloseWrite()) // we have no more to say; the child still has
	for err == nil {
		var rec []byte
		if rec, err = child.ReadRecord(); err == nil {
			fmt.Printf("← %s\n", rec)
		}
	}
	check(child.Close())
	fmt.Println("the child ended its output:", err)
}

func send(stream frame.Stream, e event) {
	rec, err := message.Encode(e)
	check(errors.Join(err, stream.WriteRecord(rec)))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
