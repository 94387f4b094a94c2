package interop

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"testing"
)

// openLicences are the licences that the packages of the lock file may have, as they state them.
var openLicences = []string{
	"MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "MPL-2.0",
	"(MIT OR CC0-1.0)", "(MIT OR GPL-3.0-or-later)", "(MIT AND Zlib)",
}

// elsewhere are packages that state theirs in a file. The READMEs of the three servers name the MIT licence; the
// Inspector has Apache-2.0, and MIT for what was written before.
var elsewhere = []string{
	"node_modules/@modelcontextprotocol/inspector",
	"node_modules/@modelcontextprotocol/server-everything",
	"node_modules/@modelcontextprotocol/server-filesystem",
	"node_modules/@modelcontextprotocol/server-memory",
}

// TestLockFile holds the lock file to what the README says of it: versions and digests, no address to download
// from (that is npm's own setting), nothing that is not open source, and what we ask for by its exact version.
func TestLockFile(t *testing.T) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Version, Resolved, Integrity, License string
			Dependencies                          map[string]string
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
		if !slices.Contains(openLicences, p.License) && !slices.Contains(elsewhere, name) {
			t.Errorf("%s has licence %q, which is not in the list of open ones", name, p.License)
		}
	}
}
