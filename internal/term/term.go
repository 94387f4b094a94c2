// Package term decides how the command shows text to a person.
//
// # Rules
//
//  1. Colour is for terminals. What goes to a pipe or a file is plain, so that it
//     can be read by programs.
//  2. NO_COLOR, set to anything but the empty text, means no colour anywhere
//     (no-color.org). It beats rule 4.
//  3. A terminal whose TERM is "dumb" has no colour.
//  4. CLICOLOR_FORCE, set to anything but the empty text and "0", means colour
//     even in a pipe (bixense.com/clicolors).
//  5. A terminal is as wide as it says, within bounds; everything else counts as
//     80 columns. COLUMNS is not asked: shells keep it to themselves.
//  6. Text of a peer is shown with what could move a cursor, change a colour or
//     turn the reading direction escaped.
package term

import (
	"io"

	xterm "golang.org/x/term"
)

// The bounds of [Look.Width], in columns. Below the least, a wire line would be cut
// at every member; beyond the most, eyes lose the line.
const (
	leastWidth   = 40
	defaultWidth = 80
	mostWidth    = 120
)

// A Look is how text may look on an output.
type Look struct {
	Terminal bool // a person looks at it right now
	Colour   bool // it may hold ANSI colours
	Width    int  // columns, from 40 to 120
}

// LookOf returns how text may look on out. What is no file, such as a buffer, is no
// terminal. getenv is os.Getenv or stands for it.
func LookOf(out io.Writer, getenv func(string) string) Look {
	look := Look{Width: defaultWidth}
	if f, ok := out.(interface{ Fd() uintptr }); ok && xterm.IsTerminal(int(f.Fd())) {
		look.Terminal = true
		// A terminal that does not know its size says 0, or that it cannot say.
		if columns, _, err := xterm.GetSize(int(f.Fd())); err == nil && columns > 0 {
			look.Width = min(max(columns, leastWidth), mostWidth)
		}
	}
	look.Colour = colour(look.Terminal, getenv)
	return look
}

// colour is rules 1 to 4.
func colour(terminal bool, getenv func(string) string) bool {
	force := getenv("CLICOLOR_FORCE")
	switch {
	case getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	default:
		return terminal && getenv("TERM") != "dumb"
	}
}
