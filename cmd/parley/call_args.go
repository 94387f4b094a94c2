package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parley-rpc/parley/message"
)

// parseArgs turns the arguments of call into params. There are two ways to write
// them. One JSON array or object is the params, as it is. Any number of these are the
// members of an object:
//
//	key=text     a string           key=@FILE     the text of a file, as a string
//	key:=json    any JSON value     key:=@FILE    the JSON value in a file
//
// The first "=" ends the key. JSON is never parsed and written again: each digit and
// escape of it reaches the other side. No argument at all means no params.
func parseArgs(args []string) (message.Raw, error) {
	whole, members, err := readArgs(args)
	if err != nil || len(members) == 0 {
		return whole, err
	}
	return joinArgs(members, argument.asText)
}

// An argument is one of the form key=…, read and checked. Its text is not JSON yet: what
// becomes of it may depend on what the other side wants.
type argument struct {
	key    string
	value  message.Raw // as it is; nil if there is a text instead
	text   string
	source string // names the argument in an error
}

// asText is the value with a text as a string.
func (a argument) asText() (message.Raw, error) {
	if a.value != nil {
		return a.value, nil
	}
	return message.Encode(a.text)
}

// readArgs reads arguments, and the files that they name, up to the point where it
// matters what a text is for: params that are one JSON value, or else their members.
func readArgs(args []string) (whole message.Raw, members []argument, err error) {
	if len(args) == 0 {
		return nil, nil, nil
	}
	if isWhole(args[0]) {
		if len(args) > 1 {
			return nil, nil, usagef("%s: params that are one JSON value stand alone, got %s as well", quoteArg(args[0]), quoteArg(args[1]))
		}
		whole, err = checkJSON(args[0], quoteArg(args[0]))
		return whole, nil, err
	}
	for _, arg := range args {
		a, err := parseArg(arg)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(members, func(m argument) bool { return m.key == a.key }) {
			return nil, nil, usagef("%s: the key %q is given twice", quoteArg(arg), a.key)
		}
		members = append(members, a)
	}
	return nil, members, nil
}

// joinArgs makes an object of arguments, each with the value that valued returns.
func joinArgs(members []argument, valued func(argument) (message.Raw, error)) (message.Raw, error) {
	object := message.Raw("{")
	for i, a := range members {
		if i > 0 {
			object = append(object, ',')
		}
		name, err := message.Encode(a.key)
		if err != nil {
			return nil, err
		}
		value, err := valued(a)
		if err != nil {
			return nil, err
		}
		object = append(append(append(object, name...), ':'), value...)
	}
	return append(object, '}'), nil
}

// isWhole reports whether an argument is the whole of the params.
func isWhole(arg string) bool {
	arg = strings.TrimLeft(arg, jsonSpace)
	return strings.HasPrefix(arg, "{") || strings.HasPrefix(arg, "[")
}

// parseArg reads one argument of the form key=….
func parseArg(arg string) (argument, error) {
	key, text, ok := strings.Cut(arg, "=")
	if !ok {
		f := usagef("%s: want key=text, key:=json, or one JSON array or object", quoteArg(arg))
		if badJSON([]byte(arg)) == nil {
			f = usagef("%s: params are an array or an object, never another JSON value", quoteArg(arg))
		}
		return argument{}, f
	}
	key, isJSON := strings.CutSuffix(key, ":")
	switch {
	case key == "":
		return argument{}, usagef("%s: no key before the =", quoteArg(arg))
	case !utf8.ValidString(key):
		return argument{}, usagef("%s: the key is not UTF-8", quoteArg(arg))
	}
	source := quoteArg(arg)
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		read, err := os.ReadFile(name)
		if err != nil {
			f := usagef("%s: %v", quoteArg(arg), err)
			if errors.Is(err, os.ErrNotExist) && !isJSON {
				f = f.withHint("@ names a file; a text that begins with @ is written %s:='\"@…\"'", key)
			}
			return argument{}, f
		}
		text, source = string(read), quoteArg(arg)+", file "+name
	}
	if isJSON {
		value, err := checkJSON(text, source)
		return argument{key: key, value: value, source: source}, err
	}
	if !utf8.ValidString(text) {
		return argument{}, usagef("%s: the text is not UTF-8", source)
	}
	return argument{key: key, text: text, source: source}, nil
}

// jsonSpace is the white space of JSON (RFC 8259, section 2).
const jsonSpace = " \t\r\n"

// checkJSON returns text if it is one JSON value, on one line and without the white
// space around it. Otherwise it says what is wrong, in which source and where.
func checkJSON(text, source string) (message.Raw, error) {
	if strings.Trim(text, jsonSpace) == "" {
		return nil, usagef("%s: no JSON: there is nothing", source)
	}
	if bad := badJSON([]byte(text)); bad != nil {
		return nil, usagef("%s: no JSON: %s (byte %d of the JSON text)", source, bad.Reason, bad.Offset)
	}
	return message.OneLine(nil, []byte(strings.Trim(text, jsonSpace))), nil
}

// badJSON returns what keeps text from being one JSON value, or nil. The envelope
// scanner does the checking: to it a value that is no message is valid JSON all the
// same.
func badJSON(text []byte) *message.ParseError {
	_, err := message.Strict.Parse(text)
	if bad, ok := errors.AsType[*message.ParseError](err); ok && bad.Err.Code == message.CodeParseError {
		return bad
	}
	return nil
}

// quoteArg shows an argument in an error: the start of it is enough.
func quoteArg(arg string) string {
	const most = 60
	if len(arg) > most {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(arg[:most], ""))
	}
	return fmt.Sprintf("%q", arg)
}

// parseAnswers reads the METHOD=JSON of --answer.
func parseAnswers(flags []string) (map[string]message.Raw, error) {
	answers := make(map[string]message.Raw)
	for _, flag := range flags {
		method, text, ok := strings.Cut(flag, "=")
		if !ok || method == "" {
			return nil, usagef("--answer %s: want METHOD=JSON", quoteArg(flag))
		}
		if !utf8.ValidString(method) {
			return nil, usagef("--answer %s: the method is not UTF-8", quoteArg(flag))
		}
		if answers[method] != nil {
			return nil, usagef("--answer %s: the method %q has an answer already", quoteArg(flag), method)
		}
		value, err := checkJSON(text, "--answer "+quoteArg(flag))
		if err != nil {
			return nil, err
		}
		answers[method] = value
	}
	return answers, nil
}
