package toolbox

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A template is a text with placeholders: {name} stands for the value of an input, {{
// and }} for braces.
type template []part

// A part is a literal text or a placeholder.
type part struct {
	literal string
	input   string // the name in the placeholder; "" for a literal
}

// inputName is what an input may be called.
var inputName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// parseTemplate reads a template.
func parseTemplate(text string) (template, error) {
	var t template
	var literal strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			break
		}
		literal.WriteString(text[:i])
		brace, rest := text[i:i+1], text[i+1:]
		switch {
		case strings.HasPrefix(rest, brace):
			literal.WriteString(brace)
			text = rest[1:]
			continue
		case brace == "}":
			return nil, errors.New("a } stands alone; write }} for the character itself")
		}
		name, rest, closed := strings.Cut(rest, "}")
		if !closed || !inputName.MatchString(name) {
			return nil, fmt.Errorf("%.40q is no placeholder, which is the name of an input in braces; write {{ for the character itself", text[i:])
		}
		if literal.Len() > 0 {
			t = append(t, part{literal: literal.String()})
			literal.Reset()
		}
		t = append(t, part{input: name})
		text = rest
	}
	literal.WriteString(text)
	if literal.Len() > 0 {
		t = append(t, part{literal: literal.String()})
	}
	return t, nil
}

// inputs returns the names in the placeholders, in their order.
func (t template) inputs() (names []string) {
	for _, p := range t {
		if p.input != "" {
			names = append(names, p.input)
		}
	}
	return names
}

// leads reports whether a value of the input can stand at the start of what the
// template becomes.
func (t template) leads(input string) bool {
	for _, p := range t {
		if p.input == "" {
			return false
		}
		if p.input == input {
			return true
		}
	}
	return false
}

// text fills the template in, with nothing where there is no value. Braces in a value
// stay as they are: what is filled in is not read again.
func (t template) text(values map[string]string) string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.literal)
		if p.input != "" {
			b.WriteString(values[p.input])
		}
	}
	return b.String()
}

// word fills the template in as an argument or a variable of the environment, which no
// system lets hold a NUL. It is false where a placeholder has no value, so that there is
// no word. Unless dash is set, a value that brings the dash at the start of the word is
// refused: the program would take it for an option.
func (t template) word(values map[string]string, dash bool) (word string, ok bool, err error) {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.literal)
		if p.input == "" {
			continue
		}
		value, given := values[p.input]
		switch {
		case !given:
			return "", false, nil
		case !dash && b.Len() == 0 && strings.HasPrefix(value, "-"):
			return "", false, refuse(p.input, "a value that starts with - would be taken for an option")
		case strings.IndexByte(value, 0) >= 0:
			return "", false, refuse(p.input, "no argument can hold a NUL character")
		}
		b.WriteString(value)
	}
	return b.String(), true, nil
}
