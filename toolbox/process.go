package toolbox

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/parley-rpc/parley/internal/group"
)

// Bounds on waiting for the end of a run. None of them is a pause: each is cut short by
// what it waits for.
const (
	grace      = time.Second            // from SIGTERM to SIGKILL
	killWait   = 2 * time.Second        // from SIGKILL to the exit
	drainWait  = 250 * time.Millisecond // from the end of the group, without a byte, to the end of its output
	drainLimit = 8                      // how many times that, where bytes do come
)

// An ending says how a run ended.
type ending struct {
	code   int    // the exit code; 128 plus the number of the signal that ended it; -1 if unknown
	signal string // that signal's name
	stuck  bool   // SIGKILL did not end it in time
	cut    bool   // ctx ended before it did
}

// A job is a program to run, and who is to know of it.
type job struct {
	cmd            *exec.Cmd
	stdin          *string                             // nil: the null device
	stdout, stderr io.Writer                           // each is written to by a goroutine of its own
	started        func(pid int, gone <-chan struct{}) // nil: nobody wants to know
}

// execute runs a program until it and what it has started have ended. When ctx ends, so
// does the program.
//
// The life of a run is the life of the process that was started: what that leaves
// running in its group is ended as the program would be. A process that has left the
// group is out of reach; if it holds our pipes open, they are closed over it.
func execute(ctx context.Context, j job) (ending, error) {
	p, err := start(j.cmd, j.stdin != nil)
	if err != nil {
		return ending{}, err
	}
	if j.started != nil {
		j.started(j.cmd.Process.Pid, p.gone)
	}
	var copied progress
	var readers sync.WaitGroup
	for i, to := range []io.Writer{j.stdout, j.stderr} {
		readers.Go(func() { copyAll(to, p.ours[i+1], &copied) })
	}
	if j.stdin != nil {
		readers.Go(func() { p.feed(*j.stdin) })
	}
	var end ending
	select {
	case <-p.exited:
	case <-ctx.Done():
		end.cut = true
	}
	end.stuck = !p.stop()
	read := make(chan struct{})
	go func() {
		readers.Wait()
		close(read)
	}()
	drain(read, &copied)
	p.closeOurs()
	<-read
	if !end.stuck {
		end.code, end.signal = group.ExitOf(j.cmd.ProcessState)
	}
	return end, nil
}

// A process is a program that runs, with our ends of its pipes.
type process struct {
	cmd    *exec.Cmd
	group  group.Group
	ours   [3]*os.File   // stdin, nil if there is none, stdout and stderr
	exited chan struct{} // closed by keep when the process was reaped
	gone   chan struct{} // closed by stop when nothing is left of the group, or cannot be ended
}

// start starts a program.
func start(cmd *exec.Cmd, stdin bool) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{}), gone: make(chan struct{})}
	theirs, err := p.open(stdin)
	if err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	cmd.SysProcAttr = group.Attr()
	started := make(chan error)
	go p.keep(started)
	err = <-started
	// Their ends must not stay open in us: they would hide the end of the output.
	closeAll(theirs)
	if err != nil {
		p.closeOurs()
		return nil, err
	}
	return p, nil
}

// open makes the pipes and returns their ends of the child. Without a text for it, stdin
// is the null device and no pipe: some programs look for input in a pipe before anything
// else, even if it is empty.
func (p *process) open(stdin bool) (theirs [3]*os.File, err error) {
	for i := range theirs {
		var r, w *os.File
		switch {
		case i > 0:
			r, w, err = os.Pipe()
			p.ours[i], theirs[i] = r, w
		case stdin:
			r, w, err = os.Pipe()
			p.ours[i], theirs[i] = w, r
		default:
			theirs[i], err = os.Open(os.DevNull)
		}
		if err != nil {
			closeAll(theirs)
			p.closeOurs()
			return theirs, err
		}
	}
	return theirs, nil
}

// keep starts the program and reaps it. It stays on one thread from the fork to the
// exit, because Linux takes the death of the thread that forked for ours (prctl(2),
// PR_SET_PDEATHSIG).
func (p *process) keep(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err == nil {
		p.group.Adopt(p.cmd.Process)
	}
	started <- err
	if err != nil {
		return
	}
	p.group.Reap(p.cmd)
	close(p.exited)
}

// stop ends what is left of the group, and reports whether nothing is: it is asked with
// SIGTERM, and made to with SIGKILL.
func (p *process) stop() bool {
	defer close(p.gone)
	defer p.group.Release()
	select {
	case <-p.exited:
		if !p.group.Alive() {
			return true
		}
	default:
	}
	_ = p.group.Signal(syscall.SIGTERM) // whether a step has worked is for Gone to see
	if p.group.Gone(grace, p.exited) {
		return true
	}
	_ = p.group.Signal(syscall.SIGKILL)
	return p.group.Gone(killWait, p.exited)
}

// feed writes a text to the program's stdin, which then ends. A program that does not
// read it all is none the worse.
func (p *process) feed(text string) {
	_, _ = io.Copy(p.ours[0], strings.NewReader(text))
	_ = p.ours[0].Close()
}

// closeOurs closes our ends of the pipes; what is blocked in them returns.
func (p *process) closeOurs() { closeAll(p.ours) }

func closeAll(files [3]*os.File) {
	for _, f := range files {
		_ = f.Close() // closed before, or nil, which is an error and no harm
	}
}

// progress is how far the copying of output is.
type progress struct {
	bytes atomic.Int64 // that were copied
	busy  atomic.Int64 // copies that have bytes in hand, which memory may be slow to come for
}

// copyAll copies what comes and counts it. It reads on where the writer has failed, so
// that the program is never held up.
func copyAll(to io.Writer, from io.Reader, copied *progress) {
	buf := make([]byte, 8<<10)
	for {
		n, err := from.Read(buf)
		copied.busy.Add(1)
		_, _ = to.Write(buf[:n])
		copied.bytes.Add(int64(n))
		copied.busy.Add(-1)
		if err != nil {
			return
		}
	}
}

// drain waits until all output was read, as it is at once when nobody holds the pipes
// any more, or until none comes for a while.
func drain(read <-chan struct{}, copied *progress) {
	for range drainLimit {
		before := copied.bytes.Load()
		select {
		case <-read:
			return
		case <-time.After(drainWait):
		}
		if copied.busy.Load() == 0 && copied.bytes.Load() == before {
			return
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// explain says why a program could not be started.
func explain(cmd *exec.Cmd, err error) string {
	switch {
	case errors.Is(err, syscall.E2BIG):
		what, longest := "its arguments are", 0
		for _, arg := range cmd.Args {
			longest = max(longest, len(arg))
		}
		for _, variable := range cmd.Env {
			if len(variable) > longest {
				what, longest = "the variables of its environment are", len(variable)
			}
		}
		return what + " too long for this system, the longest with " + bytesText(longest) +
			" (Linux takes 128 KiB in each); a tool takes longer text by stdin"
	case errors.Is(err, syscall.ENOEXEC):
		return "this system cannot run the file; it has no #! line, or was built for another system"
	case cmd.Dir != "" && !isFolder(cmd.Dir):
		return "its folder " + cmd.Dir + " is not there any more"
	case errors.Is(err, syscall.ENOENT):
		return "the program, or the interpreter that its #! line names, is not there any more"
	}
	return err.Error()
}
