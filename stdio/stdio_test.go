//go:build unix && !aix && !solaris

package stdio

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
)

func init() {
	roles["strays"] = strays
	roles["theft"] = theft
	roles["twice"] = twice
	roles["release"] = release
	roles["close"] = closeWhileBlocked
	roles["epipe"] = epipe
	roles["default"] = childOfClaim
}

// strays prints in every way that could break into the stream.
func strays() {
	early := os.Stdout // some library has kept it, as log.SetOutput does
	s := mustClaim()
	write := func(rec string) {
		if err := s.WriteRecord([]byte(rec)); err != nil {
			fail("WriteRecord: %v", err)
		}
	}
	write(`{"n":1}`)
	fmt.Println("by fmt")
	os.Stdout.WriteString("by os.Stdout\n")
	early.WriteString("by the os.Stdout of before\n")
	syscall.Write(1, []byte("by descriptor 1\n"))
	println("by println")
	os.Stderr.WriteString("by os.Stderr\n")

	child := exec.Command("sh", "-c", "echo by a child")
	child.Stdout = os.Stdout
	if err := child.Run(); err != nil {
		fail("%v", err)
	}
	heir, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "echo by an heir of descriptor 1"},
		&os.ProcAttr{Files: []*os.File{nil, os.NewFile(1, "1"), nil}})
	if err != nil {
		fail("%v", err)
	}
	heir.Wait()

	recs := []frame.Record{{[]byte(`{"n":`), []byte(`2}`)}, {[]byte(`{"n":3}`)}}
	if err := s.WriteRecords(context.Background(), recs); err != nil {
		fail("WriteRecords: %v", err)
	}
	os.Stdout.Close() // a program that checks its last write does this
	write(`{"n":4}`)
	println("stderr is still there")
}

// Whatever prints, stdout holds records only, and nothing printed is lost.
func TestStrayPrints(t *testing.T) {
	stdout, stderr := run(t, "strays", "")
	if diff := cmp.Diff("{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n", stdout); diff != "" {
		t.Errorf("stdout (-want +got):\n%s", diff)
	}
	want := []string{"by fmt", "by os.Stdout", "by the os.Stdout of before", "by descriptor 1", "by println",
		"by os.Stderr", "by a child", "by an heir of descriptor 1", "stderr is still there"}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(stderr), "\n")); diff != "" {
		t.Errorf("stderr (-want +got):\n%s", diff)
	}
}

// theft runs commands that read their stdin, in the two ways to inherit it, reads
// it itself, and then echoes what is left to read.
func theft() {
	early := os.Stdin
	s := mustClaim()
	if os.Stdin == early {
		fail("os.Stdin is what it was")
	}
	cat := exec.Command("cat")
	cat.Stdin = os.Stdin
	stolen, err := cat.Output()
	if err != nil || len(stolen) > 0 {
		fail("a child reads %q, %v", stolen, err)
	}
	heir, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "cat >&2"},
		&os.ProcAttr{Files: []*os.File{os.NewFile(0, "0"), nil, os.Stderr}})
	if err != nil {
		fail("%v", err)
	}
	heir.Wait()
	for _, f := range []*os.File{os.Stdin, early} {
		if b, err := io.ReadAll(f); err != nil || len(b) > 0 {
			fail("%s gives %q, %v", f.Name(), b, err)
		}
	}
	for {
		rec, err := s.ReadRecord()
		if err != nil {
			return
		}
		s.WriteRecord(fmt.Appendf(nil, "%s at %v", rec, s.Pos()))
	}
}

// Case 099: who reads stdin, be it a command that a handler runs, sees the end of
// it and takes nothing from the stream.
func TestStdinTheft(t *testing.T) {
	stdout, stderr := run(t, "theft", "one\ntwo")
	want := "one at record 1, line 1, offset 0\ntwo at record 2, line 2, offset 4\n"
	if diff := cmp.Diff([]string{want, ""}, []string{stdout, stderr}); diff != "" {
		t.Errorf("stdout and stderr (-want +got):\n%s", diff)
	}
}

func twice() {
	s := mustClaim()
	_, err := Claim(frame.Lines)
	if !errors.Is(err, ErrClaimed) {
		fail("the second Claim: %v", err)
	}
	s.Close()
	if _, err := Claim(frame.Lines); !errors.Is(err, ErrClaimed) {
		fail("a Claim after Close: %v", err)
	}
	if err := s.Release(); !errors.Is(err, os.ErrClosed) {
		fail("Release after Close: %v", err)
	}
	if _, err := s.ReadRecord(); !errors.Is(err, frame.ErrClosed) {
		fail("ReadRecord after Close: %v", err)
	}
	if err := s.Close(); err != nil {
		fail("the second Close: %v", err)
	}
	fmt.Println("still to stderr")
}

// Claim is done once; Close does not undo it.
func TestClaimTwice(t *testing.T) {
	stdout, stderr := run(t, "twice", "")
	if diff := cmp.Diff([]string{"", "still to stderr\n"}, []string{stdout, stderr}); diff != "" {
		t.Errorf("stdout and stderr (-want +got):\n%s", diff)
	}
}

func release() {
	stdin, stdout := os.Stdin, os.Stdout
	for i := range 2 {
		s := mustClaim()
		fmt.Println("stray", i)
		if err := s.WriteRecord(fmt.Appendf(nil, "record %d", i)); err != nil {
			fail("WriteRecord: %v", err)
		}
		for range 2 { // the second does nothing
			if err := s.Release(); err != nil {
				fail("Release: %v", err)
			}
		}
		if err := s.WriteRecord([]byte("late")); !errors.Is(err, frame.ErrClosed) {
			fail("WriteRecord after Release: %v", err)
		}
		fmt.Println("print", i)
	}
	if os.Stdin != stdin || os.Stdout != stdout {
		fail("os.Stdin and os.Stdout are not what they were")
	}
	syscall.Write(1, []byte("raw\n"))
	io.Copy(os.Stdout, os.Stdin)
}

// After Release, everything is as it was, and Claim works again.
func TestRelease(t *testing.T) {
	stdout, stderr := run(t, "release", "from stdin\n")
	want := []string{"record 0\nprint 0\nrecord 1\nprint 1\nraw\nfrom stdin\n", "stray 0\nstray 1\n"}
	if diff := cmp.Diff(want, []string{stdout, stderr}); diff != "" {
		t.Errorf("stdout and stderr (-want +got):\n%s", diff)
	}
}

// closeWhileBlocked closes while a read and a write are blocked in the system, says
// so, and waits for the test.
func closeWhileBlocked() {
	s := mustClaim()
	go s.ReadRecord()
	written := make(chan error, 1)
	go func() { written <- s.WriteRecord([]byte(strings.Repeat("x", 60<<10))) }()
	if err := <-written; err != nil {
		fail("WriteRecord: %v", err)
	}
	go s.WriteRecord([]byte(strings.Repeat("y", 60<<10))) // finds the pipe all but full
	begin := time.Now()
	if err := s.Close(); err != nil {
		fail("Close: %v", err)
	}
	fmt.Println("closed", time.Since(begin) < closeWait)
	select {}
}

// Close returns though the system does not; and once nothing is blocked any more,
// the peer sees the end of our stdout while we live on.
func TestCloseWhileBlocked(t *testing.T) {
	cmd := as(t, "close")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stderr).ReadString('\n'); line != "closed true\n" {
		t.Errorf("Close within its bound: %q, %v", line, err)
	}
	if b, err := io.ReadAll(stdout); err != nil || len(b) < 60<<10 {
		t.Errorf("the peer reads %d bytes, %v", len(b), err)
	}
	cmd.Process.Kill()
	cmd.Wait()
}

// A stuckStream is one that the system does not close.
type stuckStream struct {
	frame.Stream
	free chan struct{}
}

func (s stuckStream) Close() error {
	<-s.free
	return nil
}

// Close is bounded even then.
func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := stuckStream{free: make(chan struct{})}
		s := &Stdio{stream: stuck}
		begin := time.Now()
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if took := time.Since(begin); took != closeWait {
			t.Errorf("Close takes %v, want %v", took, closeWait)
		}
		close(stuck.free)
	})
}

// epipe waits for a record, by when the test has closed what reads us, and writes.
func epipe() {
	s := mustClaim()
	if _, err := s.ReadRecord(); err != nil {
		fail("ReadRecord: %v", err)
	}
	if err := s.WriteRecord([]byte("1")); !errors.Is(err, syscall.EPIPE) {
		fail("WriteRecord: %v", err)
	}
	for range 2 { // what would be SIGPIPE
		fmt.Println("stray")
		println("stray")
		fmt.Fprintln(os.Stderr, "a line of log")
		syscall.Write(1, []byte("stray\n"))
	}
	os.Exit(42) // there is nobody left to tell
}

// Case 087: a peer that is gone makes an error, not a death by SIGPIPE, and neither
// does the log that it used to read.
func TestReaderGone(t *testing.T) {
	cmd := as(t, "epipe")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	stderr.Close()
	io.WriteString(stdin, "now\n")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 42 {
		t.Errorf("the server ends with %v, want exit code 42", err)
	}
}

// childOfClaim runs a child that tells what it has inherited, and one that dies of
// SIGPIPE, if it may.
func childOfClaim() {
	mustClaim()
	private := exec.Command("sh", "-c", `for fd in 3 4 5 6 7 8 9; do { true <&$fd && echo $fd; } 2>/dev/null; done; true`)
	if fds, err := private.Output(); err != nil || len(fds) > 0 {
		fail("a child has inherited descriptors %q, %v", fds, err)
	}
	child := exec.Command("sh", "-c", `kill -PIPE $$; echo SIGPIPE is ignored`)
	child.Stdout = os.Stdout
	child.Run()
	if status := child.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGPIPE {
		fail("the child ends with %v", child.ProcessState)
	}
}

// The private descriptors are not passed on, nor is that we survive SIGPIPE: `yes |
// head` must end in a child.
func TestChildrenInherit(t *testing.T) {
	if _, stderr := run(t, "default", ""); stderr != "" {
		t.Errorf("stderr: %s", stderr)
	}
}
