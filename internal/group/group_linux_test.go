package group

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The name of a program may hold what follows it, too.
func TestParseStat(t *testing.T) {
	tests := []struct {
		does, stat string
		state      byte
		group      int
	}{
		{"a plain name", "12 (cat) S 1 34 34 0 -1", 'S', 34},
		{"a name that looks like the rest", "12 (a) Z 1 99) R 1 34 34", 'R', 34},
		{"a name with spaces and a newline", "12 (a b\n c) Z 1 34", 'Z', 34},
		{"a line that is cut", "12 (cat) S", 0, 0},
		{"nothing", "", 0, 0},
	}
	for _, tt := range tests {
		if state, group := parseStat([]byte(tt.stat)); state != tt.state || group != tt.group {
			t.Errorf("%s: got %c, %d; want %c, %d", tt.does, state, group, tt.state, tt.group)
		}
	}
}

// FuzzParseStat holds that no name breaks the reading of what follows it.
func FuzzParseStat(f *testing.F) {
	f.Add("cat", 34)
	f.Add("a) Z 1 99", 7)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, name string, group int) {
		stat := fmt.Sprintf("12 (%s) S 1 %d %d 0 -1", name, group, group)
		if state, got := parseStat([]byte(stat)); state != 'S' || got != group {
			t.Errorf("%q gives %c, %d", stat, state, got)
		}
	})
}

// A zombie is no member that runs; a process in the group is, also once the leader
// is gone. Nobody reaps the zombie of this test until it has been looked at.
func TestHasMembers(t *testing.T) {
	cmd := exec.Command("sh", "-c", "exit 0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !awaitExit(cmd.Process.Pid) {
		t.Fatal("waitid(2) does not work here")
	}
	if !mayHaveMembers(cmd.Process.Pid) {
		t.Error("the system has forgotten a zombie")
	}
	if HasMembers(cmd.Process.Pid) {
		t.Error("a zombie counts as a member that runs")
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if awaitExit(cmd.Process.Pid) {
		t.Error("a process that was reaped is waited for")
	}

	out, err := exec.Command("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!").Output()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	group, err := syscall.Getpgid(pid)
	if err != nil {
		t.Fatal(err)
	}
	if !HasMembers(group) {
		t.Error("a process that runs is not seen in its group")
	}
}
