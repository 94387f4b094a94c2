//go:build codex

package interop

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// TestCodex has a conversation with codex app-server, as far as that goes without a model: no turn. Codex takes 400 MB,
// so it is not in the lock file, and this file has a build tag.
func TestCodex(t *testing.T) {
	path, err := exec.LookPath("codex")
	if err != nil {
		t.Fatalf("%v: make interop-codex installs it for this test", err)
	}
	ctx := bounded(t)
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	started := make(chan string, 1)
	p := run(t, &codex.Dialect, tellStarted(started), spawn.Command{
		Path: path,
		Args: []string{"app-server"},
		Dir:  home,
		Env:  []string{"CODEX_HOME=" + home, "HOME=" + home}, // it leaves nothing elsewhere, and nobody is logged in
	})
	defer p.end(t, parley.Stats{}, outcome{
		Failed: []string{string(codex.ThreadLoadedList), string(codex.ThreadRead), "nosuch"},
	})

	loaded := func() ([]string, error) {
		list, err := codex.ThreadLoadedList.Call(ctx, p.Conn, codex.LoadedListParams{})
		if err != nil {
			return nil, err
		}
		return list.Data, nil
	}
	if _, err := loaded(); !errors.Is(err, message.InvalidRequest) {
		t.Errorf("a call before the handshake: %v", err)
	}
	met, err := codex.Handshake(ctx, p.Conn, codex.InitializeParams{ClientInfo: codex.ClientInfo{Name: "parley-interop", Version: "1"}})
	if err != nil || met.UserAgent == "" {
		t.Fatalf("initialize returned %+v, %v", met, err)
	}
	if _, err := codex.ModelList.Call(ctx, p.Conn, message.Raw(`{}`)); err != nil {
		t.Error(err)
	}
	begun, err := codex.ThreadStart.Call(ctx, p.Conn, codex.ThreadStartParams{ThreadSettings: codex.ThreadSettings{CWD: home}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case id := <-started:
		if id != begun.Thread.ID {
			t.Errorf("a note tells of thread %q, the answer of %q", id, begun.Thread.ID)
		}
	case <-ctx.Done():
		t.Error("no note tells of the thread")
	}
	if ids, err := loaded(); err != nil || !slices.Equal(ids, []string{begun.Thread.ID}) {
		t.Errorf("the threads are %q, %v, want %q", ids, err, begun.Thread.ID)
	}
	// What others answer with -32602 and -32601 is -32600 here.
	if _, err := codex.ThreadRead.Call(ctx, p.Conn, codex.ThreadReadParams{ThreadID: "nosuch"}); !errors.Is(err, message.InvalidRequest) {
		t.Errorf("a thread that there is not: %v", err)
	}
	if err := p.Call(ctx, "nosuch", codex.Empty{}, nil); !errors.Is(err, message.InvalidRequest) {
		t.Errorf("nosuch returned %v", err)
	}
}

// tellStarted takes all notes, tells of the threads that are started, and answers no call.
func tellStarted(started chan<- string) parley.Handler {
	return func(ctx context.Context, method string, params message.Raw) (any, error) {
		if !parley.RequestFrom(ctx).IsNote() {
			return nil, message.MethodNotFound
		}
		if method != string(codex.ThreadStarted) {
			return nil, nil
		}
		var p codex.ThreadStartedParams
		err := params.Decode(&p)
		started <- p.Thread.ID
		return nil, err
	}
}
