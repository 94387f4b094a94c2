//go:build unix

package spawn_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/spawn"
)

// The simplest server says back what it hears.
func Example() {
	server, err := spawn.Start(spawn.Command{Path: "cat"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	if err := server.WriteRecord([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)); err != nil {
		log.Fatal(err)
	}
	rec, err := server.ReadRecord()
	fmt.Println(string(rec), err)
	// Output: {"jsonrpc":"2.0","id":1,"method":"ping"} <nil>
}

// A program that is not there is refused in words for the one who typed its name.
func ExampleStart() {
	_, err := spawn.Start(spawn.Command{Path: "no-such-server", Args: []string{"--stdio"}})
	fmt.Println(err)
	// Output: cannot start "no-such-server": no such program "no-such-server" in PATH; is it installed?
}

// Variables are added to the environment that the child inherits.
func ExampleCommand() {
	server, err := spawn.Start(spawn.Command{
		Path: "sh",
		Args: []string{"-c", `echo "$API_KEY, and ${PATH:+a PATH}"`},
		Env:  []string{"API_KEY=secret"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	rec, err := server.ReadRecord()
	fmt.Println(string(rec), err)
	// Output: secret, and a PATH <nil>
}

// A server that dies says how, in place of io.EOF.
func ExampleChild_ReadRecord() {
	server, err := spawn.Start(spawn.Command{Path: "sh", Args: []string{"-c", "echo dying >&2; exit 7"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	_, err = server.ReadRecord()
	fmt.Println(err)
	fmt.Println(errors.Is(err, io.EOF))
	if exit, ok := errors.AsType[*spawn.ExitError](err); ok {
		fmt.Println(exit.Code)
	}
	// Output:
	// server "sh" exited with code 7; its stderr ended with: "dying"
	// true
	// 7
}

func ExampleChild_WriteRecord() {
	server, err := spawn.Start(spawn.Command{Path: "cat", Framing: frame.Header})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fmt.Println(server.WriteRecord([]byte("{\n}"))) // Header carries line feeds
	rec, _ := server.ReadRecord()
	fmt.Printf("%q\n", rec)
	// Output:
	// <nil>
	// "{\n}"
}

// WriteRecords puts an envelope around bytes without copying them.
func ExampleChild_WriteRecords() {
	server, err := spawn.Start(spawn.Command{Path: "cat"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	ctx := context.Background()
	params := []byte(`[1,2]`)
	err = server.WriteRecords(ctx, []frame.Record{
		{[]byte(`{"id":1,"params":`), params, []byte(`}`)},
		{[]byte(`{"id":2,"params":`), params, []byte(`}`)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		rec, _ := server.ReadRecord()
		fmt.Println(string(rec))
	}
	// Output:
	// {"id":1,"params":[1,2]}
	// {"id":2,"params":[1,2]}
}

func ExampleChild_Pos() {
	server, err := spawn.Start(spawn.Command{Path: "printf", Args: []string{`1\n\n2\n`}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	server.ReadRecord()
	server.ReadRecord()
	fmt.Println(server.Pos())
	// Output: record 2, line 3, offset 3
}

// To read what a server says at its end, close its stdin first.
func ExampleChild_CloseWrite() {
	server, err := spawn.Start(spawn.Command{Path: "sh", Args: []string{"-c", "cat >/dev/null; echo bye"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	server.CloseWrite()
	rec, err := server.ReadRecord()
	fmt.Println(string(rec), err)
	fmt.Println(server.Wait())
	// Output:
	// bye <nil>
	// <nil>
}

// A server that ignores the end of its stdin is ended by SIGTERM after its grace.
func ExampleChild_Close() {
	server, err := spawn.Start(spawn.Command{Path: "sleep", Args: []string{"60"}, Grace: 50 * time.Millisecond})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(server.Close())
	fmt.Println(server.Wait())
	// Output:
	// <nil>
	// server "sleep" was ended by SIGTERM
}

func ExampleChild_Wait() {
	server, err := spawn.Start(spawn.Command{Path: "sh", Args: []string{"-c", "exit 3"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fmt.Println(server.Wait())
	// Output: server "sh" exited with code 3
}

func ExampleChild_Done() {
	server, err := spawn.Start(spawn.Command{Path: "true"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	select {
	case <-server.Done():
		fmt.Println("ended")
	case <-time.After(10 * time.Second):
		fmt.Println("still running")
	}
	// Output: ended
}

func ExampleChild_Signal() {
	server, err := spawn.Start(spawn.Command{Path: "cat"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fmt.Println(server.Signal(os.Kill))
	fmt.Println(server.Wait())
	// Output:
	// <nil>
	// server "cat" was ended by SIGKILL
}

func ExampleChild_Pid() {
	server, err := spawn.Start(spawn.Command{Path: "sh", Args: []string{"-c", "echo $$"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	rec, _ := server.ReadRecord()
	fmt.Println(string(rec) == fmt.Sprint(server.Pid()))
	// Output: true
}

func ExampleChild_Tail() {
	server, err := spawn.Start(spawn.Command{
		Path: "sh",
		Args: []string{"-c", "echo reading the config >&2; echo ready >&2"},
		Tail: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	server.Wait()
	fmt.Printf("%q\n", server.Tail())
	// Output: "ready\n"
}
