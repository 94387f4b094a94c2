package mcp_test

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// heard is one record of a transcript, as a program really wrote it.
type heard struct {
	From parley.Side
	message.Message
}

// transcript reads the records of a transcript that are messages. The rest of it is bad
// input and what became of the processes.
func transcript(t *testing.T, name string) (all []heard) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	from := map[string]parley.Side{"c2s": parley.SideClient, "s2c": parley.SideServer}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var line struct {
			Dir string `json:"dir"`
			Raw string `json:"raw"`
		}
		if err := message.Raw(lines.Bytes()).Decode(&line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m, err := message.Strict.Parse([]byte(line.Raw)); err == nil && from[line.Dir] != parley.SideUnknown {
			all = append(all, heard{from[line.Dir], m})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// keeps decodes text into a V, encodes that, and compares the two as JSON.
func keeps[V any](t *testing.T, text message.Raw) { again[V](t, "a real record", text.String()) }

// Every request of real programs has a word from the right side, and the types take
// its params and its result without losing anything.
func TestTranscripts(t *testing.T) {
	params := map[string]func(*testing.T, message.Raw){
		"initialize":                       keeps[mcp.InitializeParams],
		"ping":                             keeps[mcp.EmptyParams],
		"tools/list":                       keeps[mcp.ListParams],
		"tools/call":                       keeps[mcp.CallToolParams],
		"resources/templates/list":         keeps[mcp.ListParams],
		"notifications/initialized":        keeps[mcp.EmptyParams],
		"notifications/tools/list_changed": keeps[mcp.EmptyParams],
	}
	results := map[string]func(*testing.T, message.Raw){
		"initialize": keeps[mcp.InitializeResult],
		"ping":       keeps[mcp.EmptyResult],
		"tools/call": keeps[mcp.CallToolResult],
	}
	files, err := filepath.Glob("../../testdata/transcripts/*mcp-*.jsonl")
	if err != nil || len(files) != 3 {
		t.Fatalf("the transcripts are %v, %v", files, err)
	}
	words := methods(mcp.Legacy)
	seen := make(map[string]bool)
	for _, file := range files {
		asked := make(map[message.ID]string)
		for _, m := range transcript(t, file) {
			switch m := m.Message.(type) {
			case *message.Request:
				word, ok := words[m.Method]
				if !ok || m.Method == "ping" && m.Params.String() == "[1]" {
					continue // bad input on purpose
				}
				if !m.IsNote() {
					asked[m.ID] = m.Method
				}
				if word.Note != m.IsNote() {
					t.Errorf("%s: %s is a note: %v", file, m.Method, m.IsNote())
				}
				if len(m.Params) > 0 {
					params[m.Method](t, m.Params)
				}
				seen[m.Method] = true
			case *message.Response:
				if check := results[asked[m.ID]]; check != nil && m.Error == nil {
					check(t, m.Result)
					seen[asked[m.ID]+" result"] = true
				}
			}
		}
	}
	want := map[string]bool{
		"initialize": true, "initialize result": true, "ping": true, "ping result": true, "tools/list": true,
		"tools/call": true, "tools/call result": true, "notifications/initialized": true,
		"notifications/tools/list_changed": true,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("what the transcripts hold (-want +got):\n%s", diff)
	}
}

// The side that a word comes from is the side that really sent it.
func TestTranscriptSides(t *testing.T) {
	words := methods(mcp.Dialect)
	checked := 0
	for _, m := range transcript(t, "../../testdata/transcripts/codex-as-mcp-client.jsonl") {
		req, ok := m.Message.(*message.Request)
		if !ok {
			continue
		}
		if word := words[req.Method]; word.From != m.From {
			t.Errorf("%s comes from the %v, and the word says %v", req.Method, m.From, word.From)
		}
		checked++
	}
	if checked < 5 {
		t.Errorf("only %d requests were checked", checked)
	}
}
