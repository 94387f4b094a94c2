// Callback shows a server that asks its client before it answers.
//
// Both sides of a connection are equal. The handler of tidy gets the connection from
// its ctx and calls the client back on it, once for each file, while the client waits
// for tidy. Neither blocks the other: replies never wait for a handler.
//
//	go run ./examples/callback
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

const (
	tidy    parley.Method[[]string, []string] = "tidy"    // client to server: which files are gone?
	confirm parley.Method[[]string, bool]     = "confirm" // server to client: may this one go?
)

func main() {
	server := parley.NewMux(tidy.Handle(func(ctx context.Context, files []string) (gone []string, err error) {
		for _, file := range files {
			yes, err := confirm.Call(ctx, parley.Caller(ctx), []string{file})
			if err != nil {
				return nil, err
			}
			if yes {
				gone = append(gone, file)
			}
		}
		return gone, nil
	}))
	client := parley.NewMux(confirm.Handle(func(_ context.Context, file []string) (bool, error) {
		yes := strings.HasSuffix(file[0], ".tmp")
		fmt.Printf("the server asks: delete %s? %v\n", file[0], yes)
		return yes, nil
	}))

	near, far := frame.Pipe()
	go func() { _ = parley.Serve(context.Background(), frame.Lines.Stream(far, far), server.Handle, nil) }()
	c := parley.Connect(frame.Lines.Stream(near, near), client.Handle, nil)
	gone, err := tidy.Call(context.Background(), c, []string{"a.tmp", "notes.txt", "b.tmp"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the server has deleted:", strings.Join(gone, ", "))
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}
