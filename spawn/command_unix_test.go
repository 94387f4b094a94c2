//go:build unix

package spawn

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines starts the command and returns all that it wrote to stdout.
func lines(t *testing.T, cmd Command) []string {
	t.Helper()
	c := start(t, cmd)
	var got []string
	for {
		rec, err := c.ReadRecord()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(rec))
	}
}

// Case 097: one variable of ours must not replace all the others.
func TestEnv(t *testing.T) {
	t.Setenv("HOME", "/home/of/ours")
	t.Setenv("API_KEY", "ours")
	path := "PATH=" + os.Getenv("PATH")
	tests := []struct {
		does string
		edit func(*Command)
		want []string
	}{
		{"nothing said means no change", func(*Command) {},
			[]string{path, "HOME=/home/of/ours", "API_KEY=ours"}},
		{"a variable is added to ours", func(c *Command) { c.Env = append(c.Env, "API_KEY=x=y") },
			[]string{path, "HOME=/home/of/ours", "API_KEY=x=y"}},
		{"the last entry wins", func(c *Command) { c.Env = append(c.Env, "API_KEY=1", "API_KEY=", "HOME=/h") },
			[]string{path, "HOME=/h", "API_KEY="}},
		{"ClearEnv leaves only what is given", func(c *Command) { c.ClearEnv, c.Env = true, append(c.Env, "API_KEY=x") },
			[]string{"PATH unset", "HOME unset", "API_KEY=x"}},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			cmd := as(t, "env", "PATH", "HOME", "API_KEY")
			tt.edit(&cmd)
			if diff := cmp.Diff(tt.want, lines(t, cmd)); diff != "" {
				t.Errorf("the child sees (-want +got):\n%s", diff)
			}
		})
	}
}

// ClearEnv with nothing to add must not turn into "inherit", which is what an empty
// environment means to os/exec.
func TestClearEnvAlone(t *testing.T) {
	got := lines(t, Command{Path: "env", ClearEnv: true})
	if diff := cmp.Diff([]string(nil), got); diff != "" {
		t.Errorf("the child sees (-want +got):\n%s", diff)
	}
}

// The child starts in Dir, and PWD says so too.
func TestDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := as(t, "cwd")
	cmd.Dir = dir
	if diff := cmp.Diff([]string{dir, dir}, lines(t, cmd)); diff != "" {
		t.Errorf("working directory and PWD (-want +got):\n%s", diff)
	}
}

// script writes an executable file and returns its folder.
func script(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Where a program is found follows the child's environment and folder, not ours.
func TestProgramIsFound(t *testing.T) {
	dir := script(t, "parley-server", "#!/bin/sh\necho found\n", 0o755)
	up, name := filepath.Split(dir)
	tests := []struct {
		does string
		cmd  Command
	}{
		{"in the PATH that Env sets", Command{Path: "parley-server", Env: []string{"PATH=/nowhere:" + dir}}},
		{"in the last PATH that Env sets", Command{Path: "parley-server", Env: []string{"PATH=/nowhere", "PATH=" + dir}}},
		{"by an absolute path", Command{Path: filepath.Join(dir, "parley-server")}},
		{"by a path from Dir", Command{Path: "./parley-server", Dir: dir}},
		{"by a path from the parent of its folder", Command{Path: name + "/parley-server", Dir: up}},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			if diff := cmp.Diff([]string{"found"}, lines(t, tt.cmd)); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("in our PATH, though the child gets none", func(t *testing.T) {
		t.Setenv("PATH", dir)
		cmd := Command{Path: "parley-server", ClearEnv: true}
		if diff := cmp.Diff([]string{"found"}, lines(t, cmd)); diff != "" {
			t.Errorf("output (-want +got):\n%s", diff)
		}
	})
	t.Run("by a path from a relative Dir", func(t *testing.T) {
		t.Chdir(up)
		cmd := Command{Path: "./parley-server", Dir: name}
		if diff := cmp.Diff([]string{"found"}, lines(t, cmd)); diff != "" {
			t.Errorf("output (-want +got):\n%s", diff)
		}
	})
}

// What cannot be started is refused in words that say what, where and what to do.
func TestStartErrors(t *testing.T) {
	dir := script(t, "plain", "#!/bin/sh\n", 0o644)
	plain := filepath.Join(dir, "plain")
	badInterpreter := filepath.Join(script(t, "x", "#!/no/such/interpreter\n", 0o755), "x")
	noProgram := filepath.Join(script(t, "x", "\x00\x01\x02", 0o755), "x")
	tests := []struct {
		does string
		cmd  Command
		want string
		is   error
	}{
		{"no path", Command{}, `cannot start "": no program is named; set Path`, exec.ErrNotFound},
		{"a name that PATH does not have", Command{Path: "no-such-server"},
			`cannot start "no-such-server": no such program "no-such-server" in PATH; is it installed?`, exec.ErrNotFound},
		{"a name in a PATH that Env empties", Command{Path: "sh", Env: []string{"PATH="}},
			`no such program "sh" in PATH`, exec.ErrNotFound},
		{"a name in a relative folder of PATH", Command{Path: "plain", Env: []string{"PATH=."}},
			`no such program "plain" in PATH`, exec.ErrNotFound},
		{"a name that PATH has as a plain file", Command{Path: "plain", Env: []string{"PATH=" + dir}},
			`"` + plain + `" in PATH is not executable; try chmod +x`, fs.ErrPermission},
		{"a path to nothing", Command{Path: dir + "/nothing"},
			`no such file "` + dir + `/nothing"; check the path`, fs.ErrNotExist},
		{"a folder", Command{Path: dir}, `"` + dir + `" is a folder, not a program`, syscall.EISDIR},
		{"a plain file", Command{Path: plain}, `"` + plain + `" is not executable; try chmod +x`, fs.ErrPermission},
		{"a missing Dir", Command{Path: "sh", Dir: dir + "/gone"},
			`its folder "` + dir + `/gone" does not exist; create it or name another`, fs.ErrNotExist},
		{"a file as Dir", Command{Path: "sh", Dir: plain}, `its folder "` + plain + `" is not a folder`, syscall.ENOTDIR},
		{"an entry without =", Command{Path: "sh", Env: []string{"A=1", "API_KEY"}},
			`the environment entry "API_KEY" is not NAME=VALUE`, syscall.EINVAL},
		{"an entry without a name", Command{Path: "sh", Env: []string{"=1"}},
			`the environment entry "=1" is not NAME=VALUE`, syscall.EINVAL},
		{"NUL in an entry, whose value is not repeated", Command{Path: "sh", Env: []string{"KEY=secret\x00"}},
			`the environment entry "KEY" holds a NUL byte`, syscall.EINVAL},
		{"NUL in an argument", Command{Path: "sh", Args: []string{"a\x00b"}}, `an argument holds a NUL byte`, syscall.EINVAL},
		{"a script whose interpreter is missing", Command{Path: badInterpreter},
			`the interpreter its #! line names, or its loader, is not`, syscall.ENOENT},
		{"a file that is no program", Command{Path: noProgram}, `it has no #! line`, syscall.ENOEXEC},
		{"arguments without end", Command{Path: "sh", Args: []string{strings.Repeat("x", 4<<20)}},
			`too long together`, syscall.E2BIG},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			c, err := Start(tt.cmd)
			if err == nil {
				c.Close()
				t.Fatal("it started")
			}
			se, ok := errors.AsType[*StartError](err)
			if !ok || se.Path != tt.cmd.Path {
				t.Errorf("got %#v, want a *StartError for %q", err, tt.cmd.Path)
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "cannot start ") {
				t.Errorf("got  %s\nwant %s in it", err, tt.want)
			}
			if !errors.Is(err, tt.is) {
				t.Errorf("%v does not match %v", err, tt.is)
			}
		})
	}
}
