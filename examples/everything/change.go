package main

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// addChangingTools adds the tools that are not of the Mux: one with a schema of its own, and those that change the
// server, which tells its clients.
func addChangingTools(server *mcp.Server) {
	var tools []mcp.ServedTool
	add := func(name, doc, schema string, call func() (string, error)) {
		tools = append(tools, mcp.ServedTool{
			Tool: mcp.Tool{Name: name, Description: doc, InputSchema: message.Raw(schema)},
			Call: func(context.Context, message.Raw) (*mcp.CallToolResult, error) {
				said, err := call()
				return text("%s", said), err
			},
		})
	}
	var changes atomic.Int64
	add("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", addressSchema, func() (string, error) {
		return "The arguments fit.", nil
	})
	add("test_trigger_tool_change", "Adds a tool, or takes it away again.", noArguments, func() (string, error) {
		if changes.Add(1)%2 == 0 {
			return "The extra tool is gone.", server.SetTools(tools)
		}
		extra := mcp.ServedTool{Tool: mcp.Tool{Name: "extra", Description: "Is not always there."}, Call: tools[0].Call}
		return "There is an extra tool.", server.SetTools(append(slices.Clip(tools), extra))
	})
	add("test_trigger_prompt_change", "Adds a prompt and takes it away.", noArguments, func() (string, error) {
		server.AddPrompt(mcp.Prompt{Name: "extra"}, func(context.Context, map[string]string) (*mcp.GetPromptResult, error) {
			return user(mcp.Text("Too late.")), nil
		})
		server.RemovePrompt("extra")
		return "The prompts have changed.", nil
	})
	// The suite subscribes and waits for nothing. This is ours, to see a change.
	add("touch_watched_resource", "Says that the watched resource has changed.", noArguments, func() (string, error) {
		server.ResourceUpdated(watched)
		return "The resource has changed.", nil
	})
	check(server.SetTools(tools))
}

const noArguments = `{"type":"object","additionalProperties":false}`

// addressSchema has each of the words of JSON Schema 2020-12 that a server must not lose.
const addressSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},
"else":{"required":["email"]},"additionalProperties":false}`
