package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/term"
)

// description is all about a tool, for a person:
//
//	git_log(n?: int)
//	  The newest commits
//
//	Input
//	  n  integer, default 5, from 1 to 100  how many
//
//	Output
//	  …
//
//	Annotations (what the server says; nobody has checked it)
//	  read-only, closed world
//
// All of it is text of the server and is escaped wherever it goes: nothing is lost by
// that, since --format json has the very bytes.
func description(t *mcp.Tool) string {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(term.Escape(fmt.Sprintf(format, args...)) + "\n") }
	line("%s", signature(*t))
	if t.Title != "" {
		line("  %s", t.Title)
	}
	for text := range strings.Lines(strings.TrimSpace(t.Description)) {
		line("  %s", strings.TrimRight(text, "\r\n"))
	}
	line("")
	line("Input")
	if rows := schemaOf(t.InputSchema).resolved().rows("", mostLevels); len(rows) > 0 {
		b.WriteString(table(rows))
	} else {
		line("  nothing")
	}
	if !t.OutputSchema.IsZero() {
		line("")
		line("Output")
		output := schemaOf(t.OutputSchema).resolved()
		if rows := output.rows("", mostLevels); len(rows) > 0 {
			b.WriteString(table(rows))
		} else {
			line("  %s", strings.Join(output.facts(true), ", "))
		}
	}
	if facts := annotations(t.Annotations); len(facts) > 0 {
		line("")
		line("Annotations (what the server says; nobody has checked it)")
		line("  %s", strings.Join(facts, ", "))
	}
	return b.String()
}

// table aligns rows of cells, two columns from the margin.
func table(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = term.Escape(cell)
		}
		_, _ = w.Write([]byte("  " + strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n")) // into memory
	}
	_ = w.Flush()
	return b.String()
}

// rows describe the properties of an object and, below each, those inside it: the name
// as a path, the facts, and what it is for.
func (s schema) rows(prefix string, levels int) (rows [][]string) {
	if levels == 0 {
		return nil
	}
	for _, f := range s.fields() {
		name := prefix + f.name
		about := strings.Join(strings.Fields(f.schema.str("description")), " ")
		if about == "" {
			about = f.schema.str("title")
		}
		rows = append(rows, []string{name, strings.Join(f.schema.facts(f.required), ", "), about})
		inside := f.schema
		if items := inside.sub("items").resolved(); slices.Contains(inside.kinds(), "array") {
			name, inside = name+"[]", items
		}
		rows = append(rows, inside.rows(name+".", levels-1)...)
	}
	return rows
}

// facts are what a person should know about a value: "integer", "required", "from 1 to
// 100".
func (s schema) facts(required bool) []string {
	kind := strings.Join(s.kinds(), " or ")
	if kind == "" {
		kind = "any"
	}
	if kind == "array" {
		if item := strings.Join(s.sub("items").resolved().kinds(), " or "); item != "" {
			kind += " of " + item
		}
	}
	facts := []string{kind}
	switch value := s.at("default"); {
	case !value.IsZero():
		facts = append(facts, "default "+value.String())
	case required:
		facts = append(facts, "required")
	default:
		facts = append(facts, "optional")
	}
	return append(facts, s.limits()...)
}

// limits are the keywords that bound a value, in words.
func (s schema) limits() (limits []string) {
	if choices := s.choices(); len(choices) > 0 {
		limits = append(limits, "one of "+joined(choices, " "))
	}
	text := func(keyword string) string { return s.at(keyword).String() }
	bounds := func(what, least, most string) {
		switch {
		case least != "" && most != "":
			limits = append(limits, what+"from "+least+" to "+most)
		case least != "":
			limits = append(limits, what+"at least "+least)
		case most != "":
			limits = append(limits, what+"at most "+most)
		}
	}
	bounds("", text("minimum"), text("maximum"))
	for _, k := range []struct{ keyword, words string }{
		{"exclusiveMinimum", "more than "}, {"exclusiveMaximum", "less than "}, {"multipleOf", "a multiple of "},
		{"pattern", "pattern "},
	} {
		if value := text(k.keyword); value != "" {
			limits = append(limits, k.words+value)
		}
	}
	if format := s.str("format"); format != "" {
		limits = append(limits, "format "+format)
	}
	bounds("length ", text("minLength"), text("maxLength"))
	bounds("items ", text("minItems"), text("maxItems"))
	bounds("members ", text("minProperties"), text("maxProperties"))
	if text("uniqueItems") == "true" {
		limits = append(limits, "all different")
	}
	return limits
}

// annotations are the hints about a tool in words, with what an absent one means only
// where others are there ("ToolAnnotations").
func annotations(a *mcp.ToolAnnotations) (facts []string) {
	if a == nil {
		return nil
	}
	if a.Title != "" {
		facts = append(facts, "title "+a.Title)
	}
	if a.ReadOnlyHint {
		facts = append(facts, "only reads")
	} else {
		destroys, repeats := "may destroy", "not to be repeated lightly"
		if a.DestructiveHint != nil && !*a.DestructiveHint {
			destroys = "changes, and destroys nothing"
		}
		if a.IdempotentHint {
			repeats = "the same when repeated"
		}
		facts = append(facts, destroys, repeats)
	}
	world := "reaches the outside world"
	if a.OpenWorldHint != nil && !*a.OpenWorldHint {
		world = "stays in its own world"
	}
	return append(facts, world)
}
