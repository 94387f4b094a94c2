package mcp_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	_ "github.com/parley-rpc/parley/parleytest" // for its flag
)

// update is the flag of package parleytest, whose Scripts do not fit here: they connect a
// handler by themselves, and a server of MCP is more than one.
func update() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// TestServeScripts speaks to the server of everything as clients of both eras do. A
// line goes in when all is quiet after the one before it, so the order of what comes
// out is fixed.
func TestServeScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no script (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { serveScript(t, file) })
	}
}

func serveScript(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) != 2 || archive.Files[0].Name != "in" || archive.Files[1].Name != "out" || len(archive.Comment) == 0 {
		t.Fatalf("%s: a wire script is a sentence and the sections in and out", file)
	}
	var got []byte
	synctest.Test(t, func(t *testing.T) { got = speak(t, everything(), archive.Files[0].Data) })
	if update() {
		archive.Files[1].Data = got
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(archive.Files[1].Data), string(got)); diff != "" {
		t.Errorf("%s: %s(-want +got)\n%s", file, archive.Comment, diff)
	}
}

// speak sends the lines of in to a server, one after the other, and returns what it
// writes until it has ended.
func speak(t *testing.T, server *mcp.Server, in []byte) []byte {
	t.Helper()
	far, near := frame.Pipe()
	var got []byte
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		got, _ = io.ReadAll(far)
	}()
	conn := server.Connect(frame.Lines.Stream(near, near), nil)
	synctest.Wait()
	for _, line := range slices.Collect(bytes.Lines(in)) {
		if _, err := far.Write(line); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	if err := far.CloseWrite(); err != nil {
		t.Error(err)
	}
	if err := conn.Wait(); err != nil {
		t.Errorf("the server ended with: %v", err)
	}
	<-reading
	return got
}

// TestEveryMethodHasAScript holds the scripts against the words of each era: what a
// client may send is sent in one of them.
func TestEveryMethodHasAScript(t *testing.T) {
	for era, d := range map[string]*[]string{"legacy": words(mcp.Legacy), "modern": words(mcp.Modern)} {
		files, _ := filepath.Glob("testdata/" + era + "-*.txtar")
		var sent []byte
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, archive.Files[0].Data...)
			sent = append(sent, archive.Files[1].Data...)
		}
		for _, method := range *d {
			if method == string(mcp.TaskChanged) {
				continue // no client sends it, and no server without tasks
			}
			if !bytes.Contains(sent, []byte(`"method":"`+method+`"`)) {
				t.Errorf("no script of the %s era has %s", era, method)
			}
		}
	}
}

// words are the methods of an era.
func words(d parley.Dialect) *[]string {
	var methods []string
	for _, w := range d.Words {
		methods = append(methods, w.Method)
	}
	return &methods
}
