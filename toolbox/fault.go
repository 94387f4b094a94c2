package toolbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Fault is one thing that is wrong with a file of tools.
type Fault struct {
	File   string // as it was given to Load
	Line   int    // from 1; 0 if the fault is with the file as a whole
	Column int    // in characters, from 1; 0 if Line is
	Text   string // what is wrong, and what to do about it
}

// String gives the fault as compilers do: "tools.yaml:4:12: this tool has no key run".
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Text)
}

// Faults are all faults of one file, in the order of their places. There is at least one
// if they are an error.
type Faults []Fault //nolint:errname // it is a list first, and an error where there is one

// Error gives one fault a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// sorted returns the faults in the order of their places.
func (f Faults) sorted() Faults {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}
