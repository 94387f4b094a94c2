package toolbox

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// program returns the absolute path of a program: a name is looked up in our PATH, a
// path with a separator is taken from the folder of the file. It is looked up once, so
// that a program that is missing is found out before a call needs it, and no later
// change of PATH puts another in its place.
func (r *reader) program(n ast.Node, name, folder string) string {
	if name == "" {
		r.fault(n, "the program has no name")
		return ""
	}
	path := name
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		path = filepath.Join(folder, name)
	}
	found, err := exec.LookPath(path)
	switch {
	case err == nil:
		return found
	case errors.Is(err, exec.ErrDot):
		r.fault(n, "%s would be run from the current folder, wherever that is; write the path of the program", name)
	case errors.Is(err, fs.ErrPermission):
		r.fault(n, "%s is not executable; try chmod +x", name)
	case path != name || filepath.IsAbs(name):
		r.fault(n, "there is no program %s", path)
	default:
		r.fault(n, "there is no program %s in PATH; is it installed?", name)
	}
	return ""
}

// always are the variables that every tool sees if we have them: where programs and
// homes are, who runs them, and how they write. Nothing in them is a secret; what else
// is in our environment may be one, and a tool gets it only by name.
var always = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
	// Windows programs hardly start without these.
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP",
	"USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES", "PROCESSOR_ARCHITECTURE",
}

// inherited returns what a tool gets of our environment: what every tool gets, LC_* of
// the locale, and the names that it asks for.
func inherited(names []string) []string {
	kept := []string{}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if strings.HasPrefix(name, "LC_") || slices.Contains(always, name) || slices.Contains(names, name) {
			kept = append(kept, entry)
		}
	}
	return kept
}
