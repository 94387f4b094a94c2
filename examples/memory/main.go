// Memory talks to a server without any process: two buffers are its stdin and stdout.
// Serve answers until its input ends. Then the client's half reads the replies, and
// finds each by its id: calls run side by side, so that they come in any order.
//
//	go run ./examples/memory
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

const add, multiply parley.Method[[2]int, int] = "add", "multiply"

var requests = []*message.Request{
	{ID: message.IntID(1), Method: "add", Params: message.Raw(`[3,5]`)},
	{Method: "note", Params: message.Raw(`["nobody answers this"]`)},
	{ID: message.StringID("two"), Method: "multiply", Params: message.Raw(`[6,7]`)},
	{ID: message.IntID(3), Method: "subtract", Params: message.Raw(`[8,5]`)},
}

func main() {
	var stdin, stdout bytes.Buffer
	client := frame.Lines.Stream(&stdout, &stdin)
	for _, req := range requests {
		rec, err := message.Strict.Append(nil, req)
		check(errors.Join(err, client.WriteRecord(rec)))
		fmt.Println("→", string(rec))
	}

	server := parley.NewMux(
		add.Handle(func(_ context.Context, n [2]int) (int, error) { return n[0] + n[1], nil }),
		multiply.Handle(func(_ context.Context, n [2]int) (int, error) { return n[0] * n[1], nil }))
	check(parley.Serve(context.Background(), frame.Lines.Stream(&stdin, &stdout), server.Handle, nil))

	replies := map[message.ID]string{{}: "nothing, for the note has no id"}
	for rec, err := range frame.Lines.Records(&stdout) {
		check(err)
		reply, err := message.Strict.Parse(rec)
		check(err)
		replies[reply.(*message.Response).ID] = string(rec)
	}
	for _, req := range requests {
		fmt.Println("←", replies[req.ID])
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
