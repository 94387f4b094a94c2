package main

import (
	"strings"
)

// A line is a name and what comes after it. Arguments are words, as a shell splits them,
// so that what works behind "parley call" works here:
//
//	NAME key=text key='two words' key:='{"a": [1]}'
//	NAME {"a": [1, 2]}
//
// Text that begins with { or [ is one argument as it is.

// cutName returns the first word of a line and the rest.
func cutName(line string) (name, rest string) {
	line = strings.TrimSpace(line)
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// splitArgs splits what comes after a name.
func splitArgs(text string) ([]string, error) {
	if isWhole(text) {
		return []string{text}, nil
	}
	return words(text)
}

// words splits text at white space. Quotes keep it together: within ' everything stands
// for itself, within " a backslash is for " and \ only, outside for any character
// (POSIX.1-2017, shell command language, section 2.2).
func words(text string) (all []string, err error) {
	var word strings.Builder
	inWord := false
	var quote rune
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				all = append(all, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	switch {
	case quote != 0:
		return nil, usagef("a %c has no end", quote).withHint("quote it, or write a JSON object as the only argument")
	case escaped:
		return nil, usagef(`nothing comes after the \ at the end`)
	case inWord:
		all = append(all, word.String())
	}
	return all, nil
}
