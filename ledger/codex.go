package ledger

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// codex keeps track of the Codex app-server, which answers turn/start at once and tells
// in notes how the turn goes.
type codex struct {
	words
	active map[string]bool // threads in which a turn runs
}

// maxThreads bounds how many threads are followed at once.
const maxThreads = 1024

func (*codex) habits() (ready, turns bool) { return false, true }

func (c *codex) call(l *Ledger, _ *Entry, r *message.Request, d *debt) {
	switch r.Method {
	case "turn/start", "review/start":
		d.room = l.keep(d, text(r.Params, "threadId"))
		c.begin(l, d.room, "")
	case "turn/interrupt":
		l.agent.cancelling = true
	case "item/commandExecution/requestApproval":
		d.What = l.keep(d, text(r.Params, "command"))
	}
}

// begin notes that a turn runs in a thread.
func (c *codex) begin(l *Ledger, thread, turn string) {
	if c.active == nil || len(c.active) >= maxThreads {
		c.active = make(map[string]bool)
	}
	c.active[thread] = true
	if !l.agent.running || turn != "" {
		l.begins(turn)
	}
}

// end notes that none runs there any more.
func (c *codex) end(l *Ledger, thread string, as AgentState, reason string) {
	delete(c.active, thread)
	if len(c.active) == 0 {
		l.ends(as, reason)
	}
}

func (c *codex) note(l *Ledger, _ *Entry, r *message.Request) {
	switch r.Method {
	case "turn/started":
		c.begin(l, text(r.Params, "threadId"), text(r.Params, "turn", "id"))
	case "turn/completed":
		as, status := AgentDone, text(r.Params, "turn", "status")
		if status == "failed" {
			as = AgentFailed
		}
		c.end(l, text(r.Params, "threadId"), as, status)
	case "thread/status/changed":
		c.status(l, r.Params)
	case "thread/closed":
		c.end(l, text(r.Params, "threadId"), AgentIdle, "")
	}
}

// status reads what the agent says of a thread. Its flags count until something that
// waited is answered: the note that takes them back comes after that.
func (c *codex) status(l *Ledger, params message.Raw) {
	thread, status := text(params, "threadId"), text(params, "status", "type")
	switch status {
	case "active":
		c.begin(l, thread, "")
	case "systemError":
		c.end(l, thread, AgentFailed, status)
		return
	default:
		// The note that says how the turn ended comes next, or came before.
		if c.active[thread] {
			c.end(l, thread, AgentIdle, "")
		}
		return
	}
	l.agent.flagged = 0
	in, _ := params.Member("status")
	flags, _ := in.Member("activeFlags")
	var set []string
	if flags.Decode(&set) != nil {
		return
	}
	for _, flag := range set {
		switch flag {
		case "waitingOnApproval":
			l.agent.flagged = parley.WaitApproval
		case "waitingOnUserInput":
			if l.agent.flagged == 0 {
				l.agent.flagged = parley.WaitInput
			}
		}
	}
}

func (c *codex) reply(l *Ledger, e *Entry, m *message.Response, d *debt) {
	l.greeted(d)
	if d != nil && e.Answers && m.Error != nil && d.Method == "turn/start" {
		c.end(l, d.room, AgentFailed, clip(m.Error.Message))
	}
}
