package spawn

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/group"
)

const (
	defaultTail  = 4 << 10
	defaultGrace = 2 * time.Second
)

// A Command says what to run and how. Only Path is needed.
type Command struct {
	// Path names the program. A name without a separator is looked up in the PATH
	// that Env sets, else in ours; relative folders in PATH are passed over, as
	// os/exec does. A relative path with a separator is taken from Dir.
	Path string
	// Args are the arguments, without the name of the program.
	Args []string
	// Env holds NAME=VALUE entries that are added to our own environment; the last
	// entry for a name wins. Empty means no change.
	Env []string
	// ClearEnv starts from an empty environment rather than from ours.
	ClearEnv bool
	// Dir is the folder the child starts in; empty means ours.
	Dir string

	// Framing says where a record begins and ends; the zero value is frame.Lines.
	Framing frame.Framing

	// Stderr gets a copy of the child's stderr, from one goroutine. Nil discards
	// it. A Write that blocks costs the copy some bytes and never stops the child;
	// a Write that fails ends the copy.
	Stderr io.Writer
	// Tail is how many bytes of stderr are kept for errors. 0 means 4 KiB;
	// less than 0 keeps none.
	Tail int

	// Grace is how long the child may take to end after its stdin was closed, and
	// again after SIGTERM. 0 or less means 2 s.
	Grace time.Duration
}

// Start starts the command and returns when it runs. The caller must call Close
// on the Child, also when the child has ended by itself: Close is what frees its
// pipes. A child costs three descriptors, a thread and a few goroutines. Every error
// is a [*StartError].
func Start(cmd Command) (*Child, error) {
	proc, err := cmd.build()
	if err != nil {
		return nil, err
	}
	p, err := openPipes()
	if err != nil {
		return nil, &StartError{Path: cmd.Path, Problem: err.Error(), Err: err}
	}
	proc.Stdin, proc.Stdout, proc.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]

	c := newChild(cmd, proc, p.ours)
	started := make(chan error)
	go c.keep(started)
	err = <-started
	// The child's ends must not stay open in us: they would hide its end.
	closeAll(p.theirs)
	if err != nil {
		closeAll(p.ours)
		return nil, explain(cmd.Path, err)
	}
	c.copyStderr()
	return c, nil
}

// build checks the command and turns it into one for os/exec, so that what can be
// said clearly is said before a fork says ENOENT.
func (cmd *Command) build() (*exec.Cmd, error) {
	env, err := cmd.environ()
	if err != nil {
		return nil, err
	}
	if err := cmd.checkDir(); err != nil {
		return nil, err
	}
	path, err := cmd.program()
	if err != nil {
		return nil, err
	}
	for _, arg := range cmd.Args {
		if strings.IndexByte(arg, 0) >= 0 {
			return nil, cmd.refuse(syscall.EINVAL, "an argument holds a NUL byte; no system can pass that on")
		}
	}
	return &exec.Cmd{
		Path: path,
		// The child sees its name as it was given, as from a shell.
		Args:        append([]string{cmd.Path}, cmd.Args...),
		Env:         env,
		Dir:         cmd.Dir,
		SysProcAttr: group.Attr(),
	}, nil
}

// environ returns the child's environment, which is never nil: os/exec takes nil
// for "ours", and that would undo ClearEnv.
func (cmd *Command) environ() ([]string, error) {
	env := []string{}
	if !cmd.ClearEnv {
		env = append(env, os.Environ()...)
		// An inherited PWD would name our own folder. Windows has no such variable.
		if abs, err := filepath.Abs(cmd.Dir); err == nil && cmd.Dir != "" && runtime.GOOS != "windows" {
			env = append(env, "PWD="+abs)
		}
	}
	for _, entry := range cmd.Env {
		name, _, ok := strings.Cut(entry, "=")
		switch {
		case !ok || name == "":
			return nil, cmd.refuse(syscall.EINVAL, "the environment entry %q is not NAME=VALUE", entry)
		case strings.IndexByte(entry, 0) >= 0:
			return nil, cmd.refuse(syscall.EINVAL, "the environment entry %q holds a NUL byte", name)
		}
	}
	return append(env, cmd.Env...), nil
}

// checkDir refuses a folder that the child cannot start in.
func (cmd *Command) checkDir() error {
	if cmd.Dir == "" {
		return nil
	}
	info, err := os.Stat(cmd.Dir)
	switch {
	case os.IsNotExist(err):
		return cmd.refuse(err, "its folder %q does not exist; create it or name another", cmd.Dir)
	case err != nil:
		return cmd.refuse(err, "its folder %q cannot be used: %v", cmd.Dir, err)
	case !info.IsDir():
		return cmd.refuse(syscall.ENOTDIR, "its folder %q is not a folder", cmd.Dir)
	}
	return nil
}

// program returns the absolute path of the file to run.
func (cmd *Command) program() (string, error) {
	if cmd.Path == "" {
		return "", cmd.refuse(exec.ErrNotFound, "no program is named; set Path")
	}
	if filepath.Base(cmd.Path) != cmd.Path {
		return cmd.programAt(cmd.Path)
	}
	var denied string
	for _, dir := range filepath.SplitList(cmd.searchPath()) {
		// A relative folder would run whatever lies in the current one.
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, cmd.Path)
		found, err := exec.LookPath(file)
		if err == nil {
			return found, nil
		}
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			denied = file
		}
	}
	if denied != "" {
		return "", cmd.refuse(fs.ErrPermission, "%q in PATH is not executable; try chmod +x", denied)
	}
	return "", cmd.refuse(exec.ErrNotFound, "no such program %q in PATH; is it installed?", cmd.Path)
}

// programAt checks a path that names a file rather than a program in PATH.
func (cmd *Command) programAt(path string) (string, error) {
	if !filepath.IsAbs(path) {
		// The child changes to Dir before it runs the file, so that a path of ours
		// would be looked up there once more.
		abs, err := filepath.Abs(filepath.Join(cmd.Dir, path))
		if err != nil {
			return "", cmd.refuse(err, "%v", err)
		}
		path = abs
	}
	found, err := exec.LookPath(path)
	if err == nil {
		return found, nil
	}
	info, statErr := os.Stat(path)
	switch {
	case os.IsNotExist(statErr):
		return "", cmd.refuse(statErr, "no such file %q; check the path", path)
	case statErr != nil:
		return "", cmd.refuse(statErr, "%v", statErr)
	case info.IsDir():
		return "", cmd.refuse(syscall.EISDIR, "%q is a folder, not a program", path)
	}
	return "", cmd.refuse(err, "%q is not executable; try chmod +x", path)
}

// searchPath returns the PATH of the child's environment when Env sets one. With
// ClearEnv and no PATH the program is still found in ours: only what the child
// sees is cleared.
func (cmd *Command) searchPath() string {
	path := os.Getenv("PATH")
	for _, entry := range cmd.Env {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	return path
}

// pipes are both ends of a child's stdin, stdout and stderr.
type pipes struct{ ours, theirs [3]*os.File }

func openPipes() (p pipes, err error) {
	for i := range p.ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(p.ours)
			closeAll(p.theirs)
			return pipes{}, err
		}
		p.ours[i], p.theirs[i] = r, w
		if i == 0 {
			p.ours[i], p.theirs[i] = w, r
		}
	}
	return p, nil
}

// closeAll closes ends of pipes that nothing was written to. Some may be nil.
func closeAll(files [3]*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
