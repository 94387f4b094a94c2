package measure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Table is rows of cells under their heads. It is a value: who shows it decides about
// colour, by Paint, and about everything around it.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// A Column says how the cells of one column stand.
type Column struct {
	Head  string
	Right bool                     // flush right, as numbers are
	Paint func(cell string) string // what a cell looks like; nil leaves it as it is
}

// gap stands between two columns.
const gap = "  "

// Lines returns the table as lines without line feeds, the heads first. Each character
// counts as one column wide. Cells that are missing at the end of a row are empty.
func (t Table) Lines() []string {
	widths := make([]int, len(t.Columns))
	heads := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		heads[i] = column.Head
		widths[i] = utf8.RuneCountInString(column.Head)
		for _, row := range t.Rows {
			if i < len(row) {
				widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			}
		}
	}
	lines := []string{t.line(heads, widths, false)}
	for _, row := range t.Rows {
		lines = append(lines, t.line(row, widths, true))
	}
	return lines
}

// line joins the cells of a row. The room around a cell is not painted, so that a
// background or an underline ends with its text.
func (t Table) line(cells []string, widths []int, paint bool) string {
	var line strings.Builder
	for i, column := range t.Columns {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		room := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if paint && column.Paint != nil && cell != "" {
			cell = column.Paint(cell)
		}
		if i > 0 {
			line.WriteString(gap)
		}
		if column.Right {
			line.WriteString(room + cell)
		} else {
			line.WriteString(cell + room)
		}
	}
	return strings.TrimRight(line.String(), " ")
}

// Bar draws a value beside the others, of which most is the largest, in at most width
// cells and at least one. The solid part of it is the floor.
func Bar(value, floor, most float64, width int) string {
	if value <= 0 || most <= 0 {
		return ""
	}
	cells := min(max(int(math.Round(value/most*float64(width))), 1), width)
	solid := min(max(int(math.Round(floor/value*float64(cells))), 0), cells)
	return strings.Repeat("█", solid) + strings.Repeat("░", cells-solid)
}

// Shares returns how many percent each value is of their sum.
func Shares(values []float64) []float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	shares := make([]float64, len(values))
	for i, v := range values {
		if sum > 0 {
			shares[i] = 100 * v / sum
		}
	}
	return shares
}

// Duration writes a number of nanoseconds in three digits and the unit that suits
// them: "142 ns", "1.42 µs".
func Duration(ns float64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		if ns < 999.5 { // what would be rounded to 1000 is one of the next unit
			return digits(ns) + " " + unit
		}
		ns /= 1000
	}
	return digits(ns) + " s"
}

// digits writes three digits, or all there are in front of the point.
func digits(v float64) string {
	switch {
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// Count writes a whole number with a comma at each thousand: "54,600".
func Count(n int64) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
