package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"

	xterm "golang.org/x/term"

	"github.com/parley-rpc/parley/internal/term"
)

// A typist is a person at a terminal. The terminal is in raw mode for as long as the
// shell runs, so that Ctrl-C is a key and no signal, and what the server says while a line
// is being typed moves the line out of the way:
//
//	keys ─► keyboard ─► Terminal: editing, history, TAB ─► a line
//	            └─ Ctrl-C: takes the running call back
//	results, stderr of the child, what we tell ─► Terminal ─► screen
//
// The prompt is no result and goes to stderr. A stdout that is no terminal stays what
// it is.
type typist struct {
	shell    *shell
	terminal *xterm.Terminal
	keys     *keyboard
	history  *history
	screen   *wholeLines
	size     func() (width, height int, err error)
	restore  func()
}

// openTerminal returns nil if nobody types: stdin or stderr is no terminal, or one that
// cannot move its cursor.
func (s *shell) openTerminal(keep bool) *typist {
	in, ok := s.app.stdin.(*os.File)
	if !ok || !s.app.tell.terminal || s.app.getenv("TERM") == "dumb" || !xterm.IsTerminal(int(in.Fd())) {
		return nil
	}
	fd := int(in.Fd())
	before, err := xterm.MakeRaw(fd)
	if err != nil {
		s.app.tell.printf("parley: no line editing: %v", err)
		return nil
	}
	t := &typist{shell: s, size: func() (int, int, error) { return xterm.GetSize(fd) }}
	t.keys = newKeyboard(in, s.takeBack, func() { s.app.tell.printf("parley: Ctrl-C once more, or Ctrl-D, leaves") })
	t.terminal = xterm.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, s.app.stderr}, s.prompt())
	t.terminal.AutoCompleteCallback = t.complete
	t.history = openHistory(s.app, keep)
	t.terminal.History = t.history
	stdout := s.app.stdout
	if s.app.terminal {
		s.app.stdout = t.terminal
	}
	t.screen = &wholeLines{to: t.terminal}
	back := s.app.tell.through(t.screen)
	t.restore = func() {
		back()
		s.app.stdout = stdout
		_ = xterm.Restore(fd, before) // a terminal that has gone needs none
	}
	return t
}

// close gives the terminal back as it was.
func (t *typist) close() {
	t.history.close()
	t.restore()
}

// line reads one line.
func (t *typist) line() (string, error) {
	if width, height, err := t.size(); err == nil && width > 0 {
		_ = t.terminal.SetSize(width, height) // an error of the screen comes again
	}
	line, err := t.terminal.ReadLine()
	if errors.Is(err, xterm.ErrPasteIndicator) {
		err = nil
	}
	if t.keys.entered() {
		return "", errTakenBack
	}
	return line, err
}

const (
	keyCtrlC = 3
	// keyEnd goes to the end of the line, and keyClear clears what is before it.
	keyEnd, keyClear = 5, 21
	// mostAhead is how many keys may be typed while a call runs.
	mostAhead = 64 << 10
)

// A keyboard reads keys all the time, so that Ctrl-C is seen while a call runs. What else
// is typed then waits.
type keyboard struct {
	takeBack func() bool // takes the running call back, if there is one
	warn     func()      // tells that the next Ctrl-C leaves

	mu     sync.Mutex
	change sync.Cond
	ahead  []byte // typed and not read yet
	err    error  // why no more will come
	struck bool   // Ctrl-C came since the last line
	left   bool   // twice
}

func newKeyboard(in io.Reader, takeBack func() bool, warn func()) *keyboard {
	k := &keyboard{takeBack: takeBack, warn: warn}
	k.change.L = &k.mu
	go k.pump(in)
	return k
}

// pump hands keys over. It ends with the terminal, or with the process.
func (k *keyboard) pump(in io.Reader) {
	var keys [256]byte
	for {
		n, err := in.Read(keys[:])
		for rest := keys[:n]; len(rest) > 0; {
			plain, after, struck := bytes.Cut(rest, []byte{keyCtrlC})
			k.typed(plain, nil)
			if struck {
				k.strike()
			}
			rest = after
		}
		if err != nil {
			k.typed(nil, err)
			return
		}
	}
}

// typed takes keys, or the end of them.
func (k *keyboard) typed(keys []byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.ahead)+len(keys) <= mostAhead {
		k.ahead = append(k.ahead, keys...)
	}
	k.err = err
	k.change.Broadcast()
}

// strike is Ctrl-C. The first one takes the running call back, or the line that is being
// typed; the second one leaves.
func (k *keyboard) strike() {
	took := k.takeBack()
	k.mu.Lock()
	second := k.struck
	k.struck = true
	if second {
		k.left = true
		k.ahead = append(k.ahead[:0], keyCtrlC) // to the line editor it is the end of the input
	} else {
		k.ahead = append(k.ahead[:0], keyEnd, keyClear)
	}
	k.change.Broadcast()
	k.mu.Unlock()
	if !took && !second {
		k.warn()
	}
}

// entered notes that a line is done, and reports whether it was by leaving.
func (k *keyboard) entered() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.struck = false
	return k.left
}

// Read waits for keys.
func (k *keyboard) Read(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.ahead) == 0 {
		if k.err != nil {
			return 0, k.err
		}
		k.change.Wait()
	}
	n := copy(p, k.ahead)
	k.ahead = k.ahead[:copy(k.ahead, k.ahead[n:])]
	return n, nil
}

// through sends what is told, and the stderr of children, to another writer until back is
// called.
func (c *console) through(w *wholeLines) (back func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	raw, to := c.raw, c.to
	c.raw, c.to = w, term.NewWriter(w)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		w.flush()
		c.raw, c.to = raw, to
	}
}

// wholeLines passes on whole lines: the prompt comes back after each write, and would
// stand behind the half of a line.
type wholeLines struct {
	to   io.Writer
	held []byte // the start of a line
}

// Write passes on what is complete.
func (w *wholeLines) Write(p []byte) (int, error) {
	const longest = 4 << 10
	w.held = append(w.held, p...)
	end := bytes.LastIndexByte(w.held, '\n') + 1
	if end == 0 && len(w.held) > longest {
		w.held = append(w.held, '\n')
		end = len(w.held)
	}
	if end == 0 {
		return len(p), nil
	}
	_, err := w.to.Write(w.held[:end])
	w.held = append(w.held[:0], w.held[end:]...)
	return len(p), err
}

// flush ends the line that is open.
func (w *wholeLines) flush() {
	if len(w.held) > 0 {
		_, _ = w.Write([]byte("\n")) // nowhere is left to tell that this failed
	}
}
