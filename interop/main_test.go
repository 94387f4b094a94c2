package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/interop/tape"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// patience bounds a test that should take a second or two, on a machine that is busy with others.
const patience = time.Minute

// The commands parley and ours, as TestMain has built them from this tree.
var parleyBinary, oursBinary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "parley-interop-")
	if err == nil {
		parleyBinary, oursBinary = filepath.Join(folder, "parley"), filepath.Join(folder, "ours")
		// The command needs modules that this one does not have, so it is built in its own.
		err = errors.Join(build("..", folder, "./cmd/parley"), build(".", folder, "./ours"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.RemoveAll(folder)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		os.Exit(code)
	}))
}

// build builds a command of the module in dir into a folder.
func build(dir, folder, command string) error {
	cmd := exec.Command("go", "build", "-o", folder+string(filepath.Separator), command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s in %s: %w\n%s", cmd, dir, err, out)
	}
	return nil
}

// bounded is the ctx of a test and of all that it starts.
func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// installed returns the path of a file in node_modules.
func installed(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", filepath.FromSlash(file)))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("%v: run npm ci in interop/ (make interop does)", err)
	}
	return path
}

// script returns the path of a script of ours that imports a package of other people.
func script(t *testing.T, name, needs string) string {
	t.Helper()
	installed(t, needs+"/package.json")
	return filepath.Join("js", name)
}

// A peer is a program of other people that runs as a child, with our end of the connection to it and a record of
// all that has passed.
type peer struct {
	*parley.Conn
	child   *spawn.Child
	dialect *parley.Dialect
	wire    *wire
	said    *bytes.Buffer // the tape
	tape    *tape.Tape
}

// start runs node with args and connects to it in the words of d. The test has to call end.
func start(t *testing.T, d *parley.Dialect, handler parley.Handler, args ...string) *peer {
	t.Helper()
	return run(t, d, handler, spawn.Command{Path: "node", Args: args})
}

// run is start for any command.
func run(t *testing.T, d *parley.Dialect, handler parley.Handler, cmd spawn.Command) *peer {
	t.Helper()
	cmd.Framing = d.Framing
	cmd.Stderr = t.Output()
	cmd.Grace = patience / 4 // a child that needs a signal to end is a fault, and end tells
	child, err := spawn.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{child: child, dialect: d, wire: &wire{cancel: d.Cancel, bare: d.Codec == message.Bare}, said: new(bytes.Buffer)}
	p.tape = tape.New(p.said, parley.SideClient)
	p.Conn = parley.Connect(child, handler, &parley.Options{
		Dialect: d,
		Logger:  slog.New(slog.NewTextHandler(t.Output(), nil)),
		Trace: &parley.Trace{Record: func(dir parley.Direction, rec []byte) {
			p.wire.add(dir, rec)
			p.tape.Record(dir, rec)
		}},
	})
	return p
}

// end closes the connection and looks back at it: the child has ended by itself when its input ended, nothing odd
// came but what is wanted, each side has answered what it was asked, and the tape shows the outcome that is wanted.
func (p *peer) end(t *testing.T, odd parley.Stats, want outcome) {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	select {
	case <-p.child.Done():
		if err := p.child.Wait(); err != nil {
			t.Errorf("the child did not end well: %v", err)
		}
	default:
		t.Error("the child still runs after Close")
	}
	if diff := cmp.Diff(odd, p.Stats()); diff != "" {
		t.Errorf("what came was odd in another way (-want +got):\n%s", diff)
	}
	for _, fault := range p.wire.faults() {
		t.Error(fault)
	}
	if err := p.tape.Err(); err != nil {
		t.Errorf("the tape: %v", err)
	}
	audit(t, p.dialect, taped(t, p.said), want)
}

// summary runs a client script, with what it has to start, and returns the one JSON value that it prints.
func summary(t *testing.T, script string, command ...string) (printed any) {
	t.Helper()
	cmd := exec.CommandContext(bounded(t), "node", append([]string{script}, command...)...)
	cmd.Stderr = t.Output()
	cmd.WaitDelay = time.Second // for the script's own child, which ends when the script does
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	if err := json.Unmarshal(out, &printed); err != nil {
		t.Fatalf("%s printed %q: %v", script, out, err)
	}
	return printed
}

// served has a client script start ours as one of its programs, and compares what it saw and what became of it.
func served(t *testing.T, d *parley.Dialect, script, program, saw string, want outcome) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tape")
	compare(t, summary(t, script, oursBinary, program, file), saw)
	said, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	audit(t, d, taped(t, said), want)
}

// compare compares a summary with JSON text.
func compare(t *testing.T, got any, text string) {
	t.Helper()
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the script saw something else (-want +got):\n%s", diff)
	}
}
