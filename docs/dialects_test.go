package docs_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/message"
)

var update = flag.Bool("update", false, "rewrite the tables that are made out of values")

// TestDialectTable says that the table of the dialects is made out of their values.
func TestDialectTable(t *testing.T) {
	const file = "dialects.md"
	text := readFile(t, file)
	const head = "| dialect | framing |"
	from := strings.Index(text, head)
	if from < 0 {
		t.Fatalf("%s has no table of the dialects", file)
	}
	to := from + strings.Index(text[from:], "\n\n") + 1
	lines := strings.SplitAfter(text[from:to], "\n")
	want := lines[0] + lines[1]
	for _, name := range dialect.Names() {
		d, err := dialect.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		want += dialectRow(d)
	}
	if got := text[from:to]; got == want {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not that of the values; go test ./docs -run DialectTable -update writes it:\n%s", file, want)
	}
	if err := os.WriteFile(file, []byte(text[:from]+want+text[to:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

// dialectRow is one dialect in the table.
func dialectRow(d parley.Dialect) string {
	ids := "integers"
	switch {
	case d.Name == "stream":
		ids = "none"
	case d.StringIDs:
		ids = "strings"
	}
	switch d.Codec {
	case nil, message.Strict:
		ids += `, with "jsonrpc"`
	case message.Bare:
		ids += `, no "jsonrpc"`
	}
	cancel := "–"
	if d.Cancel.Method != "" {
		cancel = fmt.Sprintf("%#q %s, ", d.Cancel.Method, d.Cancel.Member)
		if d.Cancel.Answered {
			cancel += "answered"
		} else {
			cancel += "not answered"
		}
	}
	if d.Withdraw.Method != "" {
		cancel = fmt.Sprintf("–, but %#q %s withdraws", d.Withdraw.Method, d.Withdraw.Member)
	}
	batch, bad := "yes", "answered"
	if d.NoBatch {
		batch = "none"
	}
	if d.BadInput == parley.SilentOnBadInput {
		bad = "silent"
	}
	return fmt.Sprintf("| %#q | %s | %s | %s | %s | %s | %s |\n", d.Name, d.Framing, ids, cancel, batch, bad, waits(d))
}

// waits lists the calls that wait for a person.
func waits(d parley.Dialect) string {
	var kinds []string
	for _, k := range []struct {
		wait parley.Wait
		name string
	}{{parley.WaitApproval, "approval"}, {parley.WaitInput, "input"}} {
		var methods []string
		for _, method := range slices.Sorted(maps.Keys(d.Waits)) {
			if d.Waits[method] == k.wait {
				methods = append(methods, "`"+method+"`")
			}
		}
		if len(methods) > 0 {
			kinds = append(kinds, k.name+": "+strings.Join(methods, ", "))
		}
	}
	if len(kinds) == 0 {
		return "–"
	}
	return strings.Join(kinds, "; ")
}
