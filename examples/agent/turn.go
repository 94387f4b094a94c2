package main

import (
	"context"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/message"
)

// turn handles a note, so that turns wait for each other. While one waits in a call, the
// calls of the host get through, interrupt among them.
func (a *agent) turn(ctx context.Context, p claude.UserParams) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	a.mu.Lock()
	a.stop = stop
	a.mu.Unlock()
	host := parley.Caller(ctx)
	said, err := a.answer(work, host, p.Message.Content)
	if err == nil {
		err = say(work, host, said)
	}
	result := claude.ResultParams{Subtype: "success", Result: said, NumTurns: 1}
	if err != nil {
		result = claude.ResultParams{Subtype: "error_during_execution", IsError: true, Errors: []string{err.Error()}, NumTurns: 1}
	}
	return claude.Result.Send(ctx, host, result)
}

// answer does what the user says: the hooks of the host run first, then it is asked, and
// then the tool runs, which may be one of the host's.
func (a *agent) answer(ctx context.Context, host *parley.Conn, content message.Raw) (string, error) {
	var text string
	if err := content.Decode(&text); err != nil {
		return "", err
	}
	tool, input, ok := strings.Cut(text, " {")
	if !ok {
		return text, nil
	}
	use := claude.CanUseToolParams{ToolName: tool, ToolUseID: "toolu_1", Input: message.Raw("{" + input)}
	if err := a.runHooks(ctx, host, use); err != nil {
		return "", err
	}
	answer, err := claude.CanUseTool.Call(ctx, host, use)
	if err != nil || answer.Behavior != "allow" {
		return answer.Message, err
	}
	if answer.UpdatedInput.IsZero() {
		answer.UpdatedInput = use.Input
	}
	if name, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, name, _ := strings.Cut(name, "__")
		return callTool(ctx, host, server, name, answer.UpdatedInput)
	}
	return tool + " got " + answer.UpdatedInput.String(), nil
}
