package dialecttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A Record is what one of two real programs wrote to the other.
type Record struct {
	From parley.Side
	Raw  string
}

// writers are what the transcripts call the two directions. All else in them is about the processes.
var writers = map[string]parley.Side{
	"c2s": parley.SideClient, "sdk->agent": parley.SideClient,
	"s2c": parley.SideServer, "agent->sdk": parley.SideServer,
}

// Transcript returns the records of testdata/transcripts/NAME.jsonl in order.
func Transcript(t testing.TB, name string) (all []Record) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "transcripts", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var r struct {
			Dir string `json:"dir"`
			Raw string `json:"raw"`
		}
		if err := message.Raw(line).Decode(&r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if from, ok := writers[r.Dir]; ok {
			all = append(all, Record{from, r.Raw})
		}
	}
	return all
}

// A Type is what the params and the results of a method become in Go.
type Type struct {
	method         string
	params, result func(t *testing.T, text message.Raw, partial bool)
}

// Call returns the type of a method.
func Call[P, R any](m parley.Method[P, R]) Type { return Type{string(m), said[P], said[R]} }

// Asked returns the type of a method whose result no transcript has.
func Asked[P, R any](m parley.Method[P, R]) Type { return Type{method: string(m), params: said[P]} }

// Note returns the type of a note.
func Note[P any](n parley.Note[P]) Type { return Type{method: string(n), params: said[P]} }

// Conversations are transcripts in which programs speak a dialect.
type Conversations struct {
	Dialect *parley.Dialect

	// Files are the names of the transcripts, each with how many of its records are refused: they were bad on purpose.
	Files map[string]int

	// Unfit are parts of the requests that are messages and break the rules of the dialect, on purpose again.
	Unfit []string

	// Types are those of every method in the transcripts.
	Types []Type

	// Partial says that the types name only the members that matter, so that what they lose is not looked at.
	Partial bool
}

// Check checks that each request is in the words of the dialect and comes from the side that they say, and that what
// goes through the Go types is the same afterwards, as for [Said]. Each type and each unfit part has to be met.
func (c Conversations) Check(t *testing.T) {
	t.Helper()
	tried := make(map[string]bool)
	for name, want := range c.Files {
		asked := make(map[string]Type) // by side and id
		refused := 0
		for _, r := range Transcript(t, name) {
			m, err := c.Dialect.Codec.Parse([]byte(r.Raw))
			if err != nil {
				refused++
			}
			switch m := m.(type) {
			case *message.Request:
				if i := slices.IndexFunc(c.Unfit, func(part string) bool { return strings.Contains(r.Raw, part) }); i >= 0 {
					tried[c.Unfit[i]] = true
					continue
				}
				of := c.typeOf(t, r, m)
				asked[fmt.Sprint(r.From, m.ID)] = of
				tried[of.method] = true
				if !m.Params.IsZero() && of.params != nil {
					of.params(t, m.Params, c.Partial)
				}
			case *message.Response:
				if of := asked[fmt.Sprint(r.From.Other(), m.ID)]; m.Error == nil && of.result != nil {
					of.result(t, m.Result, c.Partial)
					tried[of.method+" result"] = true
				}
			}
		}
		if refused != want {
			t.Errorf("%s: %d records are refused, want %d", name, refused, want)
		}
	}
	for _, of := range c.Types {
		if !tried[of.method] {
			t.Errorf("no transcript has a %s", of.method)
		}
		if of.result != nil && !tried[of.method+" result"] {
			t.Errorf("no transcript has a result of %s", of.method)
		}
	}
	for _, part := range c.Unfit {
		if !tried[part] {
			t.Errorf("no transcript has the unfit %s", part)
		}
	}
}

// typeOf returns the type of a request, which has to be in the words of the dialect.
func (c Conversations) typeOf(t *testing.T, r Record, m *message.Request) Type {
	t.Helper()
	if !slices.ContainsFunc(c.Dialect.Words, func(w parley.Word) bool {
		return w.Method == m.Method && w.Note == m.IsNote() && (w.From == r.From || w.From == parley.SideUnknown)
	}) {
		t.Errorf("the %v sent %s, which the words do not say", r.From, r.Raw)
	}
	i := slices.IndexFunc(c.Types, func(of Type) bool { return of.method == m.Method })
	if i < 0 {
		t.Errorf("Types has none for %s", r.Raw)
		return Type{}
	}
	return c.Types[i]
}
