package interop

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// What gopls is asked about, and where Println stands in it.
const greeting = `package main

import "fmt"

func main() { fmt.Println("hello") }
`

// printing is inside the name.
var printing = lsp.Position{Line: 4, Character: 20}

// gopls returns the path of gopls, which the module in the folder gopls pins. It is in a module of its own because it
// does not build with other versions of what it needs. Go builds it the first time, and keeps it with all else it built.
func gopls(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "tool", "-n", "gopls")
	cmd.Dir = "gopls"
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s in interop/gopls: %v: go mod download fetches there what is missing", cmd, err)
	}
	return strings.TrimSpace(string(out))
}

// TestGopls has a conversation with the language server of Go.
func TestGopls(t *testing.T) {
	path := gopls(t)
	ctx := bounded(t)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "project", "go.mod"), "module example.com/greeting\n\ngo 1.26\n")
	file := filepath.Join(folder, "project", "main.go")
	write(t, file, greeting)
	write(t, filepath.Join(folder, "config", "go", "telemetry", "mode"), "off\n")

	e := &goEditor{shown: make(chan struct{})}
	p := run(t, &lsp.Dialect, e.mux().Handle, spawn.Command{
		Path: path,
		Dir:  filepath.Join(folder, "project"),
		// It leaves nothing outside the folder, and asks nobody for modules.
		Env: []string{
			"GOPLSCACHE=" + filepath.Join(folder, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(folder, "config"),
			"GOPROXY=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local",
		},
	})
	defer p.end(t, parley.Stats{Late: 1}, outcome{Cancelled: []string{string(lsp.References)}})

	root := fileURI(filepath.Dir(file))
	met, err := lsp.Handshake(ctx, p.Conn, lsp.InitializeParams{
		ClientInfo: &lsp.Program{Name: "parley-interop", Version: "1"},
		RootURI:    &root,
		Capabilities: map[string]message.Raw{
			"workspace": message.Raw(`{"configuration":true,"didChangeConfiguration":{"dynamicRegistration":true}}`),
			"window":    message.Raw(`{"workDoneProgress":true}`),
		},
	})
	if err != nil || met.ServerInfo == nil || met.ServerInfo.Name != "gopls" {
		t.Fatalf("initialize returned %+v, %v", met, err)
	}
	document := lsp.TextDocumentItem{URI: fileURI(file), LanguageID: "go", Version: 1, Text: greeting}
	if err := lsp.DidOpen.Send(ctx, p.Conn, lsp.DidOpenParams{TextDocument: document}); err != nil {
		t.Fatal(err)
	}
	place := lsp.TextDocumentPosition{TextDocument: lsp.TextDocumentIdentifier{URI: document.URI}, Position: printing}

	// The server has to load the module first, so that it cannot be done when it hears that nobody wants to know.
	call := lsp.References.Start(ctx, p.Conn, lsp.ReferenceParams{TextDocumentPosition: place})
	if err := p.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	call.Cancel()

	hover := func() {
		t.Helper()
		known, err := lsp.Hover.Call(ctx, p.Conn, lsp.HoverParams{TextDocumentPosition: place})
		if err != nil || known == nil || !strings.Contains(known.Contents.Value, "func fmt.Println(a ...any) (n int, err error)") {
			t.Fatalf("hover returned %+v, %v", known, err)
		}
	}
	hover()
	for p.Stats().Late == 0 { // The call that we took back is answered all the same, in its own time.
		hover()
	}
	select {
	case <-e.shown:
	case <-ctx.Done():
		t.Error("there were no diagnostics for the document")
	}

	if err := lsp.Shutdown(ctx, p.Conn); err != nil {
		t.Error(err)
	}
	select {
	case <-p.child.Done(): // end looks at the exit code
	case <-ctx.Done():
		t.Error("gopls does not exit when it is told to")
	}
}

// A goEditor answers what gopls asks of an editor.
type goEditor struct {
	shown chan struct{} // closed by the first diagnostics
}

func (e *goEditor) mux() *parley.Mux {
	null := func(context.Context, message.Raw) (message.Raw, error) { return nil, nil }
	ignore := func(context.Context, lsp.MessageParams) error { return nil }
	return parley.NewMux(
		lsp.Configuration.Handle(func(_ context.Context, p lsp.ConfigurationParams) ([]message.Raw, error) {
			return make([]message.Raw, len(p.Items)), nil // nothing is set
		}),
		lsp.RegisterCapability.Handle(func(context.Context, lsp.RegistrationParams) (message.Raw, error) { return nil, nil }),
		lsp.CreateWorkDoneProgress.Handle(null),
		lsp.Progress.Handle(func(context.Context, lsp.ProgressParams) error { return nil }),
		lsp.LogMessage.Handle(ignore),
		lsp.ShowMessage.Handle(ignore),
		lsp.PublishDiagnostics.Handle(func(context.Context, lsp.PublishDiagnosticsParams) error {
			select {
			case <-e.shown:
			default:
				close(e.shown)
			}
			return nil
		}),
	)
}

// fileURI is the URI of an absolute path.
func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// write writes a file, and makes the folders that it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
