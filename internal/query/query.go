package query

import (
	"strings"
	"time"
)

// Unknown is the Took of a record whose answer took no known time.
const Unknown time.Duration = -1

// Fields are what a query asks about a record. What does not apply is empty.
type Fields struct {
	Method string
	ID     string // its JSON text
	Kind   string // one of [Kinds]
	From   string // one of [Sides]
	OwedBy string // one of [Sides], or ""
	Status string // one of [States], or ""

	Took time.Duration // how long the answer took, or Unknown

	Error    bool // it is an error, or was answered with one
	Approval bool // it asks a person for a yes or no
	Input    bool // it asks a person for words
}

// Kinds, Sides and States are the words that the fields of these names have.
var (
	Kinds = []string{
		"request", "notification", "response", "error", "batch", "event", "control_request", "control_response",
		"control_cancel_request", "process", "blank", "invalid",
	}
	Sides  = []string{"client", "server", "unknown"}
	States = []string{"open", "answered", "failed", "cancelled", "withdrawn", "late", "orphan"}
)

// A Query says which records to show. The zero Query shows all. It is for any number of
// goroutines.
type Query struct {
	text  string
	terms []term
}

// A term is one condition.
type term struct {
	negated bool
	any     []func(*Fields) bool // one of them must hold
}

// Match reports whether a record with these fields is shown. It takes time linear in the
// query and in the fields, save for values with several stars.
func (q Query) Match(f *Fields) bool {
	for i := range q.terms {
		if q.terms[i].holds(f) == q.terms[i].negated {
			return false
		}
	}
	return true
}

// IsZero reports whether the query has no term.
func (q Query) IsZero() bool { return len(q.terms) == 0 }

// String returns the text that was parsed.
func (q Query) String() string { return q.text }

func (t *term) holds(f *Fields) bool {
	for _, test := range t.any {
		if test(f) {
			return true
		}
	}
	return false
}

// words are the terms without a colon.
var words = map[string]func(*Fields) bool{
	"open":      func(f *Fields) bool { return f.Status == "open" },
	"answered":  func(f *Fields) bool { return f.Status == "answered" },
	"failed":    func(f *Fields) bool { return f.Status == "failed" },
	"cancelled": func(f *Fields) bool { return f.Status == "cancelled" },
	"withdrawn": func(f *Fields) bool { return f.Status == "withdrawn" },
	"late":      func(f *Fields) bool { return f.Status == "late" },
	"orphan":    func(f *Fields) bool { return f.Status == "orphan" },
	"invalid":   func(f *Fields) bool { return f.Kind == "invalid" },
	"error":     func(f *Fields) bool { return f.Error },
	"approval":  func(f *Fields) bool { return f.Approval },
	"input":     func(f *Fields) bool { return f.Input },
}

// A field is what may stand before a colon.
type field struct {
	of    func(*Fields) string
	known []string // the values that there are; nil: any
}

// fields are the fields of text; dur is none.
var fields = map[string]field{
	"method":  {of: func(f *Fields) string { return f.Method }},
	"id":      {of: func(f *Fields) string { return f.ID }},
	"kind":    {of: func(f *Fields) string { return f.Kind }, known: Kinds},
	"from":    {of: func(f *Fields) string { return f.From }, known: Sides},
	"owed-by": {of: func(f *Fields) string { return f.OwedBy }, known: Sides[:2]},
	"status":  {of: func(f *Fields) string { return f.Status }, known: States},
}

// matches reports whether text is what a pattern describes.
func matches(pattern, text string) bool {
	// After a star it is enough to come back to the last one: what an earlier one took
	// more, the later one can take as well.
	star, resume := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, t
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			t += runeLen(text[t:])
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			resume += runeLen(text[resume:])
			p, t = star+1, resume
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// runeLen is the length of the first character of text, which is not empty.
func runeLen(text string) int {
	for i := range text {
		if i > 0 {
			return i
		}
	}
	return len(text)
}
