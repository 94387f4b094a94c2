package spawn

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// role names what this test binary does in place of the tests, so that the
// children of the tests need no program that a machine may lack.
const role = "PARLEY_SPAWN_ROLE"

func TestMain(m *testing.M) {
	if name := os.Getenv(role); name != "" {
		play, ok := roles[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such role:", name)
			os.Exit(2)
		}
		play(os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// roles are the servers that the tests run. Each gets the arguments of its command.
var roles = map[string]func(args []string){
	"echo": func([]string) { io.Copy(os.Stdout, os.Stdin) },

	// exit writes the texts to stdout and stderr and exits with the code.
	"exit": func(args []string) {
		code, _ := strconv.Atoi(args[0])
		fmt.Print(args[1])
		fmt.Fprint(os.Stderr, args[2])
		os.Exit(code)
	},

	// last reads one line, says why it dies, and exits with 7 (case 093).
	"last": func([]string) {
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Fprintln(os.Stderr, "boom: no config")
		os.Exit(7)
	},

	// burst answers 3,000 records and exits at once, with the pipe full of them.
	"burst": func([]string) {
		for i := range 3000 {
			fmt.Printf("%d %s\n", i, strings.Repeat("x", 40))
		}
		os.Exit(3)
	},

	// noise writes 256 KiB to stderr before it echoes a line (case 095). With the
	// argument "long" there is no newline in it.
	"noise": func(args []string) {
		text := strings.Repeat("a line of log\n", 256<<10/14)
		if len(args) > 0 {
			text = strings.Repeat("n", 256<<10)
		}
		for in := bufio.NewReader(os.Stdin); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			fmt.Fprint(os.Stderr, text)
			fmt.Print(line)
		}
	},

	// deaf echoes one line and then ignores the end of its stdin, and, with the
	// argument "term", SIGTERM too (case 081).
	"deaf": func(args []string) {
		if len(args) > 0 {
			signal.Ignore(syscall.SIGTERM)
		}
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print(line)
		time.Sleep(time.Hour)
	},

	// polite ignores the end of stdin and takes its time, and its leave, on SIGTERM.
	"polite": func([]string) {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Println("ready")
		<-asked
		time.Sleep(200 * time.Millisecond)
		fmt.Fprintln(os.Stderr, "cleaned up")
	},

	// mute never reads, and ends only when it is made to.
	"mute": func([]string) {
		fmt.Println("ready")
		time.Sleep(time.Hour)
	},

	// chatty writes a megabyte before it looks at its stdin again.
	"chatty": func([]string) {
		for range 1000 {
			fmt.Println(strings.Repeat("y", 1000))
		}
		io.Copy(io.Discard, os.Stdin)
		fmt.Fprintln(os.Stderr, "saw the end")
	},

	// silent closes its stdout and lives on until its stdin ends.
	"silent": func([]string) {
		os.Stdout.Close()
		io.Copy(io.Discard, os.Stdin)
	},

	// env reports the variables that are named, as name=value or name unset.
	"env": func(args []string) {
		for _, name := range args {
			if value, ok := os.LookupEnv(name); ok {
				fmt.Printf("%s=%s\n", name, value)
			} else {
				fmt.Printf("%s unset\n", name)
			}
		}
	},

	"cwd": func([]string) {
		dir, _ := os.Getwd()
		fmt.Println(dir)
		fmt.Println(os.Getenv("PWD"))
	},
}

// as returns a command that plays a role. The race detector holds up the exit of a
// program by a second, which would be taken for a fault of the ladder.
func as(t testing.TB, name string, args ...string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: self, Args: args, Env: []string{role + "=" + name, "GORACE=atexit_sleep_ms=0"}}
}

// start starts the command and closes the child when the test ends.
func start(t testing.TB, cmd Command) *Child {
	t.Helper()
	c, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// read reads one record or fails the test.
func read(t testing.TB, c *Child) string {
	t.Helper()
	rec, err := c.ReadRecord()
	if err != nil {
		t.Fatalf("ReadRecord: %v", err)
	}
	return string(rec)
}

// write writes one record or fails the test.
func write(t testing.TB, c *Child, rec string) {
	t.Helper()
	if err := c.WriteRecord([]byte(rec)); err != nil {
		t.Fatalf("WriteRecord: %v", err)
	}
}

// soon fails the test if f takes longer than limit, which is far from what it
// should take and far from for ever.
func soon(t testing.TB, limit time.Duration, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	if !within(limit, done) {
		t.Fatalf("%s takes longer than %v", what, limit)
	}
}
