//go:build unix && !aix && !solaris

package stdio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-rpc/parley/frame"
)

// role names what this test binary does in place of the tests. What Claim does, it
// does to a whole process, so that each test has one of its own.
const role = "PARLEY_STDIO_ROLE"

func TestMain(m *testing.M) {
	if name := os.Getenv(role); name != "" {
		play, ok := roles[name]
		if !ok {
			fail("no such role: %s", name)
		}
		play()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// roles are the programs that the tests run; each test file adds its own.
var roles = map[string]func(){}

// fail ends a role with a word to stderr.
func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

// mustClaim claims or ends the role.
func mustClaim() *Stdio {
	s, err := Claim(frame.Lines)
	if err != nil {
		fail("Claim: %v", err)
	}
	return s
}

// echo claims, and answers every record with itself until the input ends.
func echo() {
	s := mustClaim()
	for {
		rec, err := s.ReadRecord()
		if err == io.EOF {
			return
		}
		if err != nil {
			fail("ReadRecord: %v", err)
		}
		if err := s.WriteRecord(rec); err != nil {
			fail("WriteRecord: %v", err)
		}
	}
}

func init() { roles["echo"] = echo }

// as returns this test binary in a role.
func as(t testing.TB, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), role+"="+name, "GORACE=atexit_sleep_ms=0")
	return cmd
}

// run plays a role to its end and returns what it wrote.
func run(t testing.TB, name, stdin string) (stdout, stderr string) {
	t.Helper()
	cmd := as(t, name)
	var out, errOut bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\nstderr: %s", name, err, errOut.String())
	}
	return out.String(), errOut.String()
}
