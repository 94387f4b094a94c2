package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/parley-rpc/parley/internal/term"
)

// mostLines is how many lines a history has. Its file may grow to twice as many before
// it is cut.
const mostLines = 1000

// A history is what was typed, in this shell and in earlier ones. Lines that begin with a
// space are kept for this shell only, for what nobody else should read. The file belongs
// to its user alone (mode 0600).
type history struct {
	lines []string // the oldest first
	file  *os.File // what is added goes there as well; nil: nowhere
	tell  *console
}

// openHistory returns the history, with the lines of the file if keep. Whatever is wrong
// with the file is told, and no reason not to go on.
func openHistory(a *app, keep bool) *history {
	h := &history{tell: a.tell}
	if !keep {
		return h
	}
	path, err := historyPath(a.getenv)
	if err == nil {
		err = h.open(path)
	}
	if err != nil {
		a.tell.printf("parley: no history is kept: %v", err)
	}
	return h
}

// historyPath is where the file is (XDG Base Directory Specification, XDG_STATE_HOME).
// Windows has no such place, and a folder for what belongs to one machine.
func historyPath(getenv func(string) string) (string, error) {
	state := getenv("XDG_STATE_HOME")
	var err error
	switch {
	case filepath.IsAbs(state): // others are to be ignored
	case runtime.GOOS == "windows":
		state, err = os.UserCacheDir()
	default:
		state, err = os.UserHomeDir()
		state = filepath.Join(state, ".local", "state")
	}
	return filepath.Join(state, "parley", "history"), err
}

// open reads the file and opens it to add to it.
func (h *history) open(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		count++
		h.remember(strings.TrimRight(line, "\r\n"))
	}
	if count > 2*mostLines {
		// Whatever ends this half way leaves the old file or the new one.
		if err := os.WriteFile(path+".new", []byte(strings.Join(h.lines, "\n")+"\n"), 0o600); err != nil {
			return err
		}
		if err := os.Rename(path+".new", path); err != nil {
			return err
		}
	}
	h.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return err
}

// remember adds a line that can be shown and is not the one before.
func (h *history) remember(line string) bool {
	if strings.TrimSpace(line) == "" || term.Escape(line) != line || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return false
	}
	if h.lines = append(h.lines, line); len(h.lines) > mostLines {
		h.lines = h.lines[1:]
	}
	return true
}

// Add adds a line that was typed.
func (h *history) Add(line string) {
	line = strings.TrimRight(line, " ")
	if !h.remember(line) || h.file == nil || strings.HasPrefix(line, " ") {
		return
	}
	// In one write, so that two shells do not mix.
	if _, err := h.file.WriteString(line + "\n"); err != nil {
		h.tell.printf("parley: no more history is kept: %v", err)
		h.close()
	}
}

// Len and At are how a line editor looks back; 0 is the newest line.
func (h *history) Len() int { return len(h.lines) }

// At returns a line.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }

func (h *history) close() {
	if h.file != nil {
		_ = h.file.Close() // what was written has been written
		h.file = nil
	}
}
