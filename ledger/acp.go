package ledger

import (
	"github.com/parley-rpc/parley/message"
)

// acp keeps track of ACP v1, where a turn is an open session/prompt and session/cancel
// ends it with a result, not with an error.
type acp struct {
	words
	prompts map[string]*debt // the open prompt of each session
}

func (*acp) habits() (ready, turns bool) { return false, true }

func (a *acp) call(l *Ledger, _ *Entry, r *message.Request, d *debt) {
	session := text(r.Params, "sessionId")
	switch r.Method {
	case "session/prompt":
		if a.prompts == nil {
			a.prompts = make(map[string]*debt)
		}
		d.room = l.keep(d, session)
		a.prompts[d.room] = d
		l.begins("")
	case "session/request_permission":
		d.What = l.keep(d, text(r.Params, "toolCall", "title"))
	case "fs/read_text_file", "fs/write_text_file":
		d.What = l.keep(d, text(r.Params, "path"))
	}
	if prompt := a.prompts[session]; prompt != nil && prompt != d && prompt.Owes == d.From {
		d.Behind = prompt.Serial
	}
}

func (a *acp) note(l *Ledger, e *Entry, r *message.Request) {
	if r.Method != "session/cancel" {
		return
	}
	prompt := a.prompts[text(r.Params, "sessionId")]
	if prompt == nil {
		e.Because = BecauseCancelNothing
		return
	}
	e.About, e.AboutState, e.Because = prompt.N, prompt.State, BecauseCancel
	prompt.EndedBy = e.N
	l.agent.cancelling = true
}

func (*acp) outcome(m *message.Response, d *debt) State {
	if d.Method == "session/prompt" && text(m.Result, "stopReason") == "cancelled" {
		return StateCancelled
	}
	return StateAnswered
}

func (a *acp) reply(l *Ledger, e *Entry, m *message.Response, d *debt) {
	l.greeted(d)
	if d == nil || d.Method != "session/prompt" || !e.Answers {
		return
	}
	if a.prompts[d.room] == d {
		delete(a.prompts, d.room)
	}
	as, reason := AgentDone, text(m.Result, "stopReason")
	if m.Error != nil {
		as, reason = AgentFailed, clip(m.Error.Message)
	}
	if len(a.prompts) == 0 {
		l.ends(as, reason)
	}
}

func (a *acp) forgotten(d *debt) {
	if a.prompts[d.room] == d {
		delete(a.prompts, d.room)
	}
}
