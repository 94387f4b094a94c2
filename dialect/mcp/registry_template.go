package mcp

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// template is a family of resources and what reads them.
type template struct {
	ResourceTemplate
	pattern *regexp.Regexp // with a group for each blank, by its name
	read    func(ctx context.Context, uri string, vars map[string]string) (*ReadResourceResult, error)
}

// expression is a blank of a template, from brace to brace.
var expression = regexp.MustCompile(`\{[^{}]*\}`)

// blank is what may stand in the braces.
var blank = regexp.MustCompile(`^\{(\+?)([A-Za-z0-9_]+)\}$`)

// compileTemplate turns a URI template (RFC 6570) around: its pattern finds in a URI what
// the blanks were filled in with. A blank whose name begins with a digit cannot name a
// group of a pattern, so groups are counted, and named in the order of the blanks.
func compileTemplate(text string) (*regexp.Regexp, error) {
	var pattern strings.Builder
	pattern.WriteByte('^')
	seen := make(map[string]bool)
	last := 0
	for _, at := range expression.FindAllStringIndex(text, -1) {
		part := text[at[0]:at[1]]
		m := blank.FindStringSubmatch(part)
		if len(m) == 0 || seen[m[2]] {
			return nil, fmt.Errorf("%s: only {name} and {+name} can be read back, each once", part)
		}
		seen[m[2]] = true
		pattern.WriteString(regexp.QuoteMeta(text[last:at[0]]))
		chars := `[^/?#]+`
		if m[1] == "+" {
			chars = `.+`
		}
		fmt.Fprintf(&pattern, `(?P<_%s>%s)`, m[2], chars)
		last = at[1]
	}
	rest := text[last:]
	if strings.ContainsAny(expression.ReplaceAllString(text, ""), "{}") {
		return nil, fmt.Errorf("%q: a brace has no other", text)
	}
	pattern.WriteString(regexp.QuoteMeta(rest) + `$`)
	return regexp.Compile(`(?s)` + pattern.String())
}

// match returns what stands in the blanks if uri is of the family. A blank with an escape
// that is none makes it no member.
func (t *template) match(uri string) (vars map[string]string, ok bool) {
	found := t.pattern.FindStringSubmatch(uri)
	if found == nil {
		return nil, false
	}
	vars = make(map[string]string, len(found)-1)
	for i, name := range t.pattern.SubexpNames()[1:] {
		value, err := url.PathUnescape(found[i+1])
		if err != nil {
			return nil, false
		}
		vars[strings.TrimPrefix(name, "_")] = value
	}
	return vars, true
}
