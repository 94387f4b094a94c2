//go:build unix

package toolbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// open loads a file of tools that has to be good.
func open(t testing.TB, text string) *Box {
	t.Helper()
	b, err := Load(write(t, text), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// call calls a tool as a plain method.
func call(t testing.TB, b *Box, name, params string) (any, error) {
	t.Helper()
	return b.Handle(t.Context(), name, message.Raw(params))
}

// text is the result of a plain call that has to succeed.
func text(t testing.TB, b *Box, name, params string) string {
	t.Helper()
	got, err := call(t, b, name, params)
	if err != nil {
		t.Fatalf("%s %.80s: %v", name, params, err)
	}
	s, _ := got.(string)
	return s
}

// failure is the Failure of a plain call that has to fail with one.
func failure(t testing.TB, err error) (f Failure, text string) {
	t.Helper()
	var e *message.Error
	if !errors.As(err, &e) || e.Code != CodeFailed {
		t.Fatalf("got %v, want an error with the code %d", err, CodeFailed)
	}
	if err := e.Data.Decode(&f); err != nil {
		t.Fatal(err)
	}
	return f, e.Message
}

// served returns the MCP tool of that name.
func served(t testing.TB, b *Box, name string) mcp.ServedTool {
	t.Helper()
	for _, tool := range b.Tools() {
		if tool.Tool.Name == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s", name)
	return mcp.ServedTool{}
}

// args prints its arguments one a line, each in brackets, so that a line feed in one shows.
const args = `
  - name: args
    input: {v: {type: string}, w: {type: string, required: false}, n: {type: integer, default: 5}}
    run: [sh, -c, 'for a; do printf "[%s]" "$a"; done', sh, "{v}", "-n{n}", "w={w}", "{{v}}", "a{v}b"]
`

// Whatever a value holds, it stays a part of its argument: no shell sees it, and no
// argument more or less comes of it. What no argument can hold, or would be taken for an
// option, is refused.
func TestValuesStayOneArgument(t *testing.T) {
	b := open(t, "tools:"+args)
	values := []string{
		"plain", "", " two  words ", "$(id)", "`id`", "; rm -rf x", "a && b | c > d", "{v}", "{{v}}", "${HOME}", "*",
		"a\nb\r\nc", "\"'\\", "é\u202e漢", "%s%n", "--", "-", strings.Repeat("x", 100<<10),
	}
	for _, v := range values {
		params, err := message.Encode(map[string]string{"v": v})
		if err != nil {
			t.Fatal(err)
		}
		got, err := call(t, b, "args", params.String())
		if strings.HasPrefix(v, "-") {
			wantRefused(t, err, "/v", "taken for an option")
			continue
		}
		if err != nil {
			t.Errorf("%.40q: %v", v, err)
			continue
		}
		if diff := cmp.Diff(fmt.Sprintf("[%s][-n5][{v}][a%sb]", v, v), got); diff != "" {
			t.Errorf("%.40q (-want +got):\n%.400s", v, diff)
		}
	}
	for params, want := range map[string][2]string{
		`{"v":"-rf"}`:                {"/v", "taken for an option"},
		`{"v":"a\u0000b"}`:           {"/v", "NUL"},
		`{"v":5}`:                    {"/v", "want a string, got 5"},
		`{"v":null}`:                 {"/v", "want a string, got null"},
		`{"v":"x","n":"5"}`:          {"/n", `want an integer, got "5"`},
		`{"v":"x","n":5.5}`:          {"/n", "want an integer, got 5.5"},
		`{"v":"x","n":1e300}`:        {"/n", "all its digits"},
		`{"v":"x","N":5}`:            {"/N", "no such input; it has v, w, n"},
		`{"v":"x","a/b~":5}`:         {"/a~1b~0", "no such input"},
		`{}`:                         {"/v", "required"},
		`["x"]`:                      {"", "no object"},
		`{"v":"x","v":"y"}`:          {"", "no object"},
		`{"v":["x","--force"]}`:      {"/v", `want a string, got ["x","--force"]`},
		`{"_meta":{},"v":"-x"}`:      {"/v", "taken for an option"},
		`{"v":"` + long(500) + `5"}`: {"", ""},
	} {
		_, err := call(t, b, "args", params)
		if want[1] == "" {
			if err != nil {
				t.Errorf("%.40s: %v", params, err)
			}
			continue
		}
		wantRefused(t, err, want[0], want[1])
	}
}

func long(n int) string { return strings.Repeat("y", n) }

func wantRefused(t *testing.T, err error, pointer, reason string) {
	t.Helper()
	var e *message.Error
	var at refusal
	if !errors.As(err, &e) || e.Code != message.CodeInvalidParams || e.Data.Decode(&at) != nil {
		t.Errorf("got %v, want -32602 at %s", err, pointer)
		return
	}
	if at.Pointer != pointer || !strings.Contains(at.Reason, reason) {
		t.Errorf("got %q at %q, want %q at %q", at.Reason, at.Pointer, reason, pointer)
	}
}

// Numbers keep their digits, and integers are written as programs read them.
func TestNumbers(t *testing.T) {
	b := open(t, `
tools:
  - name: show
    input: {n: {type: integer}, f: {type: number, default: 0.5}, b: {type: boolean, default: false}}
    run: [echo, "n={n} f={f} b={b}"]
`)
	for params, want := range map[string]string{
		`{"n":9007199254740993}`:     "n=9007199254740993 f=0.5 b=false\n",
		`{"n":5.0,"f":1e5,"b":true}`: "n=5 f=1e5 b=true\n",
		`{"n":5e3,"f":0.10}`:         "n=5000 f=0.10 b=false\n",
		`{"n": -7 }`:                 "n=-7 f=0.5 b=false\n",
	} {
		if got := text(t, b, "show", params); got != want {
			t.Errorf("%s: got %q, want %q", params, got, want)
		}
	}
}

// An input that may be missing takes its argument along, and its variable; allow_dash
// lets a value be an option.
func TestMissingAndDash(t *testing.T) {
	b := open(t, `
tools:
  - name: show
    allow_dash: true
    input: {o: {type: string, required: false}, p: {type: string, default: -x}}
    run: [sh, -c, 'printf "[%s]" "$@"; echo "${{V-unset}} ${{W-unset}}"', sh, "{o}", "x{o}", "{p}"]
    env: {V: "v{o}", W: w}
  - name: cat
    input: {o: {type: string, required: false}}
    run: [cat]
    stdin: "<{o}>"
`)
	for params, want := range map[string]string{
		`{}`:                     "[-x]unset w\n",
		`{"o":"-rf"}`:            "[-rf][x-rf][-x]v-rf w\n",
		`{"o":"","p":"-"}`:       "[][x][-]v w\n",
		`{"_meta":{"a":1}}`:      "[-x]unset w\n",
		`{"o":"a","_meta":null}`: "[a][xa][-x]va w\n",
	} {
		if got := text(t, b, "show", params); got != want {
			t.Errorf("%s: got %q, want %q", params, got, want)
		}
	}
	if got := text(t, b, "cat", `{}`); got != "<>" {
		t.Errorf("stdin without its value: %q", got)
	}
	if got := text(t, b, "cat", `{"o":"a\u0000-b"}`); got != "<a\x00-b>" {
		t.Errorf("stdin takes any text: %q", got)
	}
}

// 1 MiB of text goes through stdin whole; as an argument the system may refuse it, and
// says so plainly.
func TestLongText(t *testing.T) {
	b := open(t, `
tools:
  - name: count
    input: {text: {type: string}}
    run: [wc, -c]
    stdin: "{text}"
  - name: unread
    input: {text: {type: string}}
    run: ["true"]
    stdin: "{text}"
  - name: argument
    input: {text: {type: string}}
    run: [echo, "{text}"]
`)
	params := `{"text":"` + strings.Repeat(`a\n`, 1<<19) + `"}`
	if got := strings.TrimSpace(text(t, b, "count", params)); got != "1048576" {
		t.Errorf("got %s bytes", got)
	}
	if got := text(t, b, "unread", params); got != "" {
		t.Errorf("got %q", got)
	}
	_, err := call(t, b, "argument", params)
	if runtime.GOOS != "linux" && err == nil {
		return // one argument may be as long as all of them there
	}
	if _, text := failure(t, err); !strings.Contains(text, "too long for this system, the longest with 1048576 bytes") {
		t.Errorf("got %q", text)
	}
}

// A tool has a stdin that is at its end, and never ours (case 099).
func TestStdinIsNull(t *testing.T) {
	b := open(t, `
tools:
  - {name: cat, run: [cat]}
  - {name: kind, run: [sh, -c, "test -c /dev/stdin && echo a device"]}
`)
	if got := text(t, b, "cat", ""); got != "" {
		t.Errorf("got %q", got)
	}
	if got := text(t, b, "kind", ""); got != "a device\n" {
		t.Errorf("got %q", got)
	}
}

// The environment is the small one, with what the tool asks for; the folder is the
// server's, or the tool's.
func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_OURS", "s")
	t.Setenv("WANTED", "w")
	t.Setenv("LC_TIME", "C")
	b := open(t, `
tools:
  - {name: env, run: [env], inherit: [WANTED], env: {LC_TIME: POSIX, NEW: "a b"}}
  - {name: here, run: [pwd]}
  - {name: root, run: [pwd], cwd: /}
`)
	env := strings.Split(text(t, b, "env", "{}"), "\n")
	has := make(map[string]bool)
	for _, entry := range env {
		has[entry] = true
	}
	for _, want := range []string{"WANTED=w", "LC_TIME=POSIX", "NEW=a b", "PATH=" + os.Getenv("PATH")} {
		if !has[want] {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	if has["SECRET_OF_OURS=s"] {
		t.Errorf("the secret is in %q", env)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(text(t, b, "here", "")); got != here {
		t.Errorf("got %s, want %s", got, here)
	}
	if got := strings.TrimSpace(text(t, b, "root", "")); got != "/" {
		t.Errorf("got %s", got)
	}
}

// Paths in the file are taken from its folder.
func TestPathsFromTheFile(t *testing.T) {
	path := write(t, "tools:\n  - {name: run, run: [./sh, -c, pwd], cwd: sub}\n")
	sh := "/bin/sh"
	folder := filepath.Dir(path)
	if err := errors.Join(os.Symlink(sh, filepath.Join(folder, "sh")), os.Mkdir(filepath.Join(folder, "sub"), 0o700)); err != nil {
		t.Fatal(err)
	}
	b, err := Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := strings.TrimSpace(text(t, b, "run", "")); filepath.Base(got) != "sub" {
		t.Errorf("ran in %s", got)
	}
}

// Output over the limit is cut with a mark, at a character; nothing of the rest is kept.
func TestOutputIsCut(t *testing.T) {
	b := open(t, `
tools:
  - {name: cut, run: [printf, "%s", "ééééé"], max_output: 5}
  - {name: whole, run: [printf, "%s", "éé"], max_output: 4}
  - {name: bad, run: [printf, '\377a'], max_output: 2}
  - {name: much, run: [sh, -c, "head -c 104857600 /dev/zero | tr '\\0' x"]}
  - {name: both, run: [sh, -c, "head -c 104857600 /dev/zero | tr '\\0' x | tee /dev/stderr"]}
`)
	for name, want := range map[string]string{
		"cut":   "éé\n[cut here: 6 bytes more]",
		"whole": "éé",
		"bad":   "\uFFFDa",
	} {
		if got := text(t, b, name, ""); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"much", "both"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := text(t, b, name, "")
		runtime.ReadMemStats(&after)
		if !strings.HasSuffix(got, "\n[cut here: 103809024 bytes more]") || len(got) > 1<<20+100 {
			t.Errorf("%s: %d bytes that end with %q", name, len(got), got[len(got)-50:])
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
			t.Errorf("%s: 100 MiB of output cost %d bytes of memory", name, grown)
		}
	}
}

// JSON is checked against what the tool promises, and passed on as it is.
func TestJSONOutput(t *testing.T) {
	b := open(t, `
tools:
  - name: json
    input: {text: {type: string}}
    run: [cat]
    stdin: "{text}"
    output: json
    max_output: 100
    output_schema:
      type: object
      properties: {n: {type: integer, minimum: 1}}
      required: [n]
`)
	give := func(text string) string {
		params, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(params)
	}
	got, err := call(t, b, "json", give(" {\"n\": 9007199254740993,\n \"x\": [1.0]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"n": 9007199254740993,  "x": [1.0]}`; got.(message.Raw).String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	result, err := served(t, b, "json").Call(t.Context(), message.Raw(give(`{"n":2}`)))
	if err != nil {
		t.Fatal(err)
	}
	want := &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(`{"n":2}`)}, StructuredContent: message.Raw(`{"n":2}`)}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for in, want := range map[string]string{
		"":                      "json wrote no JSON",
		"{":                     "json wrote no JSON: ",
		"{} {}":                 "json wrote no JSON: ",
		`{"n":0}`:               "json wrote JSON that its output_schema does not allow: ",
		`[1]`:                   "json wrote JSON that its output_schema does not allow: ",
		`"` + long(200) + `"`:   "json wrote more than its max_output of 100 bytes",
		`{"n":1,"s":"` + "\xff": "json wrote no JSON: ",
	} {
		_, err := call(t, b, "json", give(in))
		if _, text := failure(t, err); !strings.HasPrefix(text, want) {
			t.Errorf("%q: got %q, want %q", in, text, want)
		}
	}
}
