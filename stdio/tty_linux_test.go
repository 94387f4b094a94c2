package stdio

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// openTerminal returns both ends of a new pseudo-terminal (pts(4)).
func openTerminal(t *testing.T) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	conn, err := screen.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var number, unlocked uint32
	conn.Control(func(fd uintptr) {
		for request, arg := range map[uintptr]*uint32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlocked} {
			if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg))); errno != 0 {
				t.Fatal(errno)
			}
		}
	})
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return screen, program
}

// A terminal serves as stdin: a line is a record, and Ctrl-D is the end.
func TestTerminal(t *testing.T) {
	screen, program := openTerminal(t)
	cmd := as(t, "echo")
	cmd.Stdin = program
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	records := bufio.NewReader(stdout)
	for _, want := range []string{"one\n", "two\n"} {
		io.WriteString(screen, want)
		if got, err := records.ReadString('\n'); got != want {
			t.Errorf("got %q, %v", got, err)
		}
	}
	io.WriteString(screen, "\x04")
	if _, err := records.ReadString('\n'); err != io.EOF {
		t.Errorf("after Ctrl-D: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr.String())
	}
}
