package toolbox

import (
	"os"
	"slices"
	"time"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// Defaults and limits of the keys of a tool.
const (
	defaultTimeout     = time.Minute
	maxTimeout         = 24 * time.Hour
	defaultConcurrency = 8
	maxConcurrency     = 256
	defaultMaxOutput   = 1 << 20
	maxMaxOutput       = 16 << 20
	maxHeld            = 64 << 20 // bytes of output that the runs of a Box may hold at once
)

// A tool is one tool of a file, ready to be run. Nothing in it changes any more.
type tool struct {
	mcp.Tool

	inputs  []*input
	program string     // the absolute path of run[0]
	run     []template // argv; the first has no placeholder
	stdin   template   // nil: the null device
	env     []variable
	kept    []string // what is passed on of our own environment, as NAME=VALUE
	dir     string   // "": ours

	json      bool
	schema    *mcp.Schema // of the output; nil: any
	progress  bool
	timeout   time.Duration
	maxOutput int
	allowDash bool

	concurrency int
	slots       *gate // of that size; every version of the tool shares it
}

// A variable is an entry of the environment.
type variable struct {
	name  string
	value template
}

// tools are the tools of one reading of the file.
type tools struct {
	text   []byte      // of the file
	info   os.FileInfo // of the file, as it was read
	list   []*tool
	byName map[string]*tool
}

func newTools(text []byte, info os.FileInfo, list []*tool) *tools {
	all := &tools{text: text, info: info, list: list, byName: make(map[string]*tool, len(list))}
	for _, t := range list {
		all.byName[t.Name] = t
	}
	return all
}

// input returns the input of that name, or nil.
func (t *tool) input(name string) *input {
	i := slices.IndexFunc(t.inputs, func(in *input) bool { return in.name == name })
	if i < 0 {
		return nil
	}
	return t.inputs[i]
}
