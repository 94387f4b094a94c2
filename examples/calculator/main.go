// Calculator is a server with typed methods, and a client that runs it as a child.
//
// The protocol is a table of constants: each has Handle for the side that answers and
// Call for the side that asks, with the same types. stdio.Claim takes stdin and stdout
// for records, so that a stray print does no harm: it comes out on stderr.
//
//	go run ./examples/calculator
//	echo '{"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}' | go run ./examples/calculator serve
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
	"github.com/parley-rpc/parley/stdio"
)

const add, divide parley.Method[[2]float64, float64] = "add", "divide"

func main() {
	ctx := context.Background()
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		stream, err := stdio.Claim(frame.Lines)
		check(err)
		fmt.Println("the calculator is ready")
		check(parley.Serve(ctx, stream, calculator.Handle, nil))
		return
	}
	child, err := spawn.Start(spawn.Command{Path: os.Args[0], Args: []string{"serve"}, Stderr: os.Stderr})
	check(err)
	c := parley.Connect(child, nil, nil)
	sum, err := add.Call(ctx, c, [2]float64{3, 5})
	check(err)
	fmt.Println("3 + 5 =", sum)
	_, err = divide.Call(ctx, c, [2]float64{3, 0})
	fmt.Println("3 / 0:", err)
	check(c.Close())
}

var calculator = parley.NewMux(
	add.Handle(func(_ context.Context, n [2]float64) (float64, error) { return n[0] + n[1], nil }),
	divide.Handle(func(_ context.Context, n [2]float64) (float64, error) {
		if n[1] == 0 {
			return 0, message.NewError(1, "division by zero")
		}
		return n[0] / n[1], nil
	}))

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
