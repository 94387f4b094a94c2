package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/message"
)

// An agent has no model. What it does in a turn is what the first word of the prompt says:
//
//	read PATH   asks for permission, then reads the file through the client and says what it holds
//	wait        says so, and does nothing until the turn is cancelled, or the call taken back
type agent struct {
	mu       sync.Mutex
	sessions map[string]chan struct{} // closed by a session/cancel; a new one for each turn
}

func newAgent() *agent { return &agent{sessions: map[string]chan struct{}{}} }

func (a *agent) mux() *parley.Mux {
	return parley.NewMux(
		acp.Initialize.Handle(func(context.Context, acp.InitializeParams) (*acp.InitializeResult, error) {
			return &acp.InitializeResult{
				ProtocolVersion: acp.Version,
				AgentInfo:       &acp.Implementation{Name: "ours", Version: "1"},
			}, nil
		}),
		acp.SessionNew.Handle(a.newSession),
		acp.Prompt.Handle(a.prompt),
		acp.Cancel.Handle(a.cancel),
	)
}

func (a *agent) newSession(_ context.Context, p acp.SessionNewParams) (*acp.SessionNewResult, error) {
	if !filepath.IsAbs(p.CWD) {
		return nil, message.InvalidParams.With("cwd is not an absolute path: " + p.CWD)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	id := fmt.Sprintf("session-%d", len(a.sessions)+1)
	a.sessions[id] = nil
	return &acp.SessionNewResult{SessionID: id}, nil
}

// begin begins a turn and returns what its cancellation closes.
func (a *agent) begin(session string) (<-chan struct{}, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.sessions[session]; !ok {
		return nil, acp.ErrResourceNotFound.With("there is no session " + session)
	}
	cancelled := make(chan struct{})
	a.sessions[session] = cancelled
	return cancelled, nil
}

func (a *agent) cancel(_ context.Context, p acp.CancelParams) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if turn := a.sessions[p.SessionID]; turn != nil {
		close(turn)
		a.sessions[p.SessionID] = nil
	}
	return nil
}

// A turn is what a prompt is about, with the way back to the client.
type turn struct {
	session   string
	client    *parley.Conn
	cancelled <-chan struct{}
}

func (a *agent) prompt(ctx context.Context, p acp.PromptParams) (*acp.PromptResult, error) {
	cancelled, err := a.begin(p.SessionID)
	if err != nil {
		return nil, err
	}
	t := turn{p.SessionID, parley.Caller(ctx), cancelled}
	var word, path string
	if len(p.Prompt) > 0 {
		_, _ = fmt.Sscan(p.Prompt[0].Text, &word, &path) // what is missing stays empty
	}
	switch word {
	case "read":
		return t.read(ctx, path)
	case "wait":
		return t.wait(ctx)
	}
	return &acp.PromptResult{StopReason: acp.Refusal}, nil
}

// read asks before it reads, and reports what becomes of it.
func (t turn) read(ctx context.Context, path string) (*acp.PromptResult, error) {
	if err := t.report(ctx, acp.Update{
		SessionUpdate: acp.ToolCall, ToolCallID: "call-1", Title: "Read " + path, Kind: acp.ToolRead, Status: acp.ToolPending,
	}); err != nil {
		return nil, err
	}
	answer, err := acp.RequestPermission.Call(ctx, t.client, acp.RequestPermissionParams{
		SessionID: t.session,
		ToolCall:  acp.ToolCallUpdate{ToolCallID: "call-1", Title: "Read " + path},
		Options: []acp.PermissionOption{
			{OptionID: "yes", Name: "Allow", Kind: acp.AllowOnce},
			{OptionID: "no", Name: "Reject", Kind: acp.RejectOnce},
		},
	})
	if err != nil {
		return nil, err
	}
	switch {
	case answer.Outcome.Outcome == acp.OutcomeCancelled:
		// The note that cancels the turn was sent before this answer, but a handler may see it after.
		return t.wait(ctx)
	case answer.Outcome.OptionID != "yes":
		return &acp.PromptResult{StopReason: acp.EndTurn}, t.say(ctx, "I may not read it.")
	}
	file, err := acp.ReadTextFile.Call(ctx, t.client, acp.ReadTextFileParams{SessionID: t.session, Path: path})
	if err != nil {
		return nil, err // the error of the client, by its code
	}
	if err := t.report(ctx, acp.Update{SessionUpdate: acp.ToolCallChanged, ToolCallID: "call-1", Status: acp.ToolCompleted}); err != nil {
		return nil, err
	}
	return &acp.PromptResult{StopReason: acp.EndTurn}, t.say(ctx, file.Content)
}

// wait says that it waits, and waits for the end of the turn: by session/cancel, or by the end of ctx, which is how
// the call is taken back.
func (t turn) wait(ctx context.Context) (*acp.PromptResult, error) {
	if err := t.say(ctx, "I wait."); err != nil {
		return nil, err
	}
	select {
	case <-t.cancelled:
		return &acp.PromptResult{StopReason: acp.Cancelled}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t turn) say(ctx context.Context, text string) error {
	block := acp.Text(text)
	return t.report(ctx, acp.Update{SessionUpdate: acp.AgentMessageChunk, Content: acp.UpdateContent{Block: &block}})
}

func (t turn) report(ctx context.Context, update acp.Update) error {
	return acp.SessionUpdate.Send(ctx, t.client, acp.SessionUpdateParams{SessionID: t.session, Update: update})
}
