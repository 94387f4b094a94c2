package measure

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0.00 ns", 0.4: "0.40 ns", 9.994: "9.99 ns", 9.996: "10.0 ns", 14.25: "14.2 ns", 142: "142 ns",
		999.4: "999 ns", 999.6: "1.00 µs", 1_420: "1.42 µs", 18_340: "18.3 µs", 999_600: "1.00 ms",
		5_600_000: "5.60 ms", 1e9: "1.00 s", 61e9: "61.0 s", 3_600e9: "3600 s",
	} {
		if got := Duration(ns); got != want {
			t.Errorf("Duration(%v) = %q, want %q", ns, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1_000: "1,000", 54_600: "54,600", 1_234_567: "1,234,567", -1_000: "-1,000", -999: "-999",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		sentence           string
		value, floor, most float64
		want               string
	}{
		{"the largest is as wide as there is room", 10, 0, 10, "░░░░░░░░░░"},
		{"a part of it is in proportion", 4, 0, 10, "░░░░"},
		{"what is next to nothing is still seen", 0.01, 0, 10, "░"},
		{"the floor is solid", 10, 4, 10, "████░░░░░░"},
		{"a floor that is not reached fills all", 4, 40, 10, "████"},
		{"a stage that is its own floor", 10, 10, 10, "██████████"},
		{"nothing has no bar", 0, 0, 10, ""},
		{"nothing to hold it against", 1, 1, 0, ""},
		{"more than the most is cut", 20, 0, 10, "░░░░░░░░░░"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if got := Bar(tt.value, tt.floor, tt.most, 10); got != tt.want {
				t.Errorf("Bar(%v, %v, %v) = %q, want %q", tt.value, tt.floor, tt.most, got, tt.want)
			}
		})
	}
}

// Shares are in proportion and sum up, whatever they are shares of.
func TestShares(t *testing.T) {
	if diff := cmp.Diff([]float64{25, 75, 0}, Shares([]float64{1, 3, 0})); diff != "" {
		t.Errorf("Shares (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{0, 0}, Shares([]float64{0, 0})); diff != "" {
		t.Errorf("Shares of nothing (-want +got):\n%s", diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0.1, 1e9), 1, 20).Draw(t, "values")
		sum := 0.0
		for i, share := range Shares(values) {
			sum += share
			if back := share / Shares(values)[0] * values[0]; math.Abs(back-values[i]) > 1e-6*values[i] {
				t.Errorf("the share of %v is that of %v", values[i], back)
			}
		}
		if math.Abs(sum-100) > 1e-6 {
			t.Errorf("the shares of %v sum to %v", values, sum)
		}
	})
}

func TestTable(t *testing.T) {
	star := func(cell string) string { return "*" + cell + "*" }
	table := Table{
		Columns: []Column{{Head: "stage"}, {Head: "", Paint: star}, {Head: "time", Right: true}},
		Rows:    [][]string{{"scan", "██", "1.42 µs"}, {"a pipe", "░", "9 ns"}, {"short"}, {}},
	}
	want := []string{
		"stage          time",
		"scan    *██*  1.42 µs",
		"a pipe  *░*      9 ns",
		"short",
		"",
	}
	if diff := cmp.Diff(want, table.Lines()); diff != "" {
		t.Errorf("Lines (-want +got):\n%s", diff)
	}
}

// Whatever is in a table, its columns begin one below the other and nothing is cut.
func TestTableAligns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`[aµ█]{0,6}`)
		table := Table{Columns: []Column{{Head: "h"}, {Head: "head", Right: true}, {Head: "x"}}}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			table.Rows = append(table.Rows, []string{cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c") + "|"})
		}
		lines := table.Lines()
		ends := map[int]bool{}
		for i, row := range table.Rows {
			line := lines[i+1]
			last := strings.TrimSuffix(line, row[2])
			ends[utf8.RuneCountInString(last)] = true
			if got, want := strings.ReplaceAll(line, " ", ""), strings.Join(row, ""); got != want {
				t.Errorf("line %q has lost something of %q", line, row)
			}
		}
		if len(ends) > 1 {
			t.Errorf("the last column begins at %v:\n%s", ends, strings.Join(lines, "\n"))
		}
	})
}
