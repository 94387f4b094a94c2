package toolbox

import (
	"path"
	"strings"
)

// An interpreter is a program that runs a text from its arguments. Its options are read
// as broadly as it may read them: a placeholder that is refused in vain costs its author
// a rewrite, and one that is let through costs the machine.
type interpreter struct {
	script string   // the letters of options, in the form of -c, that a script comes with
	long   []string // the options in the form of --eval that do the same
	value  string   // the letters of options that take a word before the script
	file   string   // the letters of options behind which there is no script any more
	again  bool     // more such options may follow the script
	rest   bool     // all that follows is the script
	starts []string // options by their beginnings, in small letters, in place of letters
}

// interpreters are those that are known, by their names without a version.
var interpreters = func() map[string]*interpreter {
	known := make(map[string]*interpreter)
	for names, what := range map[string]*interpreter{
		"sh bash dash ash zsh ksh mksh fish rbash": {script: "c", long: []string{"--command", "--init-command"}, value: "oO"},
		"csh tcsh busybox su runuser flock sg":     {script: "c", long: []string{"--command", "--session-command"}},
		"env":                                      {script: "S", long: []string{"--split-string"}, rest: true},
		"pwsh powershell":                          {starts: []string{"-c", "/c", "-ec", "-en", "/ec", "/en"}, rest: true},
		"cmd":                                      {starts: []string{"/c", "/k", "/r", "/s"}, rest: true},
		"python pypy":                              {script: "c", file: "m"},
		"perl":                                     {script: "eE", again: true},
		"ruby":                                     {script: "e", again: true},
		"node nodejs bun deno":                     {script: "ep", long: []string{"--eval", "--print"}, again: true},
		"php":                                      {script: "rBRE", long: []string{"--run", "--process-begin", "--process-code", "--process-end"}, again: true},
		"lua luajit":                               {script: "e", again: true},
	} {
		for name := range strings.FieldsSeq(names) {
			known[name] = what
		}
	}
	return known
}()

// interpreterOf returns the interpreter that a word names, be it by a path, or nil.
func interpreterOf(word string) *interpreter {
	name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
	if known := interpreters[name]; known != nil {
		return known
	}
	return interpreters[strings.TrimRight(name, "0123456789.-")] // python3.14
}

// scripts returns the arguments with a placeholder that an interpreter would read as its
// script, or a part of it. The interpreter may be any word: env, timeout and nice run
// what is behind them.
func (t *tool) scripts() (at []int) {
	words := t.words()
	found := make([]bool, len(words)+1)
	for i, plain := 0, -1; i < len(words); i++ {
		if in := interpreterOf(words[i].text); in != nil && !words[i].filled && i != plain {
			// Behind its script a shell has its name, mostly that of itself.
			plain = in.mark(words, i+1, found) + 1
		}
	}
	for i, w := range words {
		if found[i] && w.filled {
			at = append(at, i)
		}
	}
	return at
}

// A word is an argument as far as it is known before a call.
type word struct {
	text   string // a digit stands for an integer, and nothing for other values
	filled bool   // it has a placeholder
	any    bool   // letters may come of one
}

func (t *tool) words() []word {
	words := make([]word, len(t.run))
	for i, template := range t.run {
		digits := make(map[string]string)
		for _, name := range template.inputs() {
			words[i].filled = true
			if in := t.input(name); in != nil && in.plain.Type == typeInteger {
				digits[name] = "0"
			} else {
				words[i].any = true
			}
		}
		words[i].text = template.text(digits)
	}
	return words
}

// mark finds what the interpreter reads as scripts of the words from i on, and returns
// the place of the last script, or one before all words.
func (in *interpreter) mark(words []word, i int, found []bool) (last int) {
	last = -2
	behind := false // the word before is an option, so that this may be its value
	for ; i < len(words); i++ {
		switch in.kind(words[i]) {
		case opensScript:
			last = in.markScript(words, i, found)
			if !in.again {
				return last
			}
			i, behind = last, false
		case endsOptions:
			return last
		case isOption:
			behind = true
		case isWord:
			// A word with a placeholder may be left out, or be an option.
			if !words[i].filled && !behind && !assigns(words[i].text) {
				return last
			}
			behind = false
		}
	}
	return last
}

// assigns reports whether env would take the word for a variable.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && variableName.MatchString(name)
}

// markScript marks the words from the option at i to the script, and returns the place
// of the script.
func (in *interpreter) markScript(words []word, i int, found []bool) int {
	values := in.values(words[i])
	found[i] = true
	for i++; i < len(words); i++ {
		found[i] = true
		switch kind := in.kind(words[i]); {
		case in.rest, kind == endsOptions:
		case kind != isWord:
			values += in.values(words[i])
		case values > 0:
			values--
		default:
			return i
		}
	}
	return i
}

// The kinds of words, as far as a script goes.
const (
	isWord      = iota
	isOption    // and no script comes with it
	opensScript // the script is in the word, or behind it
	endsOptions
)

// kind says what a word is to the interpreter.
func (in *interpreter) kind(w word) int {
	word := w.text
	for _, start := range in.starts {
		if strings.HasPrefix(strings.ToLower(word), start) {
			return opensScript
		}
	}
	dashed := strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+")
	switch {
	case dashed && w.any && !strings.Contains(word, "="):
		return opensScript // any option may come of it
	case word == "--" || word == "-":
		return endsOptions
	case in.starts != nil && (dashed || strings.HasPrefix(word, "/")):
		return isOption
	case !dashed:
		return isWord
	case strings.HasPrefix(word, "--"):
		return in.longKind(word)
	}
	for _, letter := range word[1:] {
		switch {
		case strings.ContainsRune(in.script, letter):
			return opensScript
		case strings.ContainsRune(in.file, letter):
			return endsOptions
		}
	}
	return isOption
}

// longKind says what an option such as --eval is. Many programs take the beginning of one
// for all of it.
func (in *interpreter) longKind(word string) int {
	name, _, _ := strings.Cut(word, "=")
	for _, long := range in.long {
		if strings.HasPrefix(long, name) {
			return opensScript
		}
	}
	return isOption
}

// values is how many words the options in a word take.
func (in *interpreter) values(w word) (n int) {
	if strings.HasPrefix(w.text, "--") {
		return 0
	}
	for _, letter := range w.text {
		if strings.ContainsRune(in.value, letter) {
			n++
		}
	}
	return n
}
