package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	mostNear  = 3   // names that are proposed for a misspelled one
	mostNamed = 8   // names that a sentence holds
	longName  = 128 // letters of a name that are compared; a tool's name has no more
)

// near returns up to three names that whoever wrote name may have meant, the most similar
// first: those that are a few letters off or, where there are none, those that hold it or
// are held by it.
func near(name string, known []string) []string {
	meant := folded(name)
	off := make(map[string]int, len(known))
	var alike, holding []string
	for _, k := range known {
		is := folded(k)
		off[k] = edits(meant, is)
		switch a, b := string(meant), string(is); {
		case off[k] <= max(1, len(meant)/3):
			alike = append(alike, k)
		case a != "" && b != "" && (strings.Contains(b, a) || strings.Contains(a, b)):
			holding = append(holding, k)
		}
	}
	if len(alike) == 0 {
		alike = holding
	}
	slices.SortStableFunc(alike, func(a, b string) int { return cmp.Compare(off[a], off[b]) })
	return alike[:min(len(alike), mostNear)]
}

// folded is a name without what people mix up: the case, and how words are joined.
func folded(name string) []rune {
	letters := []rune(strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(strings.ToLower(name)))
	return letters[:min(len(letters), longName)]
}

// edits is how many letters must be put in, taken out or changed to make b of a
// (Levenshtein).
func edits(a, b []rune) int {
	row := make([]int, len(b)+1) // from a[:i] to each b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// few names the first of many things in a sentence: "a, b and 7 more".
func few(names []string) string {
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
