package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/dialect/lsp"
	mcp "github.com/parley-rpc/parley/dialect/mcp/words"
	"github.com/parley-rpc/parley/dialect/stream"
)

// all are the dialects in the order of Names.
var all = []*parley.Dialect{
	&parley.JSONRPC,
	&mcp.Dialect, &mcp.Legacy, &mcp.Modern,
	&lsp.Dialect,
	&acp.Dialect,
	&codex.Dialect,
	&claude.Dialect,
	&stream.Dialect,
}

// Lookup returns the dialect with the given name. The error for any other name lists
// the names that there are.
func Lookup(name string) (parley.Dialect, error) {
	for _, d := range all {
		if d.Name == name {
			return *d, nil
		}
	}
	return parley.Dialect{}, fmt.Errorf("dialect: no dialect is called %q; use one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of the dialects: jsonrpc first, then those that have calls,
// then stream, which has none. "mcp" has the words of both its eras, which have names of
// their own.
func Names() []string {
	names := make([]string, 0, len(all))
	for _, d := range all {
		names = append(names, d.Name)
	}
	return slices.Clip(names)
}
