package toolbox

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A reader takes the nodes of a YAML file apart and notes every fault. Its methods say
// what they want in the words of the file, and go on after a fault, so that one reading
// finds all of them.
type reader struct {
	file   string
	faults Faults
}

// fault notes what is wrong at a node; nil stands for the file as a whole.
func (r *reader) fault(at ast.Node, format string, args ...any) {
	f := Fault{File: r.file, Text: fmt.Sprintf(format, args...)}
	if at != nil {
		f.Line, f.Column = place(at)
	}
	r.faults = append(r.faults, f)
}

// place is where a node begins. A mapping in block style has its first colon for a token.
func place(n ast.Node) (line, column int) {
	switch m := n.(type) {
	case *ast.MappingNode:
		if !m.IsFlowStyle && len(m.Values) > 0 {
			return place(m.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return place(m.Key)
	}
	p := n.GetToken().Position
	return p.Line, p.Column
}

// document returns the one document of a file, or nil after a fault.
func (r *reader) document(text []byte) (root ast.Node) {
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if line, column, ok := firstBad(text); !ok {
		r.faults = append(r.faults, Fault{r.file, line, column, "this is not UTF-8, or is a NUL character"})
		return nil
	}
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil
	}
	switch {
	case len(file.Docs) > 0 && isDirective(file.Docs[0].Body):
		r.fault(file.Docs[0].Body, "directives are not read; leave the line that begins with %% out")
		return nil
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		r.fault(nil, "the file is empty; it wants a key tools with a list of them")
		return nil
	case len(file.Docs) > 1 && file.Docs[1].Body != nil:
		r.fault(file.Docs[1].Body, "a second document begins here; a file has one")
	}
	return file.Docs[0].Body
}

func isDirective(n ast.Node) bool {
	_, ok := n.(*ast.DirectiveNode)
	return ok
}

// syntax notes what the parser says. It stops at the first fault.
func (r *reader) syntax(err error) {
	f := Fault{File: r.file, Text: "this is not YAML: " + err.Error()}
	//nolint:errorlint // the parser returns its errors unwrapped, and the interface has too many methods for AsType
	if bad, ok := err.(yaml.Error); ok && bad.GetToken() != nil {
		f.Text = "this is not YAML: " + bad.GetMessage()
		f.Line, f.Column = bad.GetToken().Position.Line, bad.GetToken().Position.Column
	}
	r.faults = append(r.faults, f)
}

// firstBad finds the first NUL or byte that is not UTF-8.
func firstBad(text []byte) (line, column int, ok bool) {
	line, column = 1, 1
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		switch {
		case c == 0, c == utf8.RuneError && size == 1:
			return line, column, false
		case c == '\n':
			line, column = line+1, 0
		}
		text, column = text[size:], column+1
	}
	return 0, 0, true
}

// An entry is a key of a mapping and its value.
type entry struct {
	key   string
	at    ast.Node // of the key
	value ast.Node
}

// mapping returns the entries of a mapping in their order, each key once.
func (r *reader) mapping(n ast.Node, what string) (entries []entry) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.fault(n, "%s is a mapping of keys to values, not %s", what, kind(n))
		return nil
	}
	seen := make(map[string]int, len(values))
	for _, v := range values {
		key, ok := scalar(v.Key)
		if !ok {
			r.fault(v.Key, "a key is plain text here, not %s", kind(v.Key))
			continue
		}
		line, _ := place(v.Key)
		if first, twice := seen[key]; twice {
			r.fault(v.Key, "the key %q was given in line %d already", key, first)
			continue
		}
		seen[key] = line
		entries = append(entries, entry{key, v.Key, v.Value})
	}
	return entries
}

// list returns the members of a sequence.
func (r *reader) list(n ast.Node, what string) ([]ast.Node, bool) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fault(n, "%s is a list, not %s", what, kind(n))
		return nil, false
	}
	return s.Values, true
}

// text returns a scalar as it is written: 5 and true are texts too.
func (r *reader) text(n ast.Node, what string) (string, bool) {
	s, ok := scalar(n)
	if !ok {
		r.fault(n, "%s is a text, not %s", what, kind(n))
	}
	return s, ok
}

// scalar is the text of a string, a number or a boolean.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// boolean returns true or false; after a fault, false.
func (r *reader) boolean(n ast.Node, what string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		r.fault(n, "%s is true or false, not %s", what, kind(n))
		return false
	}
	return b.Value
}

// integer returns a number of at least low and at most high; after a fault, low.
func (r *reader) integer(n ast.Node, what string, low, high int) int {
	text, _ := scalar(n)
	i, err := strconv.Atoi(text)
	if _, isInt := n.(*ast.IntegerNode); !isInt || err != nil || i < low || i > high {
		r.fault(n, "%s is an integer from %d to %d", what, low, high)
		return low
	}
	return i
}

// duration returns a time of more than 0 and at most high; after a fault, high.
func (r *reader) duration(n ast.Node, what string, high time.Duration) time.Duration {
	text, _ := scalar(n)
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > high {
		r.fault(n, "%s is a time such as 500ms, 10s or 2m, of at most %s", what, strings.TrimSuffix(high.String(), "0m0s"))
		return high
	}
	return d
}

// value returns what a node is as JSON, in the Go types of encoding/json.
func (r *reader) value(n ast.Node) any {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		object := make(map[string]any)
		for _, e := range r.mapping(n, "this") {
			object[e.key] = r.value(e.value)
		}
		return object
	case *ast.SequenceNode:
		array := make([]any, len(n.Values))
		for i, v := range n.Values {
			array[i] = r.value(v)
		}
		return array
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.FloatNode:
		return n.Value
	case *ast.IntegerNode:
		return n.Value
	case *ast.NullNode:
		return nil
	}
	r.fault(n, "%s has no meaning in a file of tools", kind(n))
	return nil
}

// kind names what a node is, with an article.
func kind(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.InfinityNode, *ast.NanNode:
		return "an infinity or .nan, which JSON does not have,"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias, which is not read"
	case *ast.TagNode:
		return "a tag, which is not read"
	}
	return "this"
}
