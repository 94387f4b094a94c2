package main

import (
	"slices"
	"strings"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// readToolArgs reads the arguments of a tool, up to the point where its schema matters.
func readToolArgs(args []string) (whole message.Raw, members []argument, err error) {
	whole, members, err = readArgs(args)
	if err == nil && strings.HasPrefix(whole.String(), "[") {
		err = usagef("%s: a tool takes an object, not an array", quoteArg(args[0]))
	}
	return whole, members, err
}

// toolArgs makes an object of arguments, with each text as what the input schema of the
// tool wants there: the 5 of n=5 is a number where that wants one. Only what cannot be
// made into the right type is refused here. Whether it is within limits, whether something
// is missing and whether the tool knows the key at all is for the server to judge, who
// knows best.
func toolArgs(tool *mcp.Tool, members []argument) (message.Raw, error) {
	input := schemaOf(tool.InputSchema).resolved()
	return joinArgs(members, func(a argument) (message.Raw, error) {
		if a.value != nil {
			return a.value, nil
		}
		f, ok := input.field(a.key)
		if !ok {
			return a.asText()
		}
		value, ok := f.schema.read(a.text)
		if !ok {
			return nil, usagef("%s: %s of %s wants %s", a.source, a.key, tool.Name, f.schema.wants())
		}
		if value == nil {
			return a.asText()
		}
		return value, nil
	})
}

// read reads a text as a value of the schema's type. Of several types one that the text
// fits counts before string, so that 5 is a number for integer|string; but null is one
// only where a string is not allowed. A nil value is the text itself.
//
// What stands in an enum is that above all.
func (s schema) read(text string) (value message.Raw, ok bool) {
	if member, ok := s.member(text); ok {
		return member, true
	}
	kinds := s.kinds()
	isText := len(kinds) == 0 || slices.Contains(kinds, "string")
	if trimmed := strings.Trim(text, jsonSpace); trimmed != "" && badJSON([]byte(trimmed)) == nil {
		switch kind := kindOf(message.Raw(trimmed)); {
		case kind == "string" || kind == "null" && isText:
		case slices.Contains(kinds, kind), kind == "integer" && slices.Contains(kinds, "number"):
			return message.OneLine(nil, []byte(trimmed)), true
		}
	}
	return nil, isText
}

// member returns the value of the enum that the text is, and nil if that is a string.
func (s schema) member(text string) (value message.Raw, ok bool) {
	for _, choice := range s.choices() {
		var str string
		if kindOf(choice) == "string" && choice.Decode(&str) == nil && str == text {
			return nil, true
		}
		if choice.String() == strings.Trim(text, jsonSpace) {
			value, ok = message.OneLine(nil, choice), true
		}
	}
	return value, ok
}

// wanted are types in a sentence about a value.
var wanted = map[string]string{
	"integer": "an integer", "number": "a number", "boolean": "true or false", "null": "null",
	"object": "a JSON object", "array": "a JSON array",
}

// wants says what a value must be: "an integer, from 1 to 100".
func (s schema) wants() string {
	var kinds []string
	for _, kind := range s.kinds() {
		if name, ok := wanted[kind]; ok {
			kind = name
		}
		kinds = append(kinds, kind)
	}
	return strings.Join(append([]string{strings.Join(kinds, " or ")}, s.limits()...), ", ")
}
