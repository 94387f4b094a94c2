package ledger_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

// TestScripts runs testdata/*.txtar. A script has a sentence, the name of a dialect and
// the records, one a line: who wrote it (c, s, ? for nobody knows, or what a process
// did), and the bytes. What is expected is what the ledger says of each record, and then
// what is left open.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			script, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSpace(string(section(script, "dialect")))
			got := told(t, name, recordsOf(t, section(script, "in")))
			if *update {
				set(script, "out", got)
				if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(section(script, "out")), string(got)); diff != "" {
				t.Errorf("%s(-want +got)\n%s", script.Comment, diff)
			}
		})
	}
}

// TestTranscripts does the same with what real programs said.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/transcripts/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			got := told(t, dialectOf(file), transcript(t, file))
			golden := filepath.Join("testdata", "transcripts", strings.TrimSuffix(filepath.Base(file), ".jsonl")+".want")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func set(a *txtar.Archive, name string, data []byte) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: data})
}

// dialectOf is what the programs of a transcript speak.
func dialectOf(file string) string {
	name := filepath.Base(file)
	for prefix, dialect := range map[string]string{"codex-as": "mcp", "codex-": "codex", "agentsdk": "claude", "acp": "acp", "mcp": "mcp"} {
		if strings.HasPrefix(name, prefix) && (prefix != "codex-" || !strings.HasPrefix(name, "codex-as")) {
			return dialect
		}
	}
	return "jsonrpc"
}

// recordsOf reads the records of a script. Their times are 10 ms apart.
func recordsOf(t *testing.T, text []byte) []ledger.Record {
	t.Helper()
	var records []ledger.Record
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		who, raw, _ := bytes.Cut(line, []byte(" "))
		r := ledger.Record{At: time.Duration(i) * 10 * time.Millisecond, Raw: raw}
		switch string(who) {
		case "c":
			r.From = parley.SideClient
		case "s":
			r.From = parley.SideServer
		case "?":
			r.At = ledger.Untimed
		default:
			r.What = string(who)
		}
		records = append(records, r)
	}
	return records
}

// transcript reads a transcript.
func transcript(t testing.TB, file string) []ledger.Record {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var records []ledger.Record
	for line := range bytes.Lines(text) {
		var in struct {
			T        float64
			Dir, Raw string
		}
		if err := json.Unmarshal(line, &in); err != nil {
			t.Fatal(err)
		}
		r := ledger.Record{At: time.Duration(in.T * float64(time.Millisecond)), Raw: bytes.TrimRight([]byte(in.Raw), "\r\n")}
		switch in.Dir {
		case "c2s", "sdk->agent":
			r.From = parley.SideClient
		case "s2c", "agent->sdk":
			r.From = parley.SideServer
		default:
			r.What = in.Dir
		}
		records = append(records, r)
	}
	return records
}

// told is what a ledger says of records, in text.
func told(t *testing.T, dialect string, records []ledger.Record) []byte {
	t.Helper()
	d := lookup(t, dialect)
	l := ledger.New(&ledger.Options{Dialect: &d})
	var out bytes.Buffer
	agent := ledger.AgentStarting
	for _, r := range records {
		e := l.Add(r)
		tell(&out, "", &e)
		if e.Agent != agent {
			agent = e.Agent
			fmt.Fprintf(&out, "   the agent is %s\n", agent)
		}
	}
	for _, d := range l.Open() {
		fmt.Fprintf(&out, "open: %s\n", l.Chain(d.Serial))
	}
	a := l.Agent()
	fmt.Fprintf(&out, "agent: %s since %d", a.State, a.Since)
	if a.Reason != "" {
		fmt.Fprintf(&out, " (%s)", a.Reason)
	}
	for _, d := range a.Waiting {
		fmt.Fprintf(&out, ", waiting for %s", d.Name())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// tell writes one entry, and what is in it one step further in.
func tell(out *bytes.Buffer, indent string, e *ledger.Entry) {
	fmt.Fprintf(out, "%s%d %s %s", indent, e.N, e.From, e.Kind)
	if e.Inferred {
		out.WriteString(" (inferred)")
	}
	if id := e.ID.String(); id != "" {
		out.WriteString(" " + id)
	}
	if e.Method != "" {
		out.WriteString(" " + e.Method)
	}
	if e.State != 0 {
		out.WriteString(" [" + e.State.String() + "]")
	}
	if e.Latency != ledger.Untimed {
		out.WriteString(" " + strconv.FormatInt(e.Latency.Milliseconds(), 10) + " ms")
	}
	out.WriteString(": " + e.Why() + "\n")
	for i := range e.Parts {
		tell(out, indent+"   ", &e.Parts[i])
	}
}
