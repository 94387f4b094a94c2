package ledger

import (
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// acp keeps track of ACP v1, where a turn is an open session/prompt and session/cancel
// ends it with a result, not with an error. Of several prompts in one session all are
// one turn: an agent may queue them.
type acp struct{ words }

func (acp) habits() (ready, inTurn bool) { return false, true }

func (acp) opens(l *Ledger, _ *Entry, r *message.Request, d *debt) {
	session := clip(text(r.Params, "sessionId"))
	switch r.Method {
	case "session/prompt":
		t := l.begins(session)
		d.turn, d.inside = t, l.keep(d, session)
		t.prompts = append(t.prompts, d)
		return
	case "session/request_permission":
		d.What = l.keep(d, text(r.Params, "toolCall", "title"))
	case "fs/read_text_file", "fs/write_text_file":
		d.What = l.keep(d, text(r.Params, "path"))
	}
	if d.From == parley.SideServer {
		l.belongs(d, session)
	}
}

func (acp) note(l *Ledger, e *Entry, r *message.Request) {
	switch r.Method {
	case "session/cancel":
		t := l.turn(clip(text(r.Params, "sessionId")))
		if t == nil {
			e.Because = BecauseCancelNothing
			return
		}
		for i, prompt := range t.prompts {
			if i == 0 {
				e.About, e.AboutState, e.Because = prompt.N, prompt.State, BecauseCancel
			}
			if prompt.EndedBy == 0 {
				prompt.EndedBy = e.N
			}
		}
		t.cancelling = true
	case "$/cancel_request":
		if e.Because != BecauseCancel {
			return
		}
		for _, t := range l.agent.turns {
			if len(t.prompts) == 1 && t.prompts[0].EndedBy == e.N {
				t.cancelling = true
			}
		}
	}
}

func (acp) outcome(m *message.Response, d *debt) State {
	if d.Method == "session/prompt" && text(m.Result, "stopReason") == "cancelled" {
		return StateCancelled
	}
	return StateAnswered
}

func (acp) gone(l *Ledger, d *debt, m *message.Response) {
	l.greeted(d)
	if d.Method != "session/prompt" || d.turn == nil {
		return
	}
	t := d.turn
	t.prompts = slices.DeleteFunc(t.prompts, func(p *debt) bool { return p == d })
	if len(t.prompts) > 0 {
		return
	}
	as, reason := AgentDone, ""
	switch {
	case d.State == StateOpen:
		as = AgentIdle // nobody knows any more
	case d.State == StateCancelled:
		reason = "cancelled"
	case m == nil:
		as = AgentFailed
	case m.Error != nil:
		as, reason = AgentFailed, clip(m.Error.Message)
	default:
		reason = text(m.Result, "stopReason")
	}
	l.ends(d.inside, as, reason)
}
