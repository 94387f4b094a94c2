package main

import (
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/term"
)

// complete is called for each key (AutoCompleteCallback of golang.org/x/term); TAB is the
// one that it takes. It completes what stands before the cursor as far as there is no
// choice, and shows the choices where there is one.
func (t *typist) complete(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	before, after := line[:pos], line[pos:]
	start := strings.LastIndexAny(before, " \t") + 1
	word := before[start:]
	var fitting []string
	for _, c := range t.shell.candidates(before[:start], word) {
		// A name that cannot be shown as it is cannot be typed either.
		if strings.HasPrefix(c, word) && term.Escape(c) == c {
			fitting = append(fitting, c)
		}
	}
	if len(fitting) == 0 {
		return line, pos, true
	}
	longest := sharedStart(fitting)
	switch {
	case len(fitting) > 1 && longest == word:
		// Nothing is left to tell if the screen is broken.
		_, _ = t.terminal.Write([]byte(strings.Join(fitting, "  ") + "\n"))
	case len(fitting) == 1 && !strings.HasSuffix(longest, "="):
		longest += " "
	}
	return before[:start] + longest + after, start + len(longest), true
}

// sharedStart is what all of some names begin with.
func sharedStart(names []string) string {
	start := []rune(names[0])
	for _, name := range names[1:] {
		other := []rune(name)
		n := 0
		for n < min(len(start), len(other)) && start[n] == other[n] {
			n++
		}
		start = start[:n]
	}
	return string(start)
}

// candidates are what may stand in the place of word, behind what is there already.
func (s *shell) candidates(before, word string) []string {
	name, rest := cutName(before)
	command := strings.TrimPrefix(name, ":")
	switch {
	case name == "":
		return s.firstWords()
	case command == "describe" && s.mcp != nil:
		return s.toolNames()
	case (name == ":call" || name == ":notify") && rest == "":
		return s.methods(name == ":notify")
	case name == ":answer":
		var methods []string
		for method := range mcpQuestions {
			methods = append(methods, method+"=")
		}
		slices.Sort(methods)
		return methods
	}
	return s.keys(name, rest, word)
}

// firstWords are the names of tools and commands.
func (s *shell) firstWords() []string {
	names := s.toolNames()
	for _, c := range shellWords() {
		switch {
		case c.tools && s.mcp == nil:
		case c.bare && s.mcp != nil && !slices.Contains(names, c.name):
			names = append(names, c.name, ":"+c.name)
		default:
			names = append(names, ":"+c.name)
		}
	}
	if s.mcp == nil {
		names = append(names, s.methods(false)...)
	}
	return names
}

func (s *shell) toolNames() []string {
	names := make([]string, len(s.known))
	for i, tool := range s.known {
		names[i] = tool.Name
	}
	return names
}

// methods are those that the dialect has words for and a client may send.
func (s *shell) methods(note bool) (names []string) {
	for _, w := range s.speak.Words {
		if w.Note == note && w.From != parley.SideServer {
			names = append(names, w.Method)
		}
	}
	return names
}

// keys are the arguments of a tool that are not given yet, or the values of the one that
// is being typed.
func (s *shell) keys(name, rest, word string) (keys []string) {
	tool, err := pick(s.known, name)
	if err != nil {
		return nil
	}
	given := " " + rest
	for _, f := range schemaOf(tool.InputSchema).resolved().fields() {
		if strings.HasPrefix(word, f.name+"=") {
			return valuesOf(f)
		}
		assign := "="
		if kinds := f.schema.kinds(); slices.Contains(kinds, "object") || slices.Contains(kinds, "array") {
			assign = ":="
		}
		if !strings.Contains(given, " "+f.name+"=") && !strings.Contains(given, " "+f.name+":=") {
			keys = append(keys, f.name+assign)
		}
	}
	return keys
}

// valuesOf are the few values that a key may have.
func valuesOf(f field) (all []string) {
	for _, choice := range f.schema.choices() {
		text := choice.String()
		_ = choice.Decode(&text) // into the text of a string; what else there is stays JSON
		all = append(all, f.name+"="+text)
	}
	if len(all) == 0 && slices.Contains(f.schema.kinds(), "boolean") {
		all = []string{f.name + "=true", f.name + "=false"}
	}
	return all
}
