package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The cases that are about processes, at the level of the tool: each ends as it should
// and within its time, and nothing of it is left.

// server answers one call, leaves its process id, and goes on as $1 says.
const server = `echo $$ >server.pid; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":7}'; `

func TestTheEndIsBounded(t *testing.T) {
	t.Parallel()
	side := sideBySide{t: t}
	defer side.wait()
	for _, c := range []struct {
		is      string
		command string
		within  time.Duration
	}{
		{"081: a server that ignores the end of its stdin is ended by SIGTERM", server + `exec sleep 600`, 4 * time.Second},
		{"081: one that ignores SIGTERM too is killed", `trap "" TERM; ` + server + `exec sleep 600`, 6 * time.Second},
		{
			"085: so is one behind a launcher that has ended already",
			`trap "" TERM; sleep 600 & echo $! >server.pid; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":7}'`, 6 * time.Second,
		},
		{
			"085: and one whose launcher waits for it",
			`trap "" TERM; sleep 600 & echo $! >server.pid; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":7}'; wait`, 6 * time.Second,
		},
		{
			"a server that has left the group and holds our streams open keeps nobody waiting",
			`echo $$ >server.pid; setsid sleep 5 & read -r line; echo '{"jsonrpc":"2.0","id":1,"result":7}'`, 4 * time.Second,
		},
	} {
		side.run(c.is, func(t *testing.T) {
			r := newTool(t, "call", "x", "--", "sh", "-c", c.command)
			code, took := r.play()
			if code != 0 || r.stdout.String() != "7\n" || r.stderr.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, &r.stdout, &r.stderr)
			}
			if late(t, took, c.within) {
				t.Errorf("it took %v, want less than %v", took, c.within)
			}
			if runs(r.pid("server")) {
				t.Error("the server is still there")
			}
		})
	}
}

func TestServeEndsWithItsStdin(t *testing.T) {
	t.Parallel()
	for _, framing := range framings {
		t.Run("083: framing "+framing, func(t *testing.T) {
			t.Parallel()
			r := newTool(t, "serve", "--reference", "--framing", framing) // no stdin is /dev/null
			if code, took := r.play(); code != 0 || r.stdout.Len()+r.stderr.Len() > 0 || late(t, took, 2*time.Second) {
				t.Errorf("after %v exit code %d, stdout %q, stderr %q", took, code, &r.stdout, &r.stderr)
			}
		})
	}
}

func TestAClientThatHasGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		is     string
		stderr bool // closed too
		input  string
	}{
		{"087: both pipes are closed before the answer", false, `{"jsonrpc":"2.0","id":1,"method":"sleep","params":{"ms":200}}`},
		{"087: and nobody reads stderr either", true, `{"jsonrpc":"2.0","id":1,"method":"sleep","params":{"ms":200}}` + "\n{broken\n" + `{"jsonrpc":"2.0","id":2,"method":"panic"}`},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			r := newTool(t, "serve", "--reference", "-v")
			in, _ := r.StdinPipe()
			r.Stdout, r.Stderr = nil, nil
			out, _ := r.StdoutPipe()
			told, _ := r.StderrPipe()
			if err := r.Start(); err != nil {
				t.Fatal(err)
			}
			// It has read the call when it shows it. It goes on after we have gone.
			lines := bufio.NewReader(told)
			fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"sleep","params":{"ms":200}}`)
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if c.stderr {
				_ = told.Close()
			}
			_ = out.Close()
			fmt.Fprintln(in, c.input)
			_ = in.Close()
			left := time.Now()
			var stderr []byte
			if !c.stderr {
				stderr, _ = io.ReadAll(lines)
			}
			err := r.Wait()
			if took := time.Since(left); err != nil || late(t, took, 2*time.Second) {
				t.Errorf("after %v: %v, want exit code 0 within 2 s", took, err)
			}
			if bytes.Contains(stderr, []byte("goroutine ")) || bytes.Contains(stderr, []byte("panic:")) {
				t.Errorf("stderr has a stack:\n%s", stderr)
			}
		})
	}
}

func TestAChildThatDies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		is      string
		command []string
		tells   string
	}{
		{"093: at once", []string{"false"}, "parley: x was not answered: the server \"false\" exited with code 1\n"},
		{
			"093: when it has read the call", []string{"sh", "-c", `read -r line; echo "boom: no config" >&2; exit 7`},
			"boom: no config\nparley: x was not answered: the server \"sh\" exited with code 7\n",
		},
		{
			"093: by kill -9", []string{"sh", "-c", `read -r line; echo "going" >&2; kill -9 $$`},
			"going\nparley: x was not answered: the server \"sh\" was ended by SIGKILL\n",
		},
		{
			"in the middle of a record", []string{"sh", "-c", `read -r line; printf '{"jsonrpc":"2.0","id":1,"res'; exit 3`},
			"parley: line 1 of the server's output is no message: {\"jsonrpc\":\"2.0\",\"id\":1,\"res\n" +
				"parley: x was not answered: the server \"sh\" exited with code 3\n",
		},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			// The case asks for 500 ms. A machine under load may take longer now and then; a
			// tool that waits for a time of its own takes it each time.
			best := awaited
			for try := 0; try < 5 && best >= 500*time.Millisecond; try++ {
				r := newTool(t, append([]string{"call", "x", "--"}, c.command...)...)
				code, took := r.play()
				if best = min(best, took); code != int(exitDied) || r.stdout.Len() > 0 || !strings.HasPrefix(r.stderr.String(), c.tells) {
					t.Fatalf("exit code %d, stdout %q, stderr %q, want %q", code, &r.stdout, &r.stderr, c.tells)
				}
			}
			if late(t, best, 500*time.Millisecond) {
				t.Errorf("the fastest of five took %v, want less than 500 ms", best)
			}
		})
	}
}

// dropped is the line that stands for what our reader was too slow for, which a machine
// under load may be.
var dropped = regexp.MustCompile(`\n\[(\d+) bytes of stderr dropped here: .*\]\n`)

// allOf is how many bytes a child's stderr had.
func allOf(copied string) int {
	total := len(dropped.ReplaceAllString(copied, ""))
	for _, gap := range dropped.FindAllStringSubmatch(copied, -1) {
		n, _ := strconv.Atoi(gap[1])
		total += n
	}
	return total
}

func TestAChildThatLogsALot(t *testing.T) {
	t.Parallel()
	calls := strings.Repeat(`{"method":"x"}`+"\n", 10)
	const answer = `; i=0; while read -r line; do i=$((i+1)); noise; printf '{"jsonrpc":"2.0","id":%d,"result":%d}\n' $i $i; done`
	for _, c := range []struct {
		is      string
		command string
	}{
		{"095: 256 KiB in lines before each of ten answers", `noise() { yes "a line of the log" | head -c 262144 >&2; }` + answer},
		{"095: and without a newline", `noise() { head -c 262144 /dev/zero | tr '\0' x >&2; }` + answer},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			r := newTool(t, "call", "-f", "-", "--", "sh", "-c", c.command)
			r.Stdin = strings.NewReader(calls)
			code, took := r.play()
			if got := strings.Count(r.stdout.String(), `"result"`); code != 0 || got != 10 || late(t, took, 5*time.Second) {
				t.Errorf("after %v exit code %d with %d answers, want 10 within 5 s", took, code, got)
			}
			if got := allOf(r.stderr.String()); got != 10*262144 {
				t.Errorf("%d bytes of stderr came through or are said to be missing, want %d", got, 10*262144)
			}
		})
		t.Run(c.is+", while nobody reads our stderr", func(t *testing.T) {
			t.Parallel()
			r := newTool(t, "call", "-f", "-", "--", "sh", "-c", c.command)
			r.Stdin, r.Stderr = strings.NewReader(calls), nil
			stuck, theirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stuck.Close()
			r.Stderr = theirs
			defer theirs.Close()
			code, took := r.play()
			if got := strings.Count(r.stdout.String(), `"result"`); code != 0 || got != 10 || late(t, took, 5*time.Second) {
				t.Errorf("after %v exit code %d with %d answers, want 10 within 5 s", took, code, got)
			}
		})
	}
}

// Case 095 from the other side: nobody reads what a server says on stderr.
func TestServeAnswersThoughNobodyReadsStderr(t *testing.T) {
	t.Parallel()
	const bad = 20_000
	r := newTool(t, "serve", "--reference", "-v")
	r.Stdin = strings.NewReader(strings.Repeat("{broken\n", bad) + `{"jsonrpc":"2.0","id":1,"method":"nil"}`)
	stuck, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	defer theirs.Close()
	r.Stderr = theirs
	code, took := r.play()
	if got := strings.Count(r.stdout.String(), "\n"); code != 0 || got != bad+1 {
		t.Errorf("after %v exit code %d with %d answers, want %d", took, code, got, bad+1)
	}
}

func TestEnvironmentOfAChild(t *testing.T) {
	t.Parallel()
	const reports = `read -r line; printf '{"jsonrpc":"2.0","id":1,"result":["%s","%s","%s"]}\n' "$PATH" "$HOME" "$API_KEY"`
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	path, home := os.Getenv("PATH"), "/home/of/case/097"
	for _, c := range []struct {
		is    string
		flags []string
		want  [3]string
	}{
		{"097: a variable is added to ours", []string{"--env", "API_KEY=x"}, [3]string{path, home, "x"}},
		{"097: none means no change", nil, [3]string{path, home, ""}},
		{"one of ours can be set anew, the last time counts", []string{"--env", "HOME=/a", "--env", "HOME=/b"}, [3]string{path, "/b", ""}},
		{"an empty value is a value", []string{"--env", "HOME="}, [3]string{path, "", ""}},
		{"a value may hold what it likes", []string{"--env", "API_KEY=a=b,c d"}, [3]string{path, home, "a=b,c d"}},
		{"097: --clear-env leaves only what is set", []string{"--clear-env", "--env", "PATH=/x", "--env", "API_KEY=x"}, [3]string{"/x", "", "x"}},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			r := newTool(t, append(append([]string{"call", "x"}, c.flags...), "--", shell, "-c", reports)...)
			r.Env = append(os.Environ(), "HOME="+home)
			code, _ := r.play()
			if want := fmt.Sprintf("[%q,%q,%q]\n", c.want[0], c.want[1], c.want[2]); code != 0 || r.stdout.String() != want {
				t.Errorf("exit code %d, stderr %q\n got %s want %s", code, &r.stderr, &r.stdout, want)
			}
		})
	}
}

func TestHangupIgnoredByNohup(t *testing.T) {
	t.Parallel()
	r := newTool(t, "call", "x", "--", "sh", "-c", `trap "" HUP; kill -HUP $PPID; read -r line; echo '{"jsonrpc":"2.0","id":1,"result":7}'`)
	r.Args = append([]string{"sh", "-c", `trap "" HUP; exec parley "$@"`}, r.Args...)
	r.Path, _ = exec.LookPath("sh")
	if code, _ := r.play(); code != 0 || r.stdout.String() != "7\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &r.stdout, &r.stderr)
	}
}

func TestHangupIsAnInterrupt(t *testing.T) {
	t.Parallel()
	r := newTool(t, "call", "-v", "sleep", "ms:=60000", "--", "sh", "-c", launchers[1].command)
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	server := r.pid("server")
	signalled(r.Process.Pid, syscall.SIGHUP)
	_ = r.Wait()
	if code := r.ProcessState.ExitCode(); code != int(exitInterrupted) || !strings.Contains(r.stderr.String(), "parley: interrupted") {
		t.Errorf("exit code %d, stderr %q", code, &r.stderr)
	}
	if runs(server) {
		t.Error("the server is still there")
	}
}
