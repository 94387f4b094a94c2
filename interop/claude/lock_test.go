//go:build claude

package claude

import (
	"encoding/json"
	"os"
	"path"
	"testing"
)

// TestClaudeLockFile holds the lock file to versions and digests, without an address to download from: that is npm's
// own setting.
func TestClaudeLockFile(t *testing.T) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Version, Resolved, Integrity string
			Dependencies                 map[string]string
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	asked := lock.Packages[""].Dependencies
	if len(asked) == 0 {
		t.Error("the lock file asks for nothing")
	}
	for name, version := range asked {
		if got := lock.Packages[path.Join("node_modules", name)].Version; got != version {
			t.Errorf("%s is locked to %q, but package.json says %q: write the exact version there", name, got, version)
		}
	}
	delete(lock.Packages, "")
	for name, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s has an address: keep omit-lockfile-registry-resolved in .npmrc and run npm install", name)
		}
		if p.Version == "" || p.Integrity == "" {
			t.Errorf("%s has version %q and digest %q: both are needed to install the same again", name, p.Version, p.Integrity)
		}
	}
}
