package lint_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

var update = flag.Bool("update", false, "rewrite testdata and docs/lint.md")

// A script is a file of testdata: a sentence, options, and a failing and a passing
// example of one rule, or just some input.
//
//	A sentence.
//	dialect: mcp
//
//	-- bad --
//	…
//	-- good --
//	…
//	-- want --
//	what lint says of bad
//
// In the examples \xNN is a byte, «TEXT*N» is a text N times, and \c at the end takes the
// last line feed away.
type script struct {
	name     string
	sentence string
	options  map[string]string
	archive  *txtar.Archive
}

func readScript(t testing.TB, name string) *script {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{name: name, options: make(map[string]string), archive: archive}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, ": ")
		switch {
		case ok && slices.Contains([]string{"dialect", "framing", "limit"}, key):
			s.options[key] = value
		case line != "":
			s.sentence = strings.TrimSpace(s.sentence + " " + line)
		}
	}
	return s
}

// file returns a file of the script, and whether it is there.
func (s *script) file(name string) (text string, ok bool) {
	i := slices.IndexFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return "", false
	}
	return string(s.archive.Files[i].Data), true
}

// set replaces a file.
func (s *script) set(t testing.TB, name, text string) {
	t.Helper()
	i := slices.IndexFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		s.archive.Files = append(s.archive.Files, txtar.File{Name: name})
		i = len(s.archive.Files) - 1
	}
	s.archive.Files[i].Data = []byte(text)
	if err := os.WriteFile(s.name, txtar.Format(s.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

var (
	hexByte  = regexp.MustCompile(`\\x[0-9a-fA-F]{2}`)
	manifold = regexp.MustCompile(`«(.*?)\*(\d+)»`)
)

// input returns the bytes that an example stands for.
func input(text string) []byte {
	text = manifold.ReplaceAllStringFunc(text, func(m string) string {
		parts := manifold.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2]) // the expression has digits only
		return strings.Repeat(parts[1], n)
	})
	text = hexByte.ReplaceAllStringFunc(text, func(m string) string {
		n, _ := strconv.ParseUint(m[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	return []byte(strings.TrimSuffix(text, "\\c\n"))
}

// lintText lints an input as the tool does.
func lintText(t testing.TB, in io.Reader, options map[string]string) (findings []lint.Finding, counted int64) {
	t.Helper()
	limit, _ := strconv.ParseInt(options["limit"], 10, 64) // none is 0, the default
	from := lint.NewInput(in)
	r := lint.NewReader(from, &recording.Options{Framing: options["framing"], Limit: limit})
	var records []recording.Record
	var raw [][]byte
	var failed error
	for {
		rec, err := r.Read()
		if err != nil {
			failed = err
			break
		}
		rec.Raw = bytes.Clone(rec.Raw)
		if rec.Process == "" && rec.Err == nil {
			raw = append(raw, rec.Raw)
		}
		records = append(records, rec)
	}
	guess := dialect.Sniff(r.Framing(), raw)
	if name := options["dialect"]; name != "" {
		named, err := dialect.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		guess = dialect.Guess{Dialect: named, Sure: true}
	}
	l := lint.New(&lint.Options{
		Dialect: &guess.Dialect, Guess: !guess.Sure, Framing: r.Framing(), Shape: r.Shape(), Input: from,
	})
	for _, rec := range records {
		findings = append(findings, l.Record(rec)...)
	}
	if failed != io.EOF {
		findings = append(findings, l.Fail(failed)...)
	}
	findings = append(findings, l.End()...)
	errors, warnings, infos := l.Counts()
	return findings, errors + warnings + infos
}

// show writes findings one a line: LINE+OFFSET: severity: message (rule) pointer.
func show(findings []lint.Finding) string {
	var out strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&out, "%d+%d: %v: %s (%s)", f.Line, f.Offset, f.Severity, f.Message, f.Rule.ID)
		if f.Pointer != "" {
			out.WriteString(" " + f.Pointer)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// examples are the scripts of all rules, by the ID.
func examples(t testing.TB) map[string]*script {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*script)
	for _, name := range files {
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = readScript(t, name)
	}
	return all
}

// Each rule has an example that it alone fires on, and one on which none does.
func TestRules(t *testing.T) {
	scripts := examples(t)
	for _, rule := range lint.Rules {
		t.Run(rule.ID, func(t *testing.T) {
			s := scripts[rule.ID]
			delete(scripts, rule.ID)
			if s == nil {
				t.Fatalf("testdata/%s.txtar is missing", rule.ID)
			}
			bad, ok := s.file("bad")
			good, okToo := s.file("good")
			if !ok || !okToo || s.sentence == "" {
				t.Fatal("want a sentence, an example bad and an example good")
			}
			findings, _ := lintText(t, bytes.NewReader(input(bad)), s.options)
			got := show(findings)
			if len(findings) == 0 {
				t.Error("bad has no finding")
			}
			for _, f := range findings {
				if f.Rule != rule {
					t.Errorf("bad has findings of another rule:\n%s", got)
				}
			}
			if findings, _ := lintText(t, bytes.NewReader(input(good)), s.options); len(findings) > 0 {
				t.Errorf("good has findings:\n%s", show(findings))
			}
			if *update {
				s.set(t, "want", got)
				return
			}
			want, _ := s.file("want")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("bad (-want +got):\n%s", diff)
			}
		})
	}
	for name := range scripts {
		t.Errorf("testdata/%s.txtar is of no rule", name)
	}
}

// A rule says everything about itself.
func TestRulesAreComplete(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, r := range lint.Rules {
		if !name.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("%q is no good ID, or there twice", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Doc == "" || r.Fix == "" || r.Source == "" {
			t.Errorf("%s lacks a title, a doc, a fix or a source", r.ID)
		}
		if got, ok := lint.Lookup(r.ID); !ok || got != r {
			t.Errorf("Lookup does not find %s", r.ID)
		}
	}
	if _, ok := lint.Lookup("no-such-rule"); ok {
		t.Error("Lookup finds a rule that there is not")
	}
}

// Every conversation of real programs has the findings that are written down for it.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/transcripts/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = in.Close() }() // it was read only
			findings, _ := lintText(t, in, nil)
			got := show(findings)
			golden := filepath.Join("testdata", "transcripts", strings.TrimSuffix(filepath.Base(name), ".jsonl")+".want")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
