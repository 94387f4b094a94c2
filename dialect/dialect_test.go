package dialect_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/message"
)

// Each name is that of its dialect, and a wrong one is answered with all of them.
func TestLookup(t *testing.T) {
	names := dialect.Names()
	if names[0] != "jsonrpc" || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("the names are %q", names)
	}
	for _, name := range names {
		d, err := dialect.Lookup(name)
		if err != nil || d.Name != name {
			t.Errorf("Lookup(%q) = %q, %v", name, d.Name, err)
		}
	}
	_, err := dialect.Lookup("klingon")
	if err == nil || !strings.Contains(err.Error(), `"klingon"; use one of `+strings.Join(names, ", ")) {
		t.Errorf("a name that nobody has: %v", err)
	}
}

// What the caller changes is a copy.
func TestLookupCopies(t *testing.T) {
	d, _ := dialect.Lookup("claude")
	d.Name = "mine"
	if again, err := dialect.Lookup("claude"); err != nil || again.Name != "claude" {
		t.Errorf("%q, %v", again.Name, err)
	}
}

// Every dialect refuses noise with a [*message.ParseError], which the peer relies on, and
// the calls that wait for a person are words of it.
func TestDialectsHold(t *testing.T) {
	for _, name := range dialect.Names() {
		d, _ := dialect.Lookup(name)
		codec := d.Codec
		if codec == nil {
			codec = message.Strict
		}
		var bad *message.ParseError
		if _, err := codec.Parse([]byte("Starting server...")); !errors.As(err, &bad) || bad.Err.Code != message.CodeParseError {
			t.Errorf("%s: noise is refused with %v", name, err)
		}
		named := map[string]bool{}
		for _, w := range d.Words {
			named[w.Method] = true
		}
		for method := range d.Waits {
			if !named[method] {
				t.Errorf("%s: %s waits for a person and is no word", name, method)
			}
		}
		for _, method := range []string{d.Cancel.Method, d.Withdraw.Method} {
			if method != "" && len(d.Words) > 0 && !named[method] {
				t.Errorf("%s: %s is no word", name, method)
			}
		}
	}
}
