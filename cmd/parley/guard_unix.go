//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/parley-rpc/parley/spawn"
)

const (
	// guardGrace is how long a group may take to end after SIGTERM. It is shorter than
	// the one of the ladder: whoever kills us with SIGKILL is not patient.
	guardGrace = time.Second
	// guardPause is the time between two looks at whether a group has gone. Ids are given
	// out in turn, so that one that was freed is not used again within it.
	guardPause = 10 * time.Millisecond
	// guardPatience is how long a guard that does not read, because somebody has stopped
	// it, may hold us up.
	guardPatience = 100 * time.Millisecond
)

// guard is the side of the guard that runs in us. The zero value is ready, and starts
// nothing until there is a child.
type guard struct {
	once    sync.Once
	orders  *os.File      // to the guard; nil if there is none
	started chan struct{} // closed when the process runs, or cannot be started
	process *exec.Cmd     // of the goroutine that starts it, until started is closed
}

// watch has the guard look after a child from now on, until all of it has gone. What is
// said to a guard that is still being started waits in the pipe, so that nobody waits for
// that: the child's first record least of all.
func (g *guard) watch(child *spawn.Child) {
	g.once.Do(g.start)
	if g.orders == nil {
		return
	}
	g.order("+%d\n", child.Pid())
	go func() {
		<-child.Gone()
		g.order("-%d\n", child.Pid())
	}()
}

// order writes one order, which is atomic, being short (POSIX.1-2017, write, PIPE_BUF).
func (g *guard) order(format string, id int) {
	_ = g.orders.SetWriteDeadline(time.Now().Add(guardPatience))
	_, _ = fmt.Fprintf(g.orders, format, id)
}

// start starts the guard. It gets a session of its own, so that Ctrl-C and the end of a
// terminal do not reach it, and none of our streams, so that whoever reads our output
// sees its end when we end. A descriptor that we have inherited it inherits as well, as
// the child does: it is gone before the two of us are, or in the instant after.
func (g *guard) start() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return
	}
	g.orders, g.started = ours, make(chan struct{})
	g.process = &exec.Cmd{
		Path:        self,
		Args:        []string{os.Args[0], guardWord},
		Dir:         "/", // so that no file system is in use because of it
		Stdin:       theirs,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	go func() {
		defer close(g.started)
		_ = g.process.Start()
		_ = theirs.Close()
	}()
}

// end ends the guard and reaps it. It must not be called while a child may be left. The
// guard has nothing to put in order, so that a kill is the quickest goodbye, even to one
// that still loads.
func (g *guard) end() {
	if g.orders == nil {
		return
	}
	<-g.started
	if g.process.Process != nil {
		_ = g.process.Process.Kill()
		_ = g.process.Wait()
	}
	_ = g.orders.Close()
}

// standGuard is the guard itself: it returns when its work is done.
func standGuard(orders io.Reader) {
	// Whoever ends all processes of our name would else take away the net first.
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	groups := make(map[int]bool)
	for lines := bufio.NewScanner(orders); lines.Scan(); {
		switch id, err := strconv.Atoi(lines.Text()); {
		case err != nil:
		case id > 1: // kill(2) takes -1 for everybody
			groups[id] = true
		default:
			delete(groups, -id)
		}
	}
	signalGroups(groups, syscall.SIGTERM)
	for until := time.Now().Add(guardGrace); len(groups) > 0 && time.Now().Before(until); {
		time.Sleep(guardPause)
		signalGroups(groups, 0)
	}
	signalGroups(groups, syscall.SIGKILL)
}

// signalGroups sends sig to each group, 0 to look only, and strikes off those that have
// gone: they are never signalled again.
func signalGroups(groups map[int]bool, sig syscall.Signal) {
	for id := range groups {
		if syscall.Kill(-id, sig) != nil {
			delete(groups, id)
		}
	}
}
