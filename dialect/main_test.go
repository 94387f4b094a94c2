package dialect_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-rpc/parley/frame"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clientDirs and serverDirs are what the transcripts call the two directions; all others
// are about the process.
var (
	clientDirs = []string{"c2s", "sdk->agent"}
	serverDirs = []string{"s2c", "agent->sdk"}
)

// transcripts returns the names of all transcripts.
func transcripts(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/transcripts/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	return files
}

// records returns what was written in the given directions, in order: the records of the
// framing in each chunk. A chunk that the framing cannot read is a record as it is.
func records(t testing.TB, name string, f frame.Framing, dirs ...string) (all [][]byte) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var chunk struct{ Dir, Raw string }
		if err := json.Unmarshal(line, &chunk); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(dirs, chunk.Dir) {
			continue
		}
		for rec, err := range f.Records(strings.NewReader(chunk.Raw)) {
			if err != nil {
				rec = []byte(chunk.Raw)
			}
			all = append(all, rec)
		}
	}
	return all
}
