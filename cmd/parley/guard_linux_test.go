package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// launchers are commands that start the real server and wait for it, as npx and its like
// do. Each leaves the process ids of both.
var launchers = []struct {
	is      string
	command string
}{
	{"a server that ends with its stdin", `exec 3<&0; parley serve --reference <&3 & echo $! >server.pid; echo $$ >launcher.pid; wait`},
	{"a server that ignores the end of its stdin", `sleep 600 & echo $! >server.pid; echo $$ >launcher.pid; wait`},
	{"a server that ignores SIGTERM as well", `trap "" TERM; sleep 600 & echo $! >server.pid; echo $$ >launcher.pid; wait`},
}

func TestNothingIsLeftWhenTheToolIsKilled(t *testing.T) {
	t.Parallel()
	side := sideBySide{t: t}
	defer side.wait()
	for _, l := range launchers {
		side.run(l.is, func(t *testing.T) {
			killTool(t, l.command, "call", "sleep", "ms:=60000")
		})
	}
	// Every command that starts another goes through the same guard.
	for _, command := range [][]string{{"call", "-f", "-"}, {"bench", "call", "sleep", "ms:=60000"}, {"bench", "cold"}} {
		side.run(strings.Join(command, " "), func(t *testing.T) {
			killTool(t, launchers[1].command, command...)
		})
	}
}

// killTool kills the tool when launcher and server run, and fails unless all goes.
func killTool(t *testing.T, launcher string, args ...string) {
	r := newTool(t, append(args, "--", "sh", "-c", launcher)...)
	lines, _ := r.StdinPipe() // a file of calls may wait for its next line for ever
	defer lines.Close()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	left := []int{r.pid("launcher"), r.pid("server"), r.guardOf()}
	signalled(r.Process.Pid, syscall.SIGKILL)
	killed := time.Now()
	_ = r.Wait()
	for i, name := range []string{"launcher", "server", "guard"} {
		await(t, "the end of the "+name, func() bool { return !runs(left[i]) })
	}
	// The guard gives a second.
	if took := time.Since(killed); late(t, took, 3*time.Second) {
		t.Errorf("it took %v until all had gone, want at most 3 s", took)
	}
}

func TestTheSecondInterruptLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newTool(t, "call", "-v", "sleep", "ms:=60000", "--", "sh", "-c", launchers[2].command)
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	left := []int{r.pid("launcher"), r.pid("server"), r.guardOf()}
	// The first one begins the ladder, which the server makes take four seconds; the one
	// after it, however often it takes, is the end of our patience.
	await(t, "the tool to end", func() bool {
		signalled(r.Process.Pid, syscall.SIGINT)
		state, _ := processStat(r.Process.Pid)
		return state == "Z"
	})
	_ = r.Wait()
	for i, name := range []string{"launcher", "server", "guard"} {
		await(t, "the end of the "+name, func() bool { return !runs(left[i]) })
	}
}

func TestTheGuardLeavesWithTheTool(t *testing.T) {
	t.Parallel()
	r := newTool(t, "call", "-f", "-", "--", "parley", "serve", "--reference")
	lines, _ := r.StdinPipe()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	guard := r.guardOf()
	if state, _ := os.Readlink("/proc/" + itoa(guard) + "/fd/1"); state != os.DevNull {
		t.Errorf("the guard holds %s as its stdout, so that a reader of ours would not see the end", state)
	}
	_ = lines.Close()
	if err := r.Wait(); err != nil {
		t.Fatal(err, r.stderr.String())
	}
	// Reaped, and not only ended: process 1 of a container may reap nobody.
	if state, _ := processStat(guard); state != "" {
		t.Errorf("the guard is in state %s after the end, want no trace of it", state)
	}
}

func TestAGuardThatIsGoneIsNoFailure(t *testing.T) {
	t.Parallel()
	r := newTool(t, "call", "-f", "-", "--", "parley", "serve", "--reference")
	lines, _ := r.StdinPipe()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	guard := r.guardOf()
	signalled(guard, syscall.SIGKILL)
	await(t, "the end of the guard", func() bool { return !runs(guard) })
	_, _ = io.WriteString(lines, `{"method":"nil"}`+"\n")
	_ = lines.Close()
	if err := r.Wait(); err != nil || r.stdout.String() != `{"id":1,"result":null}`+"\n" || r.stderr.Len() > 0 {
		t.Errorf("%v, stdout %q, stderr %q", err, &r.stdout, &r.stderr)
	}
}

// TestGuardObeys drives a guard by its orders, with groups of our own.
func TestGuardObeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		is     string
		orders func(pid string) string
		ends   bool
	}{
		{"a group that it was told of is ended at EOF", func(pid string) string { return "+" + pid + "\n" }, true},
		{"an order without a newline counts: it is whole", func(pid string) string { return "+" + pid }, true},
		{"a group that has gone is not signalled: its id may be another's", func(pid string) string { return "+" + pid + "\n-" + pid + "\n" }, false},
		{"what is no order is passed over", func(pid string) string { return "\nx\n+\n0\n1\n-1\n+99999999999999999999\n" }, false},
		{"no order at all", func(string) string { return "" }, false},
	} {
		t.Run(c.is, func(t *testing.T) {
			t.Parallel()
			group := exec.Command("sleep", "600")
			group.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := group.Start(); err != nil {
				t.Fatal(err)
			}
			defer group.Wait()
			defer group.Process.Kill()
			r := newTool(t, guardWord)
			r.Stdin = strings.NewReader(c.orders(itoa(group.Process.Pid)))
			code, _ := r.play()
			if code != 0 || r.stdout.Len()+r.stderr.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, &r.stdout, &r.stderr)
			}
			if got := !runs(group.Process.Pid); got != c.ends {
				t.Errorf("the group has ended: %v, want %v", got, c.ends)
			}
		})
	}
}

func TestGuardKeepsNoReaderWaiting(t *testing.T) {
	t.Parallel()
	// The reader of our output sees its end although the guard has a second to work.
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := newTool(t, "call", "-v", "sleep", "ms:=60000", "--", "sh", "-c", `exec >/dev/null 2>&1; `+launchers[2].command)
	r.Stdout, r.Stderr = theirs, theirs
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	server, guard := r.pid("server"), r.guardOf()
	signalled(guard, syscall.SIGSTOP) // it cannot even begin
	signalled(r.Process.Pid, syscall.SIGKILL)
	_ = r.Wait()
	if _, err := io.ReadAll(out); err != nil {
		t.Error(err)
	}
	if !runs(server) {
		t.Error("the server has gone before the guard went on, so that this shows nothing")
	}
	signalled(guard, syscall.SIGCONT)
	await(t, "the end of the server", func() bool { return !runs(server) })
	await(t, "the end of the guard", func() bool { return !runs(guard) })
}
