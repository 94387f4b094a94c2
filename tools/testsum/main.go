// Testsum runs test commands and says, as its last line, how many tests ran.
//
//	testsum -- go test -json ./... -- go -C tools test -json ./...
//	go test -json ./... | testsum
//
// Each command is run in turn, and a failure of one does not keep the next from running. What a command says on
// standard output is read as the event stream of `go test -json`; a line that is no event is passed on. Testsum
// prints one line per package, in full what the tests that failed or were skipped said, and at last
//
//	N passed, M failed, K skipped
//
// Each test, subtest, example and fuzz target that ran counts as one, and so does a seed of a fuzz target. What
// failed without a test counts as one failure, so that the last line never looks better than it was: a package
// that did not build or whose TestMain failed, a package that never ended, a command that ended with an error.
//
// # Exit status
//
// Testsum exits with 0 if at least one test ran in every command and all passed. It exits with 1 otherwise, and
// also if a test was skipped: a skip that looks green is a defect, a test that cannot run must fail and say what
// is missing. It exits with 2 if it was called wrongly.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/parley-rpc/parley/tools/internal/testjson"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments; it returns the exit status.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	commands, err := split(args)
	if err != nil {
		fmt.Fprintf(errOut, "testsum: %v\n", err)
		return 2
	}
	s := newSum(out)
	if len(commands) == 0 {
		s.stream("standard input", func() error { return testjson.Read(in, s.add) })
	}
	for _, argv := range commands {
		s.stream(strings.Join(argv, " "), func() error { return runCommand(argv, errOut, s.add) })
	}
	if !s.finish() {
		return 1
	}
	return 0
}

// split cuts args into the commands that each follow a "--".
func split(args []string) ([][]string, error) {
	var commands [][]string
	for _, arg := range args {
		switch {
		case arg == "--":
			commands = append(commands, nil)
		case len(commands) == 0:
			return nil, fmt.Errorf("unexpected argument %q: usage is testsum [-- COMMAND [ARG...]]..., or no argument to read standard input", arg)
		default:
			commands[len(commands)-1] = append(commands[len(commands)-1], arg)
		}
	}
	for _, argv := range commands {
		if len(argv) == 0 {
			return nil, fmt.Errorf("no command after --")
		}
	}
	return commands, nil
}

// runCommand runs argv and calls each for the events of its standard output; its standard error goes to errOut.
func runCommand(argv []string, errOut io.Writer, each func(testjson.Event)) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = errOut
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := testjson.Read(stdout, each)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return readErr
}
