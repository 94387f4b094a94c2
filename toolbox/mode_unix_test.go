//go:build unix

package toolbox

import (
	"os"
	"strings"
	"testing"
)

// Whoever may write to the file chooses what we run, so nobody else may.
func TestMode(t *testing.T) {
	path := write(t, oneTool)
	for mode, want := range map[os.FileMode]string{
		0o600: "", 0o644: "", 0o444: "", 0o640: "", 0o755: "",
		0o620: "its group may write to it", 0o664: "its group may write to it",
		0o602: "everybody may write to it", 0o666: "everybody may write to it",
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		b, err := Load(path, nil)
		if err == nil {
			b.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), path+": "+want) {
			t.Errorf("%v: got %v, want %q", mode, err, want)
		}
	}
	// A link has a mode of its own, which counts for nothing.
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if b, err := Load(link, nil); err == nil {
		b.Close()
		t.Error("a link hides who may write to its file")
	}
}
