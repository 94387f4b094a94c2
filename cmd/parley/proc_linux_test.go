package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// awaited is how long a test waits for what comes in an instant on an idle machine.
const awaited = 20 * time.Second

// sideBySide runs subtests at once, however few -parallel allows: they spend their time
// waiting for other processes.
type sideBySide struct {
	t  *testing.T
	wg sync.WaitGroup
}

func (s *sideBySide) run(name string, f func(t *testing.T)) { s.wg.Go(func() { s.t.Run(name, f) }) }

func (s *sideBySide) wait() { s.wg.Wait() }

// A tool is one run of the tool, with a folder of its own in which its children leave
// their process ids: echo $$ >name.pid.
type tool struct {
	*exec.Cmd
	t              *testing.T
	stdout, stderr bytes.Buffer
}

// newTool returns a run of parley that is yet to be started.
func newTool(t *testing.T, args ...string) *tool {
	r := &tool{Cmd: exec.Command("parley", args...), t: t}
	r.Dir, r.Stdout, r.Stderr = t.TempDir(), &r.stdout, &r.stderr
	// A test that has failed must not wait for streams that something still holds open.
	r.WaitDelay = awaited
	return r
}

// play runs the tool to its end and returns its exit code and how long it took.
func (r *tool) play() (code int, took time.Duration) {
	r.t.Helper()
	began := time.Now()
	if err := r.Start(); err != nil {
		r.t.Fatal(err)
	}
	timer := time.AfterFunc(awaited, func() { _ = r.Process.Kill() })
	defer timer.Stop()
	_ = r.Wait() // the exit code says more
	return r.ProcessState.ExitCode(), time.Since(began)
}

// late reports whether something took longer than a case allows. On a machine under load
// everything does; how much longer shows in the slowest of a few runs that do nothing.
func late(t *testing.T, took, limit time.Duration) bool {
	t.Helper()
	if took < limit {
		return false
	}
	var slowest time.Duration
	for range 5 {
		_, idle := newTool(t, "version").play()
		slowest = max(slowest, idle)
	}
	return took >= limit+50*slowest
}

// pid waits until a child has left its process id.
func (r *tool) pid(name string) int {
	r.t.Helper()
	var pid int
	await(r.t, name+" to start", func() bool {
		text, _ := os.ReadFile(filepath.Join(r.Dir, name+".pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0 && bytes.HasSuffix(text, []byte("\n"))
	})
	return pid
}

// await looks until it is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), awaited)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited %v for %s", awaited, what)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// runs reports whether a process runs. A zombie does not: nobody may be there to reap
// what is left of a killed program.
func runs(pid int) bool {
	state, _ := processStat(pid)
	return state != "" && state != "Z" && state != "X"
}

// processStat reads the state and the parent of a process; "" if there is none.
func processStat(pid int) (state string, parent int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0
	}
	// The name, in parentheses, may hold anything (proc_pid_stat(5)).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

// childrenOf returns the children of a process whose arguments are these.
func childrenOf(parent int, args ...string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if _, of := processStat(pid); of != parent {
			continue
		}
		line, _ := os.ReadFile(file)
		if _, got, _ := strings.Cut(strings.TrimSuffix(string(line), "\x00"), "\x00"); got == strings.Join(args, "\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// guardOf waits for the guard of a run.
func (r *tool) guardOf() int {
	r.t.Helper()
	var guards []int
	await(r.t, "the guard", func() bool {
		guards = childrenOf(r.Process.Pid, guardWord)
		return len(guards) > 0
	})
	if len(guards) != 1 {
		r.t.Errorf("there are %d guards, want one", len(guards))
	}
	return guards[0]
}

func itoa(n int) string { return strconv.Itoa(n) }

func signalled(pid int, sig syscall.Signal) { _ = syscall.Kill(pid, sig) }
