//go:build unix

package toolbox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/toolbox"
)

const greeting = `
tools:
  - name: greet
    description: Greets somebody
    input: { who: { type: string, minLength: 1 } }
    run: [echo, "Hello, {who}"]
`

// file makes a file of tools, and what removes it.
func file(text string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "toolbox")
	if err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "tools.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// The tools of a file answer as plain methods by their names.
func ExampleBox_Handle() {
	path, remove := file(greeting)
	defer remove()
	box, err := toolbox.Load(path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close()

	ctx := context.Background()
	here, there := frame.NewPipe(0)
	server := parley.Connect(frame.Lines.Stream(there, there), box.Handle, nil)
	defer server.Close()
	client := parley.Connect(frame.Lines.Stream(here, here), nil, nil)
	defer client.Close()
	var said string
	err = client.Call(ctx, "greet", map[string]string{"who": "$(whoami)"}, &said)
	fmt.Print(said, err, "\n")
	err = client.Call(ctx, "greet", map[string]string{"who": ""}, &said)
	fmt.Println(errors.Is(err, message.InvalidParams))
	// Output:
	// Hello, $(whoami)
	// <nil>
	// true
}

// Every fault of a file comes with its place.
func ExampleLoad() {
	path, remove := file("tools:\n  - name: a b\n    run: [cat, '{file}']\n")
	defer remove()
	_, err := toolbox.Load(path, nil)
	if faults, ok := errors.AsType[toolbox.Faults](err); ok {
		for _, f := range faults {
			fmt.Printf("line %d, column %d: %s\n", f.Line, f.Column, f.Text)
		}
	}
	// Output:
	// line 2, column 11: the name of a tool has 1 to 128 letters, digits, _, . and -
	// line 3, column 16: there is no input file for the placeholder {file}
}

// An MCP server serves the tools of a file, and follows the file.
func ExampleBox_Watch() {
	path, remove := file(greeting)
	defer remove()
	box, err := toolbox.Load(path, &toolbox.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close()
	server := mcp.NewServer(nil, mcp.Info{Name: "tools", Version: "1", Plain: box.Handle})
	if err := server.SetTools(box.Tools()); err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	told := make(chan error)
	go box.Watch(ctx, func(err error) {
		if err == nil {
			err = server.SetTools(box.Tools())
		}
		told <- err
	})
	err = os.WriteFile(path, []byte(greeting+"  - { name: now, run: [date] }\n"), 0o600)
	fmt.Println(err, <-told)
	stop()
	for _, tool := range box.Tools() {
		fmt.Println(tool.Tool.Name)
	}
	// Output:
	// <nil> <nil>
	// greet
	// now
}
