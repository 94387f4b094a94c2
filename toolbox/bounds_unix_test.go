//go:build unix

package toolbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// serve serves a box on one end of a pipe and returns the other.
func serve(t *testing.T, b *Box) net.Conn {
	t.Helper()
	theirs, ours := net.Pipe()
	conn := parley.Connect(frame.Lines.Stream(ours, ours), b.Handle, nil)
	t.Cleanup(func() {
		theirs.Close()
		_ = conn.Close() // how it ends is not what is tested
	})
	return theirs
}

// A client that sends calls and reads no answer starts no more runs once answers wait
// for it, so that what it costs does not grow with the calls. When it reads, it gets all.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const calls, size = 300, 900_000
	runs := make(chan struct{}, calls)
	var text strings.Builder
	text.WriteString("tools:\n")
	for i := range 10 { // 30 slots
		fmt.Fprintf(&text, "  - {name: t%d, concurrency: 3, run: [head, -c, %d, /dev/zero]}\n", i, size/6)
	}
	b, err := Load(write(t, text.String()), &Options{Started: func(int, <-chan struct{}) { runs <- struct{}{} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	client := serve(t, b)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range calls {
		if _, err := fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":"t%d"}`+"\n", i, i%10); err != nil {
			t.Fatal(err)
		}
	}
	started := 0
	for quiet := false; !quiet; {
		select {
		case <-runs:
			started++
		case <-time.After(time.Second):
			quiet = true
		}
	}
	runtime.ReadMemStats(&after)
	// HeapSys never shrinks: it is the most that there was.
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 200<<20 || started == calls {
		t.Errorf("%d of %d runs, and %d MiB of memory for them", started, calls, grown>>20)
	}
	stream := frame.Lines.Stream(client, client)
	for range calls {
		rec, err := stream.ReadRecord()
		if err != nil {
			t.Fatal(err)
		}
		if len(rec) < size || !strings.Contains(string(rec[:60]), `"result":`) {
			t.Fatalf("got %d bytes: %.80s", len(rec), rec)
		}
	}
}

// A note runs no tool, and what is behind it does not wait.
func TestNoteRunsNothing(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	b := open(t, fmt.Sprintf("tools:\n  - {name: touch, run: [touch, %q]}\n  - {name: hi, run: [echo, hi]}\n", ran))
	client := serve(t, b)
	go fmt.Fprint(client, `{"jsonrpc":"2.0","method":"touch"}`+"\n"+`{"jsonrpc":"2.0","id":1,"method":"hi"}`+"\n")
	rec, err := frame.Lines.Stream(client, client).ReadRecord()
	if want := `{"jsonrpc":"2.0","id":1,"result":"hi\n"}`; err != nil || string(rec) != want {
		t.Errorf("got %s, %v, want %s", rec, err, want)
	}
	if _, err := os.Stat(ran); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the note has run the tool: %v", err)
	}
}

// concurrency holds for all versions of a tool together, whatever the file says in
// between, and even if the tool was gone for a while.
func TestConcurrencyAcrossReloads(t *testing.T) {
	const gone = "tools: []"
	tool := func(n int) string {
		return fmt.Sprintf("tools:\n  - {name: z, concurrency: %d, run: [sleep, 600]}\n", n)
	}
	path := write(t, tool(1))
	running := make(chan int, 16)
	b, err := Load(path, &Options{Started: func(int, <-chan struct{}) { running <- 1 }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 16)
	start := func() { go func() { _, err := b.Handle(ctx, "z", message.Raw(`{}`)); ended <- err }() }
	reload := func(text string) {
		put(t, path, text, time.Now())
		if _, err := b.Reload(); err != nil {
			t.Fatal(err)
		}
	}
	start()
	<-running
	for _, text := range []string{tool(2), tool(1), gone, tool(1)} {
		reload(text)
	}
	slots := b.slots["z"]
	if slots.inside != 1 || slots.size != 1 {
		t.Errorf("%d of %d slots are taken, want 1 of 1", slots.inside, slots.size)
	}
	start() // it waits
	reload(tool(2))
	<-running // until the file lets it in
	stop()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	reload(gone)
	if len(b.slots) != 0 {
		t.Errorf("a tool that is gone and does not run keeps its slots: %v", b.slots)
	}
}

// A gate keeps the order of those who wait, and one that goes makes way.
func TestGate(t *testing.T) {
	g := gate{size: 3}
	if err := g.enter(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := g.enter(ended, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a full gate lets in: %v", err)
	}
	if err := g.enter(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	g.leave(2)
	g.leave(1)
	if !g.idle() {
		t.Errorf("%d are inside yet", g.inside)
	}
}
