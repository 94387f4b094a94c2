//go:build unix && !aix && !solaris

package stdio

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Descriptors that were closed at the start are the null device, and nothing else
// takes their place.
func TestClosedAtStart(t *testing.T) {
	tests := []struct {
		does, how      string
		stdout, stderr string
	}{
		{"stdin closed: the input has ended", `exec "$0" <&-`, "", ""},
		{"stdout closed: records vanish", `echo '1' | "$0" >&-`, "", ""},
		{"stderr closed: records get through", `echo '1' | "$0" 2>&-`, "1\n", ""},
		{"all closed", `exec "$0" <&- >&- 2>&-`, "", ""},
		{"stdout closed, stdin not", `(echo 1; echo 2) | "$0" >&-; echo $?`, "0\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			cmd := as(t, "echo")
			sh := exec.CommandContext(t.Context(), "sh", "-c", tt.how, cmd.Path)
			sh.Env = cmd.Env
			var stderr strings.Builder
			sh.Stderr = &stderr
			stdout, err := sh.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, stderr.String())
			}
			if diff := cmp.Diff([]string{tt.stdout, tt.stderr}, []string{string(stdout), stderr.String()}); diff != "" {
				t.Errorf("stdout and stderr (-want +got):\n%s", diff)
			}
		})
	}
}

// Regular files serve as both ends: nothing needs to be pollable.
func TestRegularFiles(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("1\n\n2"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := as(t, "echo")
	var err error
	var stdin, stdout *os.File
	if stdin, err = os.Open(in); err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if stdout, err = os.Create(out); err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	cmd.Stdin, cmd.Stdout = stdin, stdout
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if diff := cmp.Diff("1\n2\n", string(got)); diff != "" || err != nil {
		t.Errorf("%v, records (-want +got):\n%s", err, diff)
	}
}

// One socket serves as both ends, as some parents have it, whether it is in
// blocking mode or not; and it is left as it was, because the parent shares it.
func TestSocket(t *testing.T) {
	for _, nonblocking := range []bool{false, true} {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
		ours := os.NewFile(uintptr(pair[0]), "ours")
		// A file in blocking mode, so that os/exec has nothing to set.
		theirs := os.NewFile(uintptr(pair[1]), "theirs")
		if err := syscall.SetNonblock(pair[1], nonblocking); err != nil {
			t.Fatal(err)
		}
		cmd := as(t, "echo")
		cmd.Stdin, cmd.Stdout = theirs, theirs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			buf := make([]byte, 4)
			if _, err := ours.WriteString("1234\n"[:5]); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(ours, buf); err != nil || string(buf) != "1234" {
				t.Errorf("got %q, %v", buf, err)
			}
			io.ReadFull(ours, buf[:1])
			if got := isNonblocking(t, theirs); got != nonblocking {
				t.Errorf("after Claim the socket is non-blocking: %v, before: %v", got, nonblocking)
			}
		}
		syscall.Shutdown(pair[0], syscall.SHUT_WR)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		ours.Close()
		theirs.Close()
	}
}

// isNonblocking reports the flag of what f shares.
func isNonblocking(t *testing.T, f *os.File) (yes bool) {
	t.Helper()
	conn, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	conn.Control(func(fd uintptr) {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
		if errno != 0 {
			t.Fatal(errno)
		}
		yes = flags&syscall.O_NONBLOCK != 0
	})
	return yes
}

// Another process may make a shared descriptor non-blocking at any time. Reading
// and writing go on, in order and whole.
func TestBecomesNonblocking(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	in, out := inherited{os.NewFile(uintptr(fds[0]), "in")}, inherited{os.NewFile(uintptr(fds[1]), "out")}
	defer in.Close()
	for _, fd := range fds { // os.NewFile has taken them for blocking ones
		if err := syscall.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Repeat("0123456789", 100<<10) // far more than the pipe holds
	go func() {
		defer out.Close()
		time.Sleep(5 * time.Millisecond) // a try or two finds nothing to read
		if n, err := io.WriteString(out, want); n != len(want) || err != nil {
			t.Errorf("Write: %d, %v", n, err)
		}
	}()
	got, err := io.ReadAll(in)
	if err != nil || string(got) != want {
		t.Errorf("%d bytes arrive of %d, %v", len(got), len(want), err)
	}
	in.Close()
	if _, err := in.Read(make([]byte, 1)); err == nil {
		t.Error("a read after Close succeeds")
	}
}
