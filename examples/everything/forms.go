package main

import (
	"context"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// formTools have the user fill in a form, and say what came of it.
func formTools() []parley.Route {
	return []parley.Route{
		tool("test_elicitation", "Asks for a name and an address.", func(ctx context.Context, p struct {
			Message string `json:"message"`
		}) (*mcp.CallToolResult, error) {
			return fillIn(ctx, "User response: action=%s, content=%s", p.Message, person)
		}),
		form("test_streaming_elicitation", "Asks for a name and an address.", person),
		form("test_elicitation_sep1034_defaults", "Asks with values that are filled in already.", defaults),
		form("test_elicitation_sep1330_enums", "Asks with choices of every kind.", choices),
	}
}

func form(name, doc, schema string) parley.Route {
	return tool(name, doc, func(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
		return fillIn(ctx, "Elicitation completed: action=%s, content=%s", "Please fill in this form.", schema)
	})
}

func fillIn(ctx context.Context, format, question, schema string) (*mcp.CallToolResult, error) {
	var filled message.Raw
	answer, err := askForm(ctx, question, schema, &filled)
	if err != nil {
		return nil, err
	}
	return text(format, answer.Action, filled), nil
}

const (
	person = `{"type":"object","properties":{"username":{"type":"string","description":"User's response"},
"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`

	defaults = `{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},
"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`

	choices = `{"type":"object","properties":{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},
{"const":"value3","title":"Third Option"}]},
"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},
{"const":"value3","title":"Third Choice"}]}}}}`
)
