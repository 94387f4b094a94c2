package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-rpc/parley/tools/internal/testjson"
)

// A tally counts tests by how they ended.
type tally struct {
	passed, failed, skipped int
}

// ran is how many tests the tally has seen.
func (t tally) ran() int { return t.passed + t.failed + t.skipped }

// A sum is what is known of all streams so far.
type sum struct {
	out   io.Writer
	total tally
	bad   []string        // what keeps the sum from being green, in the order it was met
	open  map[string]*pkg // the packages that have begun and not ended, by import path
}

// A pkg is one run of one package's tests. A package that is fuzzed runs once for each of its targets.
type pkg struct {
	tally
	lines   []line
	running []string        // tests that have begun and not ended, in the order they began
	quiet   map[string]bool // tests that passed: what they said is of no interest
	fuzzed  string          // the target that was fuzzed and how many inputs were tried, in words
}

// A line is one line of output and the test that said it; a package's own lines have no test.
type line struct {
	test, text string
}

func newSum(out io.Writer) *sum {
	return &sum{out: out, open: map[string]*pkg{}}
}

// stream counts what read feeds to add. An error that no failed test explains counts as a failure of its own.
func (s *sum) stream(name string, read func() error) {
	before := s.total
	err := read()
	for _, path := range slices.Sorted(maps.Keys(s.open)) {
		s.end(testjson.Event{Action: testjson.Fail, Package: path, Output: "the stream ended before the package did"})
	}
	switch {
	case err != nil && s.total.failed == before.failed:
		s.fail("%s: %v", name, err)
	case s.total.ran() == before.ran():
		s.fail("%s: no test ran", name)
	}
}

// fail counts a failure that is no test's.
func (s *sum) fail(format string, args ...any) {
	s.total.failed++
	s.bad = append(s.bad, "FAIL  "+fmt.Sprintf(format, args...))
}

// add takes in one event.
func (s *sum) add(e testjson.Event) {
	if e.Action == testjson.Text || e.Action == testjson.BuildOutput {
		fmt.Fprint(s.out, e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := s.open[e.Package]
	if p == nil {
		p = &pkg{quiet: map[string]bool{}}
		s.open[e.Package] = p
	}
	switch e.Action {
	case testjson.Run:
		p.running = append(p.running, e.Test)
	case testjson.Output:
		p.say(e)
	case testjson.Pass, testjson.Fail, testjson.Skip:
		if e.Test == "" {
			s.end(e)
		} else if verdict := p.settle(e); verdict != "" {
			s.bad = append(s.bad, fmt.Sprintf("%s  %s %s", verdict, e.Package, e.Test))
		}
	}
}

// say keeps a line of output, unless it only tells when a parallel test waited. "=== RUN" stays as a heading.
func (p *pkg) say(e testjson.Event) {
	for _, noise := range []string{"=== PAUSE ", "=== CONT "} {
		if strings.HasPrefix(e.Output, noise) {
			return
		}
	}
	// "fuzz: elapsed: 10s, execs: 1234 (123/sec), new interesting: 3 (total: 4)", of which the last one counts.
	if m := execs.FindStringSubmatch(e.Output); m != nil {
		p.fuzzed = e.Test + " tried " + m[1] + " inputs"
	}
	p.lines = append(p.lines, line{e.Test, e.Output})
}

var execs = regexp.MustCompile(`^fuzz: elapsed: .*, execs: (\d+) `)

// settle notes how a test ended and returns "FAIL", "SKIP" or, if all is well, "".
func (p *pkg) settle(e testjson.Event) (verdict string) {
	p.running = slices.DeleteFunc(p.running, func(name string) bool { return name == e.Test })
	switch e.Action {
	case testjson.Fail:
		p.failed++
		return "FAIL"
	case testjson.Skip:
		p.skipped++
		return "SKIP"
	default:
		p.passed++
		p.quiet[e.Test] = true
		return ""
	}
}

// end closes the package of e, which says how it ended, and prints what is to be said of it.
func (s *sum) end(e testjson.Event) {
	p := s.open[e.Package]
	delete(s.open, e.Package)

	// When a test binary dies, so do the tests that were running in it: they must not drop out of the count.
	for _, name := range p.running {
		p.failed++
		s.bad = append(s.bad, fmt.Sprintf("FAIL  %s %s did not end", e.Package, name))
	}
	if e.Action == testjson.Fail && p.failed == 0 {
		p.failed++
		why := cmp.Or(e.Output, "failed outside its tests")
		s.bad = append(s.bad, fmt.Sprintf("FAIL  %s %s", e.Package, why))
	}
	s.total.passed += p.passed
	s.total.failed += p.failed
	s.total.skipped += p.skipped
	s.print(e, p)
}

// print shows in full what a package and its tests said when they did not simply pass, and then its one line.
func (s *sum) print(e testjson.Event, p *pkg) {
	for _, l := range p.lines {
		if p.quiet[l.test] || (l.test == "" && p.failed == 0) {
			continue
		}
		fmt.Fprint(s.out, l.text)
	}
	switch {
	case p.failed > 0:
		fmt.Fprintf(s.out, "FAIL  %s  %.2fs  %d of %d failed\n", e.Package, e.Elapsed, p.failed, p.ran())
	case p.ran() == 0:
		fmt.Fprintf(s.out, "none  %s  no tests\n", e.Package)
	case p.fuzzed != "":
		fmt.Fprintf(s.out, "ok    %s  %.2fs  %s\n", e.Package, e.Elapsed, p.fuzzed)
	default:
		fmt.Fprintf(s.out, "ok    %s  %.2fs  %d ran\n", e.Package, e.Elapsed, p.ran())
	}
}

// finish prints the end of the report and says whether all is green.
func (s *sum) finish() bool {
	if len(s.bad) > 0 {
		fmt.Fprintf(s.out, "\n%s\n", strings.Join(s.bad, "\n"))
	}
	if s.total.skipped > 0 {
		fmt.Fprintln(s.out, "A skipped test counts as a defect: let it fail and say what is missing.")
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", s.total.passed, s.total.failed, s.total.skipped)
	return s.total.failed == 0 && s.total.skipped == 0
}
