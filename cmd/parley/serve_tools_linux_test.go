package main

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// conversation is a server of tools that a test talks to line by line.
type conversation struct {
	*tool
	send  func(line string)
	lines *bufio.Scanner // of its stdout
}

// serveFile starts a server of a file of tools, which stands in the folder of the run.
func serveFile(t *testing.T, file string) *conversation {
	t.Helper()
	c := &conversation{tool: newTool(t, "serve", "--tools", "tools.yaml", "--framing", "lines")}
	c.write(file)
	c.Stdout = nil
	said, err := os.Create(filepath.Join(c.Dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	c.Stderr = said
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	c.send = func(line string) {
		t.Helper()
		if _, err := in.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(2*awaited, func() { _ = c.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = c.Process.Kill() // ended already, in a test that passes
		_ = c.Wait()
	})
	return c
}

// write replaces the file of tools as an editor does.
func (c *conversation) write(file string) {
	c.t.Helper()
	next := filepath.Join(c.Dir, "next")
	if err := os.WriteFile(next, []byte(file), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(c.Dir, "tools.yaml")); err != nil {
		c.t.Fatal(err)
	}
}

// until reads lines until one holds the text, and returns that.
func (c *conversation) until(text string) string {
	c.t.Helper()
	for c.lines.Scan() {
		if strings.Contains(c.lines.Text(), text) {
			return c.lines.Text()
		}
	}
	c.t.Fatalf("the output ended before %q; stderr: %s", text, c.said())
	return ""
}

// pids waits for the ids of the processes that the tool waits leaves.
func (c *conversation) pids() (pids []int) {
	c.t.Helper()
	await(c.t, "the tool to start", func() bool {
		text, _ := os.ReadFile(filepath.Join(c.Dir, "pids"))
		pids = nil
		for word := range strings.FieldsSeq(string(text)) {
			pid, _ := strconv.Atoi(word)
			pids = append(pids, pid)
		}
		return strings.HasSuffix(string(text), "\n")
	})
	return pids
}

// gone waits until none of the processes runs.
func (c *conversation) gone(pids []int) {
	c.t.Helper()
	await(c.t, "the processes of the tool to end", func() bool { return !slices.ContainsFunc(pids, runs) })
}

// said is what the server has written to stderr so far.
func (c *conversation) said() string {
	text, _ := os.ReadFile(filepath.Join(c.Dir, "stderr"))
	return string(text)
}

const (
	legacyHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}`

	// waits runs on, with a process of its own, until a file lets it go.
	waits = `
  - name: waits
    run: [sh, -c, 'sleep 600 & echo $$ $! >pids; while [ ! -e go ]; do sleep 0.01; done; kill $!; echo went']
`
)

// A change of the file is told, and the call that runs meanwhile is answered by the tool
// that it began with. A bad file changes nothing, and its faults go to stderr.
func TestToolsAreReloaded(t *testing.T) {
	t.Parallel()
	c := serveFile(t, "tools:"+waits)
	c.send(legacyHello)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits"}}`)
	pids := c.pids()

	c.write("tools:\n  - {name: new, run: [echo, new]}\n")
	c.until(`"method":"notifications/tools/list_changed"`)
	c.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	if list := c.until(`"id":3`); !strings.Contains(list, `"name":"new"`) || strings.Contains(list, "waits") {
		t.Errorf("the list is %s", list)
	}

	c.write("tools:\n  - {name: new, run: [echo, newer]}\n  - {nam: bad}\n")
	await(t, "the faults to be told", func() bool { return strings.Contains(c.said(), "the tools stay as they were") })
	if said := c.said(); !strings.Contains(said, `parley: tools.yaml:3:6: a tool has no key "nam"`) {
		t.Errorf("stderr has %s", said)
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"new"}`)
	if got := c.until(`"id":4`); !strings.Contains(got, `"new\n"`) {
		t.Errorf("got %s", got)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.until(`"id":2`); !strings.Contains(got, `"went\n"`) {
		t.Errorf("got %s", got)
	}
	c.gone(pids)
}

// Whatever ends a call or the server ends its tools with it, and what they have started.
func TestNoToolIsLeft(t *testing.T) {
	t.Parallel()
	side := sideBySide{t: t}
	defer side.wait()
	for _, ends := range []struct {
		is string
		do func(c *conversation)
	}{
		{"the client takes the call back", func(c *conversation) {
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		}},
		{"the server is told to end", func(c *conversation) { c.signal(syscall.SIGTERM) }},
		{"the server is killed", func(c *conversation) {
			c.guardOf()
			c.signal(syscall.SIGKILL)
		}},
	} {
		side.run(ends.is, func(t *testing.T) {
			c := serveFile(t, "tools:"+waits)
			c.send(legacyHello)
			c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits"}}`)
			pids := c.pids()
			ends.do(c)
			c.gone(pids)
		})
	}
}

func (c *conversation) signal(sig syscall.Signal) {
	c.t.Helper()
	if err := c.Process.Signal(sig); err != nil {
		c.t.Fatal(err)
	}
}
