package ledger

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// claude keeps track of Claude Code's stream-json: a user record begins a turn and a
// result ends it, though not the run.
type claude struct{ words }

func (claude) habits() (ready, turns bool) { return false, true }

// side tells whose a user record is: the agent sends those that hold the results of
// tools, and repeats the host's with isReplay.
func (claude) side(r *message.Request) parley.Side {
	if r.Method != "user" {
		return parley.SideUnknown
	}
	if mentions(r.Params, `"tool_result"`) || mentions(r.Params, `"isReplay"`) {
		return parley.SideServer
	}
	return parley.SideClient
}

func (claude) call(l *Ledger, e *Entry, r *message.Request, d *debt) {
	e.Kind = KindControlRequest
	switch r.Method {
	case "can_use_tool":
		d.What = l.keep(d, text(r.Params, "tool_name"))
	case "hook_callback":
		d.What = l.keep(d, text(r.Params, "callback_id"))
	case "mcp_message":
		d.What = l.keep(d, text(r.Params, "server_name"))
	case "interrupt":
		l.agent.cancelling = true
	}
}

func (c claude) note(l *Ledger, e *Entry, r *message.Request) {
	e.Kind = KindEvent
	if e.Because == BecauseNote {
		e.Because = BecauseEvent
	}
	switch r.Method {
	case "control_cancel_request":
		e.Kind = KindControlCancelRequest
	case "user":
		if e.From == parley.SideClient && !mentions(r.Params, `"shouldQuery":false`) {
			l.begins("")
		}
	case "system":
		c.system(l, r.Params)
	case "result":
		c.result(l, r.Params)
	}
}

// system reads what the agent says of itself.
func (claude) system(l *Ledger, params message.Raw) {
	switch text(params, "subtype") {
	case "init":
		if !l.agent.running {
			l.begins("")
		}
	case "session_state_changed":
		switch text(params, "state") {
		case "running":
			if !l.agent.running {
				l.begins("")
			}
		case "idle":
			if l.agent.running {
				l.ends(AgentIdle, "")
			}
		}
	}
}

// result reads the end of a turn. One that is_error may have the subtype success, and
// one that was interrupted is no failure.
func (claude) result(l *Ledger, params message.Raw) {
	reason := text(params, "subtype")
	if stop := text(params, "stop_reason"); stop != "" && reason == "success" {
		reason = stop
	}
	failed, _ := params.Member("is_error")
	switch {
	case l.agent.cancelling:
		l.ends(AgentDone, "interrupted")
	case string(failed) == "true":
		l.ends(AgentFailed, reason)
	default:
		l.ends(AgentDone, reason)
	}
}

func (c claude) reply(l *Ledger, e *Entry, m *message.Response, d *debt) {
	e.Kind = KindControlResponse
	l.greeted(d)
	if d == nil || d.Method != "initialize" || m.Error != nil {
		return
	}
	for _, member := range []string{"pending_permission_requests", "pending_user_dialog_requests", "pending_elicitation_requests"} {
		c.pending(l, e, m.Result, member)
	}
}

// pending opens the debts that were made before this stream began. A host that joins
// later is told of them in the answer to its initialize.
func (claude) pending(l *Ledger, e *Entry, result message.Raw, member string) {
	if !mentions(result, member) {
		return
	}
	list, _ := result.Member(member)
	var requests []message.Raw
	if list.Decode(&requests) != nil {
		return
	}
	for _, raw := range requests {
		m, err := l.codec.Parse(raw)
		r, ok := m.(*message.Request)
		if err != nil || !ok || r.IsNote() {
			continue
		}
		part := Entry{N: e.N, At: e.At, From: e.From, Latency: Untimed, Message: m}
		l.call(&part, &l.book, r)
		part.Because = BecausePending
		e.Parts = append(e.Parts, part)
	}
}
