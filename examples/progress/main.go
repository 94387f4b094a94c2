// Progress shows a handler that reports while it works, and a caller that sees each
// report before the result.
//
// The handler says parley.Progress(ctx, …) and need not know in which words that is
// sent; the caller asks for it with parley.OnProgress. Reports come in order and all
// before Call returns.
//
//	go run ./examples/progress
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

const brew parley.Method[[]string, string] = "brew"

func main() {
	server := parley.NewMux(brew.Handle(func(ctx context.Context, steps []string) (string, error) {
		for _, step := range steps {
			if err := parley.Progress(ctx, step); err != nil {
				return "", err
			}
		}
		return "tea", nil
	}))
	near, far := frame.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- parley.Serve(context.Background(), frame.Lines.Stream(far, far), server.Handle, nil)
	}()

	c := parley.Connect(frame.Lines.Stream(near, near), nil, nil)
	ctx := parley.OnProgress(context.Background(), func(value message.Raw) { fmt.Println("progress:", value) })
	result, err := brew.Call(ctx, c, []string{"boil water", "warm the pot", "wait four minutes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("result:", result)

	// Closing our end is the end of the server's input, at which it ends by itself.
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
	if err := <-served; err != nil {
		log.Fatal(err)
	}
}
