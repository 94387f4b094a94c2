package spawn

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

func init() {
	// parent starts a deaf child, tells its pid, and waits to be killed.
	roles["parent"] = func([]string) {
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		c, err := Start(Command{Path: self, Args: []string{"term"}, Env: []string{role + "=deaf"}})
		if err != nil {
			panic(err)
		}
		fmt.Println(c.Pid())
		select {}
	}
}

// A parent that is killed leaves no child, not even one that ignores everything.
func TestParentKilled(t *testing.T) {
	c := start(t, as(t, "parent"))
	pid, err := strconv.Atoi(read(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(pid, 0) != nil {
		t.Fatal("the child does not run")
	}
	if err := syscall.Kill(c.Pid(), syscall.SIGKILL); err != nil { // the parent only
		t.Fatal(err)
	}
	<-c.Done()
	if !gone(pid) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Error("the child lives on")
	}
}

// The thread that calls Start may end: the child dies with its parent, and not with
// that thread, as it would if the caller had forked it.
func TestStartingThreadEnds(t *testing.T) {
	started := make(chan *Child)
	go func() {
		runtime.LockOSThread() // and no unlock: the thread ends with the goroutine
		c, err := Start(as(t, "echo"))
		if err != nil {
			t.Error(err)
		}
		started <- c
	}()
	c := <-started
	if c == nil {
		t.FailNow()
	}
	defer c.Close()
	for range 50 { // time enough for a signal to arrive
		write(t, c, "still here")
		read(t, c)
	}
}

func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	return bytes.Contains(stat, []byte(") Z ")) // our own programs have no such name
}
