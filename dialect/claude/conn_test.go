package claude_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

var options = &parley.Options{Dialect: &claude.Dialect}

// An agent with one turn, in which it asks for a permission and writes while it waits.
func agent() *parley.Mux {
	return parley.NewMux(
		claude.Initialize.Handle(func(_ context.Context, p claude.InitializeParams) (claude.InitializeResult, error) {
			return claude.InitializeResult{OutputStyle: fmt.Sprint(p.SDKMCPServers)}, nil
		}),
		claude.User.Handle(func(ctx context.Context, p claude.UserParams) error {
			conn := parley.Caller(ctx)
			asked := claude.CanUseTool.Start(ctx, conn, claude.CanUseToolParams{ToolName: "Bash", Input: message.Raw(`{"command":"ls"}`)})
			for i := range 3 {
				event := claude.StreamEventParams{Event: message.Raw(fmt.Sprintf(`{"index":%d}`, i))}
				if err := claude.StreamEvent.Send(ctx, conn, event); err != nil {
					return err
				}
			}
			var answer claude.PermissionResult
			if err := asked.Wait(ctx, &answer); err != nil {
				return err
			}
			return claude.Result.Send(ctx, conn, claude.ResultParams{Subtype: "success", Result: answer.Behavior + " " + answer.Message})
		}),
		claude.Interrupt.Handle(func(context.Context, claude.InterruptParams) (claude.InterruptResult, error) {
			return claude.InterruptResult{StillQueued: []string{"u"}}, nil
		}),
		claude.SetModel.Handle(func(ctx context.Context, _ claude.SetModelParams) (claude.Done, error) {
			<-ctx.Done()
			return claude.Done{}, ctx.Err()
		}),
	)
}

// Two peers speak the dialect with each other: a handshake, a turn whose permission is
// answered while notes flow, an interrupt, an error and a call that is taken back.
func TestConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		events, all := 0, make(chan struct{})
		host := parley.NewMux(
			claude.StreamEvent.Handle(func(context.Context, claude.StreamEventParams) error {
				if events++; events == 3 {
					close(all)
				}
				return nil
			}),
			claude.CanUseTool.Handle(func(_ context.Context, p claude.CanUseToolParams) (claude.PermissionResult, error) {
				<-all // the notes behind the question do not wait for its answer
				log = append(log, fmt.Sprintf("asked for %s %s after %d events", p.ToolName, p.Input, events))
				return claude.Deny("not today"), nil
			}),
			claude.Result.Handle(func(_ context.Context, p claude.ResultParams) error {
				log = append(log, p.Subtype+": "+p.Result)
				return nil
			}),
		)
		client, server := parleytest.Pair(t, host.Handle, agent().Handle, options)

		offer, err := claude.Initialize.Call(t.Context(), client, claude.InitializeParams{SDKMCPServers: []string{"calc"}})
		if err != nil || offer.OutputStyle != "[calc]" {
			t.Errorf("initialize: %+v, %v", offer, err)
		}
		if err := claude.User.Send(t.Context(), client, claude.Say("hello")); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		want := []string{`asked for Bash {"command":"ls"} after 3 events`, "success: deny not today"}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Errorf("the turn (-want +got)\n%s", diff)
		}
		queue, err := claude.Interrupt.Call(t.Context(), client, claude.InterruptParams{})
		if err != nil || len(queue.StillQueued) != 1 {
			t.Errorf("interrupt: %+v, %v", queue, err)
		}

		var failure *message.Error
		_, err = claude.GetUsage.Call(t.Context(), client, nil)
		if !errors.As(err, &failure) || failure.Code != claude.CodeControlError || failure.Message == "" {
			t.Errorf("a call that the agent does not know: %v", err)
		}

		ctx, cancel := context.WithCancel(t.Context())
		call := claude.SetModel.Start(ctx, client, claude.SetModelParams{})
		synctest.Wait()
		cancel()
		if err := call.Wait(t.Context(), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a call that was taken back: %v", err)
		}
		synctest.Wait()
		if stats := client.Stats(); stats != (parley.Stats{}) {
			t.Errorf("the client noticed %+v", stats)
		}
		if stats := server.Stats(); stats != (parley.Stats{}) {
			t.Errorf("the agent noticed %+v", stats)
		}
	})
}

// On the wire a call of ours has a string as its id, a cancellation names it, and no
// answer follows.
func TestWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := dialecttest.Peer(t, &claude.Dialect, agent().Handle)
		call := claude.Interrupt.Start(t.Context(), conn, claude.InterruptParams{CancelQueued: true})
		far.Hears(`{"type":"control_request","request_id":"1","request":{"subtype":"interrupt","cancel_queued":true}}`)
		call.Cancel()
		far.Hears(`{"type":"control_cancel_request","request_id":"1"}`)

		// A stray print, a keep_alive and an array cost nothing, and nobody answers them.
		far.Say("Starting server...")
		far.Say(`{"type":"keep_alive"}`)
		far.Say(`[1,2]`)
		far.Say(`{"type":"control_request","request_id":"7","request":{"subtype":"set_model","model":null}}`)
		synctest.Wait()
		far.Say(`{"type":"control_cancel_request","request_id":"7"}`)
		far.Say(`{"type":"control_request","request_id":"z","request":{"subtype":"interrupt"}}`)
		far.Hears(`{"type":"control_response","response":{"subtype":"success","request_id":"z","response":{"still_queued":["u"]}}}`)
		if s := conn.Stats(); s.Refused != 2 {
			t.Errorf("%d records were refused, want 2", s.Refused)
		}
		far.Rest()
	})
}

// Case 073: a call that was taken back is not answered any more.
func TestCancelled(t *testing.T) {
	dialecttest.Cancelled(t, &claude.Dialect, `{"type":"control_cancel_request","request_id":%s}`, false)
}
