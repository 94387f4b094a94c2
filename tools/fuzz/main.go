// Fuzz fuzzes every fuzz target of some packages for a time each, as many at once as there are cores, and each on one.
//
//	fuzz -time 10s ./...
//
// Go fuzzes one target per run and offers no way to name all of them, hence this program. It runs in the module of
// the working directory, discovers the targets with `go test -list`, so that a new one is fuzzed without being
// named anywhere, and writes the event stream of `go test -json` to standard output, for testsum to read.
//
// An input that fails is written by go test into the package's testdata/fuzz, to be committed as a regression test.
//
// # Exit status
//
// Fuzz exits with 0 if there was a target and all passed, with 1 if not, with 2 if it was called wrongly.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/parley-rpc/parley/tools/internal/testjson"
)

// attempts is how often a target is run when the fuzzer trips over its own deadline; see [spurious].
const attempts = 3

// A target is one fuzz function.
type target struct {
	pkg, name string
}

func main() {
	fuzzTime := flag.String("time", "10s", "how long to fuzz each target, as go test's -fuzztime has it: `10s`, or 1000x for a number of inputs")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if err := run(*fuzzTime, patterns, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "fuzz: %v\n", err)
		os.Exit(1)
	}
}

// run fuzzes all targets of the packages, also those after one that failed.
func run(fuzzTime string, patterns []string, out io.Writer) error {
	targets, err := list(patterns, out)
	if err != nil {
		return fmt.Errorf("list the targets of %s: %w", strings.Join(patterns, " "), err)
	}
	if len(targets) == 0 {
		return fmt.Errorf("no fuzz target in %s", strings.Join(patterns, " "))
	}
	var (
		failed  atomic.Int64
		streams = &whole{to: out}
		next    = make(chan target)
		done    sync.WaitGroup
	)
	for range runtime.NumCPU() {
		done.Go(func() {
			for t := range next {
				if !t.fuzz(fuzzTime, streams) {
					failed.Add(1)
				}
			}
		})
	}
	for _, t := range targets {
		next <- t
	}
	close(next)
	done.Wait()
	if n := failed.Load(); n > 0 {
		return fmt.Errorf("%d of %d targets failed", n, len(targets))
	}
	return nil
}

// A whole writer lets the stream of one run not mix with that of another: each is one Write.
type whole struct {
	mu sync.Mutex
	to io.Writer
}

func (w *whole) Write(stream []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(stream)
}

// list finds the fuzz targets of the packages, in the order of go list. Only when it fails does it write to out:
// what the compiler said.
func list(patterns []string, out io.Writer) ([]target, error) {
	var targets []target
	stream, err := goTest(append([]string{"-json", "-list", "^Fuzz"}, patterns...), func(e testjson.Event) {
		name := strings.TrimSpace(e.Output)
		if e.Action == testjson.Output && targetName.MatchString(name) {
			targets = append(targets, target{e.Package, name})
		}
	})
	if err != nil {
		io.WriteString(out, stream)
	}
	return targets, err
}

// targetName tells a target from the other lines of `go test -list`: "ok", "?", "PASS".
var targetName = regexp.MustCompile(`^Fuzz\w*$`)

// fuzz runs t, writes the events of the run that counts to out and says whether it passed.
func (t target) fuzz(fuzzTime string, out io.Writer) bool {
	for attempt := 1; ; attempt++ {
		var said strings.Builder
		args := []string{
			"-json", "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", fuzzTime,
			// By default a minute goes into making each interesting input smaller, and no
			// other input is tried meanwhile: nearly all of fuzzTime.
			"-fuzzminimizetime", "100x", "-parallel", "1", t.pkg,
		}
		stream, err := goTest(args, func(e testjson.Event) { said.WriteString(e.Output) })
		if err != nil && attempt < attempts && spurious(said.String()) {
			fmt.Fprintf(os.Stderr, "fuzz: %s %s ran into its own deadline (go.dev/issue/75804), running it again\n", t.pkg, t.name)
			continue
		}
		io.WriteString(out, stream)
		return err == nil
	}
}

// spurious says whether a failed run is the one that go.dev/issue/75804 describes: before Go 1.27 the fuzzer may
// take the end of its own -fuzztime for a failure. No input is written then and nothing else is reported.
func spurious(said string) bool {
	const start = "\n    context deadline exceeded\n"
	return strings.Contains(said, start) && !strings.Contains(said, "Failing input") && !strings.Contains(said, "panic:")
}

// goTest runs go test with args, calls each for its events and returns the stream as it was.
func goTest(args []string, each func(testjson.Event)) (stream string, err error) {
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var raw strings.Builder
	readErr := testjson.Read(io.TeeReader(stdout, &raw), each)
	if err := cmd.Wait(); err != nil {
		return raw.String(), err
	}
	return raw.String(), readErr
}
