package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// A SyntaxError says what is wrong with the text of a query.
type SyntaxError struct {
	Text   string   // of the whole query
	Column int      // where, in characters from 1
	Msg    string   // what is wrong, in words
	Known  []string // what could stand there; nil if that cannot be listed
}

// Error gives all of it: `column 6: no kind is called "requst"; known: request, …`.
func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("column %d: %s", e.Column, e.Msg)
	if len(e.Known) > 0 {
		text += "; known: " + strings.Join(e.Known, ", ")
	}
	return text
}

// Parse reads a query. The error is a [*SyntaxError].
func Parse(text string) (Query, error) {
	p := &parser{text: text}
	q := Query{text: text}
	for p.space(); p.at < len(text); p.space() {
		t, err := p.term()
		if err != nil {
			return Query{}, err
		}
		q.terms = append(q.terms, t)
	}
	return q, nil
}

// A parser stands at a byte of a query.
type parser struct {
	text string
	at   int
}

// fail says that something is wrong from the byte at on.
func (p *parser) fail(at int, known []string, format string, args ...any) error {
	return &SyntaxError{p.text, utf8.RuneCountInString(p.text[:at]) + 1, fmt.Sprintf(format, args...), known}
}

// space passes over white space.
func (p *parser) space() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace))
}

// term reads one term, of which there is at least one byte.
func (p *parser) term() (term, error) {
	var t term
	if c := p.text[p.at]; c == '-' || c == '!' {
		t.negated = true
		p.at++
	}
	start := p.at
	name := p.name()
	if !p.take(':') {
		test, ok := words[name]
		if !ok {
			known := append(slices.Sorted(maps.Keys(words)), fieldNames()...)
			return t, p.fail(start, known, "%q is no word of a query", name)
		}
		t.any = append(t.any, test)
		return t, nil
	}
	if _, ok := fields[name]; !ok && name != "dur" {
		return t, p.fail(start, fieldNames(), "no field is called %q", name)
	}
	for {
		test, err := p.condition(name)
		if err != nil {
			return t, err
		}
		t.any = append(t.any, test)
		if !p.take(',') {
			return t, nil
		}
	}
}

// fieldNames are what may stand before a colon, with it.
func fieldNames() []string {
	names := []string{"dur:"}
	for name := range fields {
		names = append(names, name+":")
	}
	slices.Sort(names)
	return names
}

// name reads up to a colon or the end of the term.
func (p *parser) name() string {
	rest := p.text[p.at:]
	end := strings.IndexFunc(rest, func(r rune) bool { return r == ':' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

// take passes over c if it is next, and reports whether it was.
func (p *parser) take(c byte) bool {
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

// condition reads one of the values of a field.
func (p *parser) condition(name string) (func(*Fields) bool, error) {
	start := p.at
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if v.text == "" && !v.quoted {
		return nil, p.fail(start, fields[name].known, "%s: needs a value", name)
	}
	if name == "dur" {
		return p.duration(start, v.text)
	}
	f := fields[name]
	if f.known != nil && !slices.ContainsFunc(f.known, v.matches) {
		return nil, p.fail(start, f.known, "%s is never %q", name, v.text)
	}
	if name == "id" {
		return v.id(), nil
	}
	return func(r *Fields) bool { return v.matches(f.of(r)) }, nil
}

// A value is what stands behind a colon.
type value struct {
	text   string
	quoted bool // it means what it says; a star is no pattern
}

// value reads up to a comma or the end of the term.
func (p *parser) value() (value, error) {
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, `"`) {
		end := closing(rest)
		if end < 0 {
			return value{}, p.fail(p.at, nil, "the quote has no end")
		}
		text, err := jsonx.Unquote([]byte(rest[:end]))
		if err != nil {
			return value{}, p.fail(p.at, nil, "%s is no JSON string", rest[:end])
		}
		p.at += end
		if next := p.text[p.at:]; next != "" && next[0] != ',' && strings.IndexFunc(next, unicode.IsSpace) != 0 {
			return value{}, p.fail(p.at, nil, "a comma or a space must follow the quote")
		}
		return value{text, true}, nil
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return value{text: rest[:end]}, nil
}

// closing is the length of the quoted string that text begins with, or -1.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// matches reports whether a field says what the value asks for.
func (v value) matches(text string) bool {
	if v.quoted {
		return v.text == text
	}
	return matches(v.text, text)
}

// id returns the test of an id: by what a string says, and by the text of anything else.
// A quoted value is about strings only.
func (v value) id() func(*Fields) bool {
	return func(f *Fields) bool {
		if strings.HasPrefix(f.ID, `"`) {
			text, err := jsonx.Unquote([]byte(f.ID))
			return err == nil && v.matches(text)
		}
		return f.ID != "" && !v.quoted && v.matches(f.ID)
	}
}

// comparisons are the operators before a duration, the longer ones first.
var comparisons = []struct {
	sign string
	hold func(took, want time.Duration) bool
}{
	{"<=", func(took, want time.Duration) bool { return took <= want }},
	{">=", func(took, want time.Duration) bool { return took >= want }},
	{"<", func(took, want time.Duration) bool { return took < want }},
	{">", func(took, want time.Duration) bool { return took > want }},
	{"=", func(took, want time.Duration) bool { return took == want }},
}

// duration returns the test of how long an answer took. What took no known time is never
// shown by it.
func (p *parser) duration(start int, text string) (func(*Fields) bool, error) {
	for _, c := range comparisons {
		rest, ok := strings.CutPrefix(text, c.sign)
		if !ok {
			continue
		}
		want, err := time.ParseDuration(rest)
		if err != nil || want < 0 {
			return nil, p.fail(start+len(c.sign), nil, "%q is no duration; write it as 500ms, 1.5s or 2m", rest)
		}
		return func(f *Fields) bool { return f.Took >= 0 && c.hold(f.Took, want) }, nil
	}
	return nil, p.fail(start, []string{"<", "<=", "=", ">=", ">"}, "dur: needs a comparison, as in dur:>1s")
}
