package ledger

import (
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// codex keeps track of the Codex app-server, which answers turn/start at once and tells
// in notes how the turn goes. A turn is told from another by its thread.
type codex struct{ words }

func (codex) habits() (ready, inTurn bool) { return false, true }

func (codex) opens(l *Ledger, _ *Entry, r *message.Request, d *debt) {
	thread := clip(text(r.Params, "threadId"))
	switch r.Method {
	case "turn/start", "review/start":
		t := l.begins(thread)
		d.turn, d.inside = t, l.keep(d, thread)
		t.prompts = append(t.prompts, d)
		return
	case "turn/interrupt":
		if d.inside = l.keep(d, thread); l.turn(thread) != nil {
			l.turn(thread).cancelling = true
		}
	case "item/commandExecution/requestApproval":
		d.What = l.keep(d, text(r.Params, "command"))
	}
	if d.From == parley.SideServer {
		d.turn = l.turn(thread)
	}
}

func (codex) note(l *Ledger, _ *Entry, r *message.Request) {
	switch r.Method {
	case "turn/started":
		t := l.begins(clip(text(r.Params, "threadId")))
		t.told, t.name = true, text(r.Params, "turn", "id")
	case "turn/completed":
		as, status := AgentDone, text(r.Params, "turn", "status")
		if status == "failed" {
			as = AgentFailed
		}
		thread := clip(text(r.Params, "threadId"))
		if l.turn(thread) == nil && len(l.agent.turns) == 0 {
			l.agent.over, l.agent.reason = as, status // its thread said that it is idle before
		}
		l.ends(thread, as, status)
	case "thread/status/changed":
		thread := clip(text(r.Params, "threadId"))
		status, _ := r.Params.Member("status")
		threadStatus(l, thread, status)
	case "thread/closed":
		l.ends(clip(text(r.Params, "threadId")), AgentIdle, "")
	}
}

// threadStatus reads what the agent says of a thread. Its flags count until something
// that waited is answered: the note that takes them back comes after that.
func threadStatus(l *Ledger, thread string, status message.Raw) {
	switch kind := text(status, "type"); kind {
	case "active":
		t := l.begins(thread)
		t.told, t.flagged = true, flagOf(status)
	case "systemError":
		l.ends(thread, AgentFailed, kind)
	default:
		// The note that says how the turn ended comes next, or came before.
		l.ends(thread, AgentIdle, "")
	}
}

// flagOf tells for what an active thread waits, an approval before all else.
func flagOf(status message.Raw) parley.Wait {
	list, _ := status.Member("activeFlags")
	var flags []string
	if list.Decode(&flags) != nil {
		return 0
	}
	switch {
	case slices.Contains(flags, "waitingOnApproval"):
		return parley.WaitApproval
	case slices.Contains(flags, "waitingOnUserInput"):
		return parley.WaitInput
	}
	return 0
}

func (codex) gone(l *Ledger, d *debt, m *message.Response) {
	l.greeted(d)
	failed := m == nil || m.Error != nil
	switch d.Method {
	case "turn/interrupt":
		if t := l.turn(d.inside); t != nil && failed {
			t.cancelling = false
		}
	case "turn/start", "review/start":
		t := d.turn
		if t == nil {
			return
		}
		t.prompts = slices.DeleteFunc(t.prompts, func(p *debt) bool { return p == d })
		if !failed {
			t.told = true
			// A review may run in a thread of its own.
			if other := clip(text(m.Result, "reviewThreadId")); other != "" && other != d.inside {
				l.ends(d.inside, AgentIdle, "")
				l.begins(other).told = true
			}
			return
		}
		if len(t.prompts) == 0 && !t.told {
			reason := ""
			if m != nil {
				reason = clip(m.Error.Message)
			}
			l.ends(d.inside, AgentFailed, reason)
		}
	}
}
