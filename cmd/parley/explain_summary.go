package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// A summary is the few words of a record that matter to a person: the name of the tool,
// the command that waits for approval, a piece of text, the number of things in a list.
// It is bounded, however long the record is.

const (
	maxSummary = 200     // characters of a summary
	maxValue   = 4 << 10 // bytes of a value that are looked at for one
	maxList    = 4 << 20 // bytes of a list whose elements are counted
)

// summarize returns what matters in a record, or in a message that it holds, in the
// words of a dialect. raw is the text of the record. The result is one line of at most
// maxSummary characters; what a terminal could obey is not escaped in it.
func summarize(dialect string, e *ledger.Entry, raw []byte) string {
	dialect = family(dialect)
	var text string
	switch m := e.Message.(type) {
	case *message.Request:
		if text = digest(digestOf(requestDigests[dialect], m.Method), m.Params); text == "{}" {
			text = ""
		}
	case *message.Response:
		if m.Error != nil {
			text = errorText(m.Error)
			break
		}
		if len(e.Parts) > 0 {
			break // what matters is in the message inside
		}
		text = digest(digestOf(resultDigests[dialect], e.Method), m.Result)
	case message.Batch:
		text = batchText(e)
	default:
		text = unread(e, raw)
	}
	return cut(text, maxSummary)
}

// unread is the summary of what is no message.
func unread(e *ledger.Entry, raw []byte) string {
	switch e.Kind {
	case ledger.KindBlank:
		return ""
	case ledger.KindProcess:
		return strings.TrimSpace(string(raw[:min(len(raw), maxValue)]))
	case ledger.KindInvalid:
		text := compact(raw)
		if e.Err != nil {
			return e.Err.Error() + ": " + cut(text, maxSummary/2)
		}
		return text
	default:
		return compact(raw)
	}
}

// errorText is the summary of an error. Its data is shown if there is room.
func errorText(e *message.Error) string {
	text := strconv.Itoa(int(e.Code)) + " " + e.Message
	if !e.Data.IsZero() {
		text += " " + compact(e.Data)
	}
	return text
}

// batchText counts the messages of a batch and names the first of them.
func batchText(e *ledger.Entry) string {
	text := strconv.Itoa(len(e.Parts)) + " messages"
	if len(e.Parts) == 1 {
		text = "1 message"
	}
	for i := range e.Parts {
		if i == 0 {
			text += ": "
		} else {
			text += ", "
		}
		if len(text) > maxSummary {
			break
		}
		part := &e.Parts[i]
		text += strings.TrimRight(part.Kind.String()+" "+part.ID.String(), " ")
		if part.Method != "" {
			text += " " + part.Method
		}
	}
	return text
}

// digestOf looks for the digest of a method: by its name, then by the last part of it
// ("*/delta"), then by the first ("textDocument/*").
func digestOf(digests map[string]string, method string) string {
	if d, ok := digests[method]; ok {
		return d
	}
	if i := strings.LastIndexByte(method, '/'); i >= 0 {
		if d, ok := digests["*"+method[i:]]; ok {
			return d
		}
	}
	first, _, _ := strings.Cut(method, "/")
	return digests[first+"/*"]
}

// digest returns what the paths in d lead to, with a space between them. A path is the
// names of members with a point between them, and at its end there may be
//
//	#    how many elements the list has: "3000 tools"
//	@    what the content says: a text, or blocks of text and uses of tools
//
// If none leads anywhere, the value itself is what matters. The path "-" says that nothing
// does, since the method says it all.
func digest(d string, value message.Raw) string {
	if d == "-" {
		return ""
	}
	var said []string
	for path := range strings.FieldsSeq(d) {
		if text := follow(path, value); text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return compact(value)
	}
	return strings.Join(said, " ")
}

// follow returns what one path leads to, "" if that is nothing.
func follow(path string, value message.Raw) string {
	form := path[len(path)-1]
	if form == '#' || form == '@' {
		path = path[:len(path)-1]
	}
	var name string
	for name = range strings.SplitSeq(path, ".") {
		var ok bool
		if value, ok = value.Member(name); !ok {
			return ""
		}
	}
	switch form {
	case '#':
		return countOf(value, name)
	case '@':
		return content(value)
	}
	return plain(value)
}

// plain returns the text of a value: that of a string without quotes, nothing for null.
func plain(value message.Raw) string {
	switch {
	case len(value) == 0, string(value) == "null", string(value) == "[]":
		return ""
	case value[0] == '"':
		return unquoted(value)
	}
	return compact(value)
}

// unquoted returns what the head of a JSON string says.
func unquoted(value message.Raw) string {
	if len(value) > maxValue {
		value = value[:maxValue]
		// An escape must not be cut. The longest has twelve bytes: a pair of surrogates.
		if i := strings.LastIndexByte(string(value[maxValue-12:]), '\\'); i >= 0 {
			value = value[:maxValue-12+i]
			for len(value) > 1 && value[len(value)-1] == '\\' {
				value = value[:len(value)-1]
			}
		}
		value = append([]byte(strings.ToValidUTF8(string(value), "")), '"')
	}
	var text string
	if err := value.Decode(&text); err != nil {
		return compact(value)
	}
	return text
}

// compact returns the head of JSON text, or of text that was meant to be, on one line.
func compact(value []byte) string {
	head := value[:min(len(value), maxValue)]
	return strings.TrimSpace(string(message.OneLine(nil, head)))
}

// elements returns the elements of a list, nil if it is none or longer than what is
// looked at.
func elements(list message.Raw) []message.Raw {
	var all []message.Raw
	if len(list) > maxList || list.Decode(&all) != nil {
		return nil
	}
	return all
}

// countOf says how many elements a list has.
func countOf(list message.Raw, name string) string {
	if len(list) == 0 || list[0] != '[' {
		return ""
	}
	if len(list) > maxList {
		return fmt.Sprintf("%d MB of %s", len(list)/1e6, name)
	}
	n := len(elements(list))
	if n == 1 {
		name = strings.TrimSuffix(name, "s")
	}
	return fmt.Sprintf("%d %s", n, name)
}

// content returns what content says, as agents write it: a string, a block, or a list of
// blocks. What a block is not known for is its type.
func content(value message.Raw) string {
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '{':
		return block(value)
	case '[':
		var said []string
		size := 0
		for _, b := range elements(value) {
			if text := block(b); text != "" {
				said = append(said, text)
				size += len(text)
			}
			if size > maxSummary {
				break
			}
		}
		return strings.Join(said, ", ")
	}
	return plain(value)
}

// block returns what one block of content says.
func block(b message.Raw) string {
	for _, path := range []string{"text", "thinking", "resource.uri", "uri"} {
		if text := follow(path, b); text != "" {
			return text
		}
	}
	kind := follow("type", b)
	switch kind {
	case "tool_use":
		return strings.TrimRight(follow("name", b)+" "+follow("input", b), " ")
	case "tool_result", "content":
		inner, _ := b.Member("content")
		return strings.TrimRight(kind+" "+content(inner), " ")
	case "":
		return compact(b)
	}
	return kind
}

// cut shortens text to a number of characters, the last of which says so.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most-1 {
			if utf8.RuneCountInString(text[i:]) > 1 {
				return text[:i] + "…"
			}
			return text
		}
		n++
	}
	return text
}
