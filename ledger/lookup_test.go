package ledger_test

import (
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
)

// lookup returns the dialect with a name.
func lookup(t testing.TB, name string) parley.Dialect {
	t.Helper()
	d, err := dialect.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
