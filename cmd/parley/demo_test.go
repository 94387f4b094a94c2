package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// referenceChild is this program, as TestMain has put it into the PATH.
var referenceChild = spawn.Command{Path: "parley", Args: []string{"serve", "--reference"}}

// wide is a look in which no line is folded, so that each record is whole.
var wide = term.Look{Width: 10_000}

// demoText runs the demo, or one section of it.
func demoText(t *testing.T, look term.Look, only int) string {
	t.Helper()
	var out bytes.Buffer
	err := runDemo(t.Context(), &stage{out: &out, look: look}, demoSections(referenceChild), only)
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return out.String()
}

// shownLine finds a wire line in what is shown unfolded.
var shownLine = regexp.MustCompile(`(?m)^ {2}([→←]) (.*?)(?: {3}.*)?$`)

// shownRow finds a row of the sum.
var shownRow = regexp.MustCompile(`(?m)^ {4}(.+?) {2,}(\d+) +(\d+)$`)

// recount reads the shown lines on its own, with another JSON library and by the plain
// words of the two protocols, and returns the sum that they should have.
func recount(t *testing.T, text string) map[string][2]int {
	t.Helper()
	got := map[string][2]int{}
	bump := func(row string, dir int) {
		n := got[row]
		n[dir]++
		got[row] = n
	}
	count := func(raw []byte, dir int) {
		var m struct {
			JSONRPC, Type, Method, ID, Result, Error json.RawMessage
		}
		broken := json.Unmarshal(raw, &m) != nil
		switch {
		case broken:
			bump("bad", dir)
		case m.JSONRPC != nil && string(m.ID) == "null":
			// it refuses a bad line
		case m.JSONRPC != nil && m.Method != nil && m.ID == nil:
			bump("free", dir)
		case m.JSONRPC != nil && m.Result == nil && m.Error == nil:
			bump("asked", dir)
		case m.JSONRPC != nil:
			bump("answered", 1-dir)
		case string(m.Type) == `"control_request"`:
			bump("asked", dir)
		case string(m.Type) == `"control_response"`:
			bump("answered", 1-dir)
		default:
			bump("free", dir)
		}
	}
	for _, m := range shownLine.FindAllStringSubmatch(text, -1) {
		dir := map[string]int{"→": 0, "←": 1}[m[1]]
		bump("lines", dir)
		var batch []json.RawMessage
		if json.Unmarshal([]byte(m[2]), &batch) != nil {
			batch = []json.RawMessage{json.RawMessage(m[2])}
		}
		for _, raw := range batch {
			count(raw, dir)
		}
	}
	return got
}

// The sum at the end is what anybody finds who counts the lines above it, and nothing
// is owed but what the last section is about.
func TestDemoSum(t *testing.T) {
	text := demoText(t, wide, 0)
	want := recount(t, text)
	rows := map[string][2]int{}
	for _, m := range shownRow.FindAllStringSubmatch(text, -1) {
		var n [2]int
		fmt.Sscan(m[2], &n[0])
		fmt.Sscan(m[3], &n[1])
		rows[m[1]] = n
	}
	got := map[string][2]int{
		"lines":    rows["lines"],
		"asked":    rows["asked: calls"],
		"answered": rows["answered"],
		"free":     rows["notes and events, which are owed nothing"],
		"bad":      rows["bad lines, which name no call"],
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the sum is not that of the lines (-lines +sum):\n%s\n%s", diff, text)
	}
	asked, answered := got["asked"], got["answered"]
	if asked[0] != answered[0] || asked[1] != answered[1]+1 || asked[0] == 0 || answered[1] == 0 {
		t.Errorf("asked %v, answered %v; want the same but for one approval, and some each way", asked, answered)
	}
	if owed := rows["still owed"]; owed != [2]int{0, 1} {
		t.Errorf("still owed: %v, want 0 and 1", owed)
	}
}

// Each section is there, in order and under its number, with lines and with a lesson.
func TestDemoSections(t *testing.T) {
	text := demoText(t, wide, 0)
	heads := regexp.MustCompile(`(?m)^([ 1]\d) {2}(\S.*)\n {4}(\S.*)$`).FindAllStringSubmatchIndex(text, -1)
	if len(heads) != 14 {
		t.Fatalf("%d sections, want 14:\n%s", len(heads), text)
	}
	for i, at := range heads {
		if got := strings.TrimSpace(text[at[2]:at[3]]); got != fmt.Sprint(i+1) {
			t.Errorf("section %d has number %s", i+1, got)
		}
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		if body := text[at[1]:end]; !regexp.MustCompile(`(?m)^ {2}[→←…] `).MatchString(body) {
			t.Errorf("section %d shows no line:\n%s", i+1, body)
		}
	}
}

func TestDemoShowsWhatItSays(t *testing.T) {
	tests := []struct {
		section int
		name    string
		want    []string // patterns that follow each other
	}{
		{1, "a call and its answer", []string{`→ .*"id":1,"method":"add"`, `← .*"id":1,"result":8`}},
		{2, "all five codes", []string{`← .*-32700`, `← .*-32600`, `← .*-32601`, `← .*-32602`, `← .*-32603`}},
		{3, "no line comes back for the note", []string{`→ {"jsonrpc":"2.0","method":"note"`, `→ .*"id":1`, `← .*"id":1,"result":\[{`}},
		{4, "one array there, one back", []string{`→ \[{.*"add".*"note".*"multiply".*\]`, `← \[{.*"result":8},{.*"result":42}\]`}},
		{5, "the answer after the refusal", []string{`→ {broken`, `→ .*"echo"`, `← .*"id":null.*-32700`, `← .*"id":1,"result"`}},
		{6, "two reports, then the answer", []string{`← .*\$/progress.*"progress":1`, `← .*\$/progress.*"progress":2`, `← .*"id":1,"result":2`}},
		{7, "the server's own id 1", []string{`→ .*"id":1,"method":"callback"`, `← .*"id":1,"method":"confirm"`, `→ .*"id":1,"result":"yes"`, `← .*"id":1,"result":"yes"`}},
		{8, "the last first", []string{`→ .*"id":3`, `owed: ids 1, 2, 3`, `← .*"id":3`, `← .*"id":2`, `← .*"id":1`}},
		{9, "one in, four out", []string{`→ {"type":"user","text":"列出当前目录"}   .*no id: owes nothing`, `← .*progress`, `← .*output`, `← .*output`, `← .*done`}},
		{10, "nothing of an array until its end", []string{`… \[.*1 written, 0 to be read`, `4 written, 0 to be read`, `4 events as lines: 4`}},
		{11, "the stray line and the event after it", []string{`← warning.*skipped`, `← {"type":"output"`}},
		{12, "the request_id comes back inside", []string{`← {"type":"control_request","request_id":"req_1_5f3a9c27"`, `→ .*"response":{"subtype":"success","request_id":"req_1_5f3a9c27"`}},
		{13, "the child and the memory agree", []string{`← .*"result":8}.*as in memory`, `← \[.*as in memory`, `exited with code 0`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := demoText(t, wide, test.section)
			if n := strings.Count(text, "\n "+fmt.Sprint(test.section)+"  ") + strings.Count(text, "\n"+fmt.Sprint(test.section)+"  "); n != 1 {
				t.Errorf("section %d is there %d times", test.section, n)
			}
			rest := text
			for _, pattern := range test.want {
				at := regexp.MustCompile(pattern).FindStringIndex(rest)
				if at == nil {
					t.Fatalf("no %s, or not in this order:\n%s", pattern, text)
				}
				rest = rest[at[1]:]
			}
			if strings.Contains(text, "NOT as in memory") {
				t.Errorf("the child differs:\n%s", text)
			}
		})
	}
}

// Only the section that is asked for is shown.
func TestDemoSectionAlone(t *testing.T) {
	text := demoText(t, wide, 5)
	if heads := regexp.MustCompile(`(?m)^[ 1]\d {2}.*$`).FindAllString(text, -1); len(heads) != 1 || !strings.HasPrefix(heads[0], " 5  ") {
		t.Errorf("shown are %q, want section 5 only", heads)
	}
	if lines := shownLine.FindAllString(text, -1); len(lines) != 4 {
		t.Errorf("%d lines, want 4:\n%s", len(lines), text)
	}
}

// In 80 columns no line is longer, no id is cut and nothing is lost.
func TestDemoFolds(t *testing.T) {
	narrow, whole := demoText(t, term.Look{Width: 80}, 12), demoText(t, wide, 12)
	for text := range strings.Lines(narrow) {
		if n := lipgloss.Width(strings.TrimSuffix(text, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, text)
		}
	}
	const id = `"req_1_5f3a9c27"`
	if got, want := strings.Count(narrow, id), strings.Count(whole, id); got != want || want != 2 {
		t.Errorf("the id is there %d times in 80 columns, and %d times in one line each; want 2", got, want)
	}
	squeeze := strings.NewReplacer(" ", "", "\n", "")
	if diff := cmp.Diff(squeeze.Replace(whole), squeeze.Replace(narrow)); diff != "" {
		t.Errorf("folding changes the text:\n%s", diff)
	}
}

// ansi is what colours.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// parleyDemo runs the command as main does.
func parleyDemo(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(append([]string{"demo"}, args...), &app{
		stdin:  strings.NewReader(""),
		stdout: &out,
		stderr: &errs,
		getenv: func(name string) string { return env[name] },
	})
	return code, out.String(), errs.String()
}

// Colour changes nothing but the colour.
func TestDemoColour(t *testing.T) {
	code, plain, _ := parleyDemo(t, nil, "--section", "1")
	if code != 0 || strings.Contains(plain, "\x1b") {
		t.Errorf("exit code %d, and plain output must have no escape:\n%q", code, plain)
	}
	code, coloured, _ := parleyDemo(t, map[string]string{"CLICOLOR_FORCE": "1"}, "--section", "1")
	if code != 0 || !strings.Contains(coloured, "\x1b[") {
		t.Errorf("exit code %d, and forced colour must show:\n%q", code, coloured)
	}
	if diff := cmp.Diff(plain, ansi.ReplaceAllString(coloured, "")); diff != "" {
		t.Errorf("without its colours the text differs:\n%s", diff)
	}
	_, off, _ := parleyDemo(t, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "--section", "1")
	if off != plain {
		t.Errorf("NO_COLOR must win:\n%q", off)
	}
}

func TestDemoUsage(t *testing.T) {
	for _, args := range [][]string{{"--section", "99"}, {"--section", "0"}, {"--section", "-1"}, {"--section", "x"}, {"1"}} {
		code, stdout, stderr := parleyDemo(t, nil, args...)
		if code != 2 || stdout != "" || !strings.HasPrefix(stderr, "parley: ") {
			t.Errorf("demo %v: exit code %d, stdout %q, stderr %q; want 2 and an error only", args, code, stdout, stderr)
		}
	}
}

// The demo is a check as well: whatever does not go as a section says is told, and
// fails it, and the other sections still run.
func TestDemoTellsWhatDiffers(t *testing.T) {
	quiet := func(ctx context.Context, c *parley.Conn) error { return reference.Remember.Send(ctx, c, nil) }
	tests := []struct {
		name string
		run  func(context.Context, *stage) error
		want string
	}{
		{"a line that does not come", talk(quiet, "a note", "an answer"), "1 more lines should have come: an answer"},
		{"a line too many", talk(addTwo, "a call"), "a line that this section does not expect"},
		{"another result", talk(func(ctx context.Context, c *parley.Conn) error {
			result, err := reference.Add.Call(ctx, c, operands("1", "1"))
			return claim("add", result, err, "3")
		}, "a call", "an answer"), "add returned 2, not 3"},
		{"an answer that is owed", func(_ context.Context, s *stage) error {
			s.show(parley.Outbound, []byte(`{"jsonrpc":"2.0","id":7,"method":"m"}`), "a call")
			return nil
		}, "still owed by the server: call 7 (m)"},
		{"an answer to nothing", func(_ context.Context, s *stage) error {
			s.show(parley.Inbound, []byte(`{"jsonrpc":"2.0","id":7,"result":1}`), "an answer")
			return nil
		}, "1 answers that nobody asked for"},
		{"a child that is not there", func(ctx context.Context, s *stage) error {
			return compareWithChild(ctx, s, spawn.Command{Path: "/no/such/program"})
		}, "no such file"},
		{"a child that ends at once", func(ctx context.Context, s *stage) error {
			return compareWithChild(ctx, s, spawn.Command{Path: "parley", Args: []string{"version"}})
		}, "the child"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			good := section{title: "a good one", speaks: parley.JSONRPC, run: talk(addTwo, "a call", "an answer")}
			bad := section{title: "a bad one", speaks: parley.JSONRPC, run: test.run}
			err := runDemo(t.Context(), &stage{out: &out, look: wide}, []section{bad, good}, 0)
			var f *failure
			if !errors.As(err, &f) || f.code != exitAnswer {
				t.Errorf("the demo ended with %v, want a failure with exit code 1", err)
			}
			text := out.String()
			at := strings.Index(text, "a good one")
			if at < 0 || !strings.Contains(text[:at], "DIFFERS: ") || strings.Contains(text[at:], "DIFFERS: ") {
				t.Errorf("the bad section must be told, and only that:\n%s", text)
			}
			if !strings.Contains(text, test.want) {
				t.Errorf("no %q in:\n%s", test.want, text)
			}
		})
	}
}

// A child that answers otherwise than the memory is found out.
func TestVerdict(t *testing.T) {
	known := map[string]int{`{"jsonrpc":"2.0","id":1,"result":8}`: 1, `{"jsonrpc":"2.0","id":2,"result":9}`: 1}
	tests := []struct{ name, rec, want string }{
		{"a batch is compared member by member, in any order", `[{"id":2,"jsonrpc":"2.0","result":9}, {"jsonrpc":"2.0","id":1,"result":8}]`, ", as in memory"},
		{"an answer counts once", `{"jsonrpc":"2.0","id":1,"result":8}`, ", NOT as in memory"},
		{"what is no message never was in memory", `boo`, ", NOT as in memory"},
	}
	for _, test := range tests {
		if got := verdict(known, []byte(test.rec)); got != test.want {
			t.Errorf("%s: verdict(%s) = %q, want %q", test.name, test.rec, got, test.want)
		}
	}
}

// Nobody who reads ends the demo, and its error says why.
func TestDemoOutputBreaks(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	ran := false
	second := section{speaks: parley.JSONRPC, run: func(context.Context, *stage) error { ran = true; return nil }}
	first := section{speaks: parley.JSONRPC, run: talk(addTwo, "a call", "an answer")}
	err := runDemo(t.Context(), &stage{out: w, look: wide}, []section{first, second}, 0)
	f, ok := errors.AsType[*failure](err)
	if !ok || f.code != exitAnswer || !strings.Contains(f.text, "closed pipe") || ran {
		t.Errorf("the demo ended with %v and went on: %v; want a closed pipe, and an end", err, ran)
	}
}

// An interrupted demo says so; its exit code is that of an interrupt.
func TestDemoInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first := section{speaks: parley.JSONRPC, run: func(context.Context, *stage) error { cancel(); return ctx.Err() }}
	err := runDemo(ctx, &stage{out: io.Discard, look: wide}, []section{first}, 0)
	var f *failure
	if !errors.As(err, &f) || f.code != exitInterrupted {
		t.Errorf("the demo ended with %v, want a failure with exit code 130", err)
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct{ rec, want string }{
		{`{"jsonrpc":"2.0","id":"a","method":"m"}`, `call "a"`},
		{`{"jsonrpc":"2.0","method":"m"}`, "a note"},
		{`{"jsonrpc":"2.0","id":3,"result":null}`, "answer 3"},
		{`[{"jsonrpc":"2.0","method":"m"},1]`, "a batch of 2"},
		{`{`, message.CodeParseError.String()},
	}
	for _, test := range tests {
		if got := describe([]byte(test.rec)); !strings.HasPrefix(got, test.want) {
			t.Errorf("describe(%s) = %q, want %q", test.rec, got, test.want)
		}
	}
}

// A line is shown as soon as it is there: this agent writes its next one only when the
// host has had the last, so that a host that waited for more would wait for ever.
func TestDemoShowsLinesAsTheyArrive(t *testing.T) {
	s := &stage{out: io.Discard, look: wide}
	s.count.begin(claude.Dialect)
	s.expect("the prompt", "one", "two", "three")
	seen := make(chan struct{})
	err := s.converse(t.Context(), func(stream frame.Stream) error {
		for _, e := range doings[:3] {
			if err := writeEvent(stream, e); err != nil {
				return err
			}
			<-seen
		}
		return nil
	}, func(frame.Stream, []byte) error {
		seen <- struct{}{}
		return nil
	})
	if err := errors.Join(err, s.end()); err != nil {
		t.Error(err)
	}
}
