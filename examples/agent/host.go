package main

import (
	"context"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

type object = map[string]any

// runHooks runs the hooks that the host has for the use of a tool.
func (a *agent) runHooks(ctx context.Context, host *parley.Conn, use claude.CanUseToolParams) error {
	event, err := message.Encode(object{"hook_event_name": "PreToolUse", "tool_name": use.ToolName, "tool_input": use.Input})
	<-a.ready // initialize came before the turn, but its handler runs beside it
	for _, hook := range a.hello.Hooks["PreToolUse"] {
		for _, id := range hook.HookCallbackIDs {
			if err == nil && (hook.Matcher == "" || hook.Matcher == use.ToolName) {
				_, err = claude.HookCallback.Call(ctx, host, claude.HookCallbackParams{CallbackID: id, Input: event, ToolUseID: use.ToolUseID})
			}
		}
	}
	return err
}

// callTool calls a tool of an MCP server that runs in the host. A message to that server
// is in the params of a control message, and its answer in the result.
func callTool(ctx context.Context, host *parley.Conn, server, name string, input message.Raw) (string, error) {
	call, err := message.Encode(mcp.CallToolParams{Name: name, Arguments: input})
	hello := message.Raw(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}`)
	var answer claude.MCPMessageResult
	for _, m := range []*message.Request{
		{ID: message.IntID(1), Method: string(mcp.Initialize), Params: hello},
		{Method: string(mcp.Initialized)},
		{ID: message.IntID(2), Method: string(mcp.ListTools)},
		{ID: message.IntID(3), Method: string(mcp.CallTool), Params: call},
	} {
		var rec []byte
		if err == nil {
			rec, err = message.Strict.Append(nil, m)
		}
		if err == nil {
			answer, err = claude.MCPMessage.Call(ctx, host, claude.MCPMessageParams{ServerName: server, Message: rec})
		}
	}
	return answer.MCPResponse.String(), err
}

// say is what the model would write.
func say(ctx context.Context, host *parley.Conn, text string) error {
	block, err := message.Encode(object{"type": "text", "text": text})
	said := claude.AssistantMessage{Type: "message", Role: "assistant", Content: []message.Raw{block}}
	if err == nil {
		err = claude.Assistant.Send(ctx, host, claude.AssistantParams{Message: said})
	}
	return err
}
