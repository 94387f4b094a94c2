package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/internal/dialecttest"
)

// The table of words and the typed constants say the same. Who sends a method, the specification says.
func TestWords(t *testing.T) { dialecttest.Words(t, &lsp.Dialect, nil) }

// The words are the methods of the specification, from the sides that it says.
func TestWordsAreTheSpecification(t *testing.T) {
	text, err := os.ReadFile("testdata/methods.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			want[line] = true
		}
	}
	got := make(map[string]bool)
	for _, word := range lsp.Dialect.Words {
		kind := "request"
		if word.Note {
			kind = "note"
		}
		got[fmt.Sprint(kind, " ", word.From, " ", word.Method)] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the specification and Words differ (-specification +Words):\n%s", diff)
	}
}

// What the user is asked waits for an answer in their words.
func TestWaits(t *testing.T) {
	want := map[string]parley.Wait{"window/showMessageRequest": parley.WaitInput}
	if diff := cmp.Diff(want, lsp.Dialect.Waits); diff != "" {
		t.Errorf("what waits for a person (-want +got)\n%s", diff)
	}
}
