package parleytest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

// Case is a fault as it comes over the wire, and what must come of it. An .expect file
// has one of these to a line; whatever else stands there fails the test:
//
//	# role: server-in       .in is what a client writes to our server, or
//	# role: client-in       what a server writes to our client, which has made calls 1…n
//	# calls: 2              n of them
//	# cuts: 52,53           extra way to feed it: in pieces that end at these offsets
//	# limit: 1000           record limit in bytes
//	{"jsonrpc":…}           a line that we write; "*" as a string matches any text,
//	                        everything else is compared as exact text
//	lines -> 2              we write so many lines in all
//	order -> 2,3,1          the ids of our replies, in this order
//	within 300ms -> 2,3     these ids are answered after so long at the most
//	call 1 -> result JSON   what becomes of our call, in exact text
//	call 1 -> error 5 TEXT  likewise: the code (or *) and a part of its text
//	conn -> open            the connection is open after all was read
//	reported -> 1,2         the lines that the log complains about
//	notes -> 1              how many notes reached the handler
//	no byte 0x0D            in what we write
//	# …                     any other comment
type Case struct {
	Name   string
	In     []byte
	server bool
	calls  int
	cuts   []int
	limit  int64
	lines  []string // expectations, in the order of the file
	writes []string // of those, the ones that are JSON
}

// Cases runs every NAME.in and NAME.expect in dir, each as a subtest. The server of a
// case that has one answers with a handler of its own.
func Cases(t *testing.T, dir string, handler func() parley.Handler) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.in"))
	if err != nil || len(files) == 0 {
		t.Fatalf("parleytest: no case in %q (%v)", dir, err)
	}
	for _, file := range files {
		c, err := ReadCase(file)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(c.Name, func(t *testing.T) { c.Run(t, handler) })
	}
}

// ReadCase reads the case whose bytes are in file, which ends in ".in".
func ReadCase(file string) (*Case, error) {
	in, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	stem := strings.TrimSuffix(file, ".in")
	expect, err := os.ReadFile(stem + ".expect")
	if err != nil {
		return nil, err
	}
	c := &Case{Name: filepath.Base(stem), In: in}
	role := ""
	for n, line := range strings.Split(string(expect), "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		switch {
		case line == "":
		case !strings.HasPrefix(line, "#"):
			c.lines = append(c.lines, line)
			if line[0] == '{' || line[0] == '[' {
				c.writes = append(c.writes, line)
			}
		case key == "role":
			role = value
		case key == "calls":
			c.calls, err = strconv.Atoi(value)
		case key == "limit":
			c.limit, err = strconv.ParseInt(value, 10, 64)
		case key == "cuts":
			c.cuts, err = numbers(value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s.expect:%d: %w", stem, n+1, err)
		}
	}
	c.server = role == "server-in"
	if !c.server && role != "client-in" {
		return nil, fmt.Errorf("%s.expect: role %q: want server-in or client-in", stem, role)
	}
	if len(c.lines) == 0 {
		return nil, fmt.Errorf("%s.expect expects nothing", stem)
	}
	return c, nil
}

func numbers(list string) ([]int, error) {
	var all []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// Run feeds the case in each way and checks what comes of it.
func (c *Case) Run(t *testing.T, handler func() parley.Handler) {
	each := make([]int, len(c.In))
	for i := range each {
		each[i] = i + 1
	}
	thirds := []int{len(c.In) / 3, 2 * len(c.In) / 3}
	for name, cuts := range map[string][]int{"whole": nil, "byte by byte": each, "thirds": thirds, "cuts": c.cuts} {
		if name == "cuts" && cuts == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.check(t, c.run(t, cuts, handler())) })
		})
	}
}

// outcome is all that can be seen of a run.
type outcome struct {
	out   []written // the lines that we wrote
	calls []*parley.Pending
	open  bool  // after all was read
	notes int   // that reached the handler of the client
	log   []int // the lines that were complained about
}

type written struct {
	line string
	at   time.Duration
}

// run feeds the case in pieces that end at the cuts, 20 ms apart unless there is one
// to a byte.
func (c *Case) run(t *testing.T, cuts []int, handler parley.Handler) *outcome {
	far, near := frame.Pipe()
	out := new(outcome)
	log := new(lineLog)
	began := time.Now()
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		// Not by package frame: it would hide a CR of ours.
		for lines := bufio.NewReader(far); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			out.out = append(out.out, written{strings.TrimSuffix(line, "\n"), time.Since(began)})
		}
	}()
	if !c.server {
		handler = out.countNotes
	}
	conn := parley.Connect(frame.Lines.Limit(c.limit).Stream(near, near), handler, &parley.Options{Logger: log.logger()})
	for i := range c.calls {
		out.calls = append(out.calls, conn.Start(t.Context(), fmt.Sprintf("call%d", i+1), nil))
	}
	synctest.Wait()
	began = time.Now()
	c.feed(t, far, cuts)
	time.Sleep(time.Second)
	synctest.Wait()
	select {
	case <-conn.Done():
	default:
		out.open = true
	}
	if err := far.CloseWrite(); err != nil {
		t.Error(err)
	}
	if err := conn.Wait(); err != nil {
		t.Errorf("the connection ended with: %v", err)
	}
	<-reading
	out.log = log.lines
	return out
}

func (c *Case) feed(t *testing.T, to *frame.PipeEnd, cuts []int) {
	t.Helper()
	last := 0
	for _, cut := range append(slices.Clip(cuts), len(c.In)) {
		if _, err := to.Write(c.In[last:cut]); err != nil {
			t.Fatal(err)
		}
		last = cut
		if len(cuts) < len(c.In) {
			time.Sleep(20 * time.Millisecond)
		}
		synctest.Wait()
	}
}

// check holds the outcome against every expectation.
func (c *Case) check(t *testing.T, out *outcome) {
	t.Helper()
	c.checkWrites(t, out)
	for _, line := range c.lines {
		if line[0] == '{' || line[0] == '[' {
			continue
		}
		if fault := c.expect(line, out); fault != "" {
			t.Errorf("%s\n%s\nwe wrote:\n%s", line, fault, out.text())
		}
	}
}

// text is what we wrote.
func (o *outcome) text() string {
	var text bytes.Buffer
	for _, w := range o.out {
		fmt.Fprintf(&text, "%v\t%s\n", w.at, w.line)
	}
	return text.String()
}
