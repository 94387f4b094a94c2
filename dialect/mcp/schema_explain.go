package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/message"
)

// explain says what of schema a value does not fit, in the words in which parley says
// that JSON does not fit a Go type: whoever reads it wrote JSON, and may be a model. The
// library's error begins with the keyword that was broken. What that is not a part of
// schema itself, or there are no words for, is said in those of the library.
func explain(schema *jsonschema.Schema, value any, err error) string {
	text := lastReason(err)
	keyword, _, _ := strings.Cut(text, ":")
	said := ""
	switch keyword {
	case "type":
		if kinds := append(slices.Clone(schema.Types), schema.Type); kinds[0] != "" {
			said = "want " + alternatives(kinds) + ", got " + kindOf(value)
		}
	case "enum":
		said = "want " + texts(schema.Enum)
	case "const":
		if schema.Const != nil {
			said = "want " + texts([]any{*schema.Const})
		}
	case "required":
		said = missing(schema.Required, value)
	case "pattern":
		said = "want a text that matches " + schema.Pattern
	case "anyOf", "oneOf":
		said = "it does not fit one of the forms that it may have"
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		said = explainNumber(keyword, schema)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		said = explainCount(keyword, schema)
	}
	if names, ok := strings.CutPrefix(text, "unexpected additional properties "); ok {
		said = "there are no members " + names
	}
	if said == "" {
		said = text
	}
	return shortened(said, 300)
}

// lastReason is the last part of what the library says, which leads there step by step:
// "validating root: validating /properties/a: type: x has …".
func lastReason(err error) string {
	text := err.Error()
	for strings.HasPrefix(text, "validating ") {
		_, rest, ok := strings.Cut(text, ": ")
		if !ok {
			break
		}
		text = rest
	}
	return text
}

// shortened is text, or its first bytes, of which there are at most most.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// kindNames are the types of JSON Schema as parley names them.
var kindNames = map[string]string{
	"object": "an object", "array": "an array", "string": "a string", "number": "a number",
	"integer": "an integer", "boolean": "true or false", "null": "null",
}

// alternatives names types: "a string or null".
func alternatives(kinds []string) string {
	var names []string
	for _, kind := range kinds {
		if kind != "" {
			names = append(names, kindNames[kind])
		}
	}
	return strings.Join(names, " or ")
}

// kindOf names what a value is.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(value)
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	case int64, uint64:
		return fmt.Sprint(value)
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

// texts are values as JSON: "a" or "b".
func texts(values []any) string {
	var all []string
	for _, value := range values {
		text, _ := message.Encode(value) // they come from JSON
		all = append(all, text.String())
	}
	return strings.Join(all, " or ")
}

// missing names the first member that an object lacks.
func missing(required []string, value any) string {
	object, _ := value.(map[string]any)
	for _, name := range required {
		if _, ok := object[name]; !ok {
			return fmt.Sprintf("the member %q is missing", name)
		}
	}
	return ""
}

func explainNumber(keyword string, schema *jsonschema.Schema) string {
	bound := map[string]*float64{
		"minimum": schema.Minimum, "maximum": schema.Maximum, "multipleOf": schema.MultipleOf,
		"exclusiveMinimum": schema.ExclusiveMinimum, "exclusiveMaximum": schema.ExclusiveMaximum,
	}[keyword]
	if bound == nil {
		return ""
	}
	form := map[string]string{
		"minimum": "want %s or more", "maximum": "want %s or less", "multipleOf": "want a multiple of %s",
		"exclusiveMinimum": "want more than %s", "exclusiveMaximum": "want less than %s",
	}[keyword]
	return fmt.Sprintf(form, strconv.FormatFloat(*bound, 'g', -1, 64))
}

func explainCount(keyword string, schema *jsonschema.Schema) string {
	bound := map[string]*int{
		"minLength": schema.MinLength, "maxLength": schema.MaxLength, "minItems": schema.MinItems,
		"maxItems": schema.MaxItems, "minProperties": schema.MinProperties, "maxProperties": schema.MaxProperties,
	}[keyword]
	if bound == nil {
		return ""
	}
	what := map[string]string{"Length": "characters", "Items": "items", "Properties": "members"}[keyword[len("min"):]]
	if strings.HasPrefix(keyword, "min") {
		return fmt.Sprintf("want at least %d %s", *bound, what)
	}
	return fmt.Sprintf("want at most %d %s", *bound, what)
}
