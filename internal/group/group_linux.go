package group

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

// Attr makes the child the leader of a group of its own, and ties its life to
// the thread that forks it.
func Attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit waits until process pid has ended, leaves it to be reaped, and reports
// whether it did. It fails where SIGCHLD is ignored, so that nothing is left to
// reap, and where a sandbox lacks waitid(2).
func awaitExit(pid int) bool {
	const (
		byPid    = 1   // P_PID, which package syscall does not have
		infoSize = 128 // of siginfo_t, on every architecture
	)
	var info [infoSize / 8]uint64
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return errno == 0
		}
	}
}

// HasMembers reports whether a process of group id runs. A zombie does not: where
// process 1 reaps nobody, as in many containers, orphans stay zombies for ever.
func HasMembers(id int) bool {
	if !mayHaveMembers(id) {
		return false
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return true // no /proc to ask
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		if state, group := parseStat(stat); group == id && state != 'Z' && state != 'X' {
			return true
		}
	}
	return false
}

// parseStat returns the state and the process group from /proc/PID/stat. The name
// of the program, in parentheses before them, may hold anything (proc_pid_stat(5)).
func parseStat(stat []byte) (state byte, group int) {
	_, rest, _ := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	fields := bytes.Fields(rest)
	if len(fields) < 3 {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[2]))
	return fields[0][0], group
}
