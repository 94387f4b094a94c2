package parleytest

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

var update = flag.Bool("update", false, "rewrite the expected output of wire scripts")

// Scripts runs the wire scripts that match the glob pattern, each as a subtest. A
// script is a txtar file: a sentence that says what it is about, the section "in" with
// the lines that a peer reads, and the section "out" with the lines that it writes.
//
// Each script has a handler of its own and runs under the fake clock of
// testing/synctest. The order of what comes out is fixed: a line goes in when all is
// quiet after the one before it, and one call runs at a time. With the flag -update the
// section "out" is rewritten.
func Scripts(t *testing.T, pattern string, handler func() parley.Handler, opts *parley.Options) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("parleytest: no wire script matches %q (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			script(t, file, handler(), opts)
		})
	}
}

func script(t *testing.T, file string, handler parley.Handler, opts *parley.Options) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in, out := section(archive, "in"), section(archive, "out")
	if len(bytes.TrimSpace(archive.Comment)) == 0 || in == nil || out == nil {
		t.Fatalf("%s: a wire script is a sentence and the sections in and out", file)
	}
	one := parley.Options{}
	if opts != nil {
		one = *opts
	}
	one.Handlers = 1
	var got []byte
	synctest.Test(t, func(t *testing.T) { got = converse(t, in.Data, handler, &one) })
	if *update {
		out.Data = got
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(out.Data), string(got)); diff != "" {
		t.Errorf("%s: %s(-want +got)\n%s", file, archive.Comment, diff)
	}
}

// converse feeds the lines of in to a peer, one after the other, and returns what it
// writes until it has ended.
func converse(t *testing.T, in []byte, handler parley.Handler, opts *parley.Options) []byte {
	t.Helper()
	far, near := frame.Pipe()
	var got []byte
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		got, _ = io.ReadAll(far)
	}()
	conn := parley.Connect(frame.Lines.Stream(near, near), handler, opts)
	for _, line := range bytes.SplitAfter(in, []byte("\n")) {
		if _, err := far.Write(line); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	if err := far.CloseWrite(); err != nil {
		t.Error(err)
	}
	if err := conn.Wait(); err != nil {
		t.Errorf("the peer ended with: %v", err)
	}
	<-reading
	return got
}

func section(archive *txtar.Archive, name string) *txtar.File {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			return &archive.Files[i]
		}
	}
	return nil
}
