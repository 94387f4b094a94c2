//go:build unix

package group

import (
	"syscall"
	"testing"
)

// Names are those of kill(1); a signal without one has its number.
func TestSignalName(t *testing.T) {
	for sig, want := range map[syscall.Signal]string{
		syscall.SIGKILL: "SIGKILL", syscall.SIGSEGV: "SIGSEGV", 60: "signal 60",
	} {
		if got := SignalName(sig); got != want {
			t.Errorf("SignalName(%d) = %q, want %q", int(sig), got, want)
		}
	}
	if code, signal := ExitOf(nil); code != -1 || signal != "" {
		t.Errorf("without a state: %d, %q", code, signal)
	}
}
