package toolbox

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/message"
)

// jsonNumber is a number as JSON writes it (RFC 8259, section 6).
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$`)

// numeral returns a number of the file with its digits. The parser rounds some, and takes
// 1e21 and what is longer than 64 bits for plain text.
func numeral(n ast.Node) (message.Raw, bool) {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
		t := n.GetToken()
		plain := t.Type == token.StringType || t.Type == token.IntegerType || t.Type == token.FloatType
		return message.Raw(t.Value), plain && jsonNumber.MatchString(t.Value)
	}
	return nil, false
}

// isNumber reports whether the input is a number of either type.
func (in *input) isNumber() bool {
	return in.plain.Type == typeInteger || in.plain.Type == typeNumber
}

// checkLimits refuses limits that no value can keep.
func (r *reader) checkLimits(in *input, given map[string]ast.Node) {
	p := in.plain
	above := func(low, high *float64, lowKey, highKey string, equal bool) {
		if low != nil && high != nil && (*low > *high || equal && *low == *high) {
			r.fault(given[lowKey], "no number is within this %s and the %s", lowKey, highKey)
		}
	}
	above(p.Minimum, p.Maximum, "minimum", "maximum", false)
	above(p.Minimum, p.ExclusiveMaximum, "minimum", "exclusiveMaximum", true)
	above(p.ExclusiveMinimum, p.Maximum, "exclusiveMinimum", "maximum", true)
	above(p.ExclusiveMinimum, p.ExclusiveMaximum, "exclusiveMinimum", "exclusiveMaximum", true)
	if p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength {
		r.fault(given["minLength"], "no string is as long as this minLength and as short as the maxLength")
	}
	if p.MultipleOf != nil && *p.MultipleOf <= 0 {
		r.fault(given["multipleOf"], "multipleOf is above 0")
	}
}

// checkEnum refuses values of an enum that the other keys of the input do not allow.
func (r *reader) checkEnum(in *input, n ast.Node) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return
	}
	others := *in
	others.plain = new(jsonschema.Schema)
	*others.plain = *in.plain
	others.plain.Enum = nil
	if !r.resolve(n, &others) {
		return
	}
	for i, member := range list.Values {
		value, ok := numeral(member)
		if !ok || !in.isNumber() {
			value = r.encoded(member)
		}
		if _, err := others.text(value); err != nil {
			r.fault(member, "no call can give this value: %s", err.Reason)
		}
		in.plain.Enum[i] = nil
		if err := value.Decode(&in.plain.Enum[i]); err != nil {
			r.fault(member, "%v", err)
		}
	}
}
