package ledger

import (
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// An AgentState says what the server is doing, as far as its records tell. For a server
// that has no turns it says whether it owes anything.
type AgentState uint8

// The states of an agent, from facts that differ by dialect: an open prompt (ACP), turn
// and thread notes (Codex), user and result records (Claude), open calls (all others).
// Of several turns at once the one counts that needs a person most.
const (
	AgentStarting        AgentState = iota // the handshake is not done
	AgentIdle                              // waits for something to do
	AgentRunning                           // works
	AgentWaitingApproval                   // waits until a person allows something
	AgentWaitingInput                      // waits until a person says something
	AgentCancelling                        // was told to stop, and has not stopped yet
	AgentDone                              // ended its turn
	AgentFailed                            // ended its turn with an error
	AgentExited                            // its process has ended
)

var agentNames = [...]string{
	"starting", "idle", "running", "waiting for approval", "waiting for input", "cancelling", "done", "failed", "exited",
}

// String returns the state in words.
func (s AgentState) String() string { return agentNames[s] }

// An Agent is what a server is doing.
type Agent struct {
	State  AgentState
	Since  int64         // the record that made it so, 0 before the first
	At     time.Duration // when, or Untimed
	Reason string        // why it is done, failed or exited: a stop reason, an exit code
	Turn   string        // what it works on, if it is one thing and the dialect names it

	// Waiting are the debts that it waits for, if it waits for a person.
	Waiting []Debt
}

// agent is what is known of a server. Its state is what follows from it, in one place.
type agent struct {
	begun  bool // the first message that counts was seen
	ready  bool // there was a handshake, or there is none
	inTurn bool // it works in turns
	exited bool

	turns  map[string]*turn // those that run, by session or thread
	loose  [3]int           // open debts outside of turns that wait for a person, by parley.Wait
	over   AgentState       // how the last turn ended; 0 before
	reason string           // and why

	last  AgentState
	since int64
	at    time.Duration
}

// A turn is work that an agent has been given: a prompt, and all until it is done.
type turn struct {
	name       string
	prompts    []*debt // open calls that the turn is about
	told       bool    // the agent has said that it runs
	cancelling bool
	flagged    parley.Wait // the agent says itself that it waits
	waits      [3]int      // its open debts that wait for a person
	ended      bool
}

// maxTurns bounds how many turns are followed at once.
const maxTurns = 1024

// count adds to the debts that wait for a person.
func (a *agent) count(d *debt, n int) {
	if d.turn != nil {
		d.turn.waits[d.Wait] += n
		return
	}
	a.loose[d.Wait] += n
}

// waitsFor tells what a turn waits for, an approval before all else.
func (t *turn) waitsFor() parley.Wait {
	switch {
	case t.waits[parley.WaitApproval] > 0 || t.flagged == parley.WaitApproval:
		return parley.WaitApproval
	case t.waits[parley.WaitInput] > 0 || t.flagged == parley.WaitInput:
		return parley.WaitInput
	}
	return 0
}

// state tells what the server is doing. The end of its process beats everything, and of
// one turn, being told to stop beats what it waits for.
func (l *Ledger) state() AgentState {
	a := &l.agent
	if a.exited {
		return AgentExited
	}
	if !a.ready && len(a.turns) == 0 {
		return AgentStarting
	}
	waits, works := a.loose, 0
	for _, t := range a.turns {
		if t.cancelling {
			continue
		}
		works++
		if w := t.waitsFor(); w != 0 {
			waits[w]++
		}
	}
	switch {
	case waits[parley.WaitApproval] > 0:
		return AgentWaitingApproval
	case waits[parley.WaitInput] > 0:
		return AgentWaitingInput
	case works > 0 || !a.inTurn && l.debts.open[parley.SideClient].len > 0:
		return AgentRunning
	case len(a.turns) > 0:
		return AgentCancelling
	case a.over != 0:
		return a.over
	}
	return AgentIdle
}

// follow notes since when the server is doing what it does.
func (l *Ledger) follow(e *Entry) {
	a := &l.agent
	if e.Agent = l.state(); e.Agent != a.last || a.since == 0 {
		a.last, a.since, a.at = e.Agent, e.N, e.At
	}
	for i := range e.Parts {
		e.Parts[i].Agent = e.Agent
	}
}

// Agent returns what the server is doing after the last record.
func (l *Ledger) Agent() Agent {
	a := Agent{State: l.state(), Since: l.agent.since, At: l.agent.at}
	if len(l.agent.turns) == 1 {
		for _, t := range l.agent.turns {
			a.Turn = t.name
		}
	}
	switch a.State {
	case AgentDone, AgentFailed, AgentExited:
		a.Reason = l.agent.reason
	case AgentWaitingApproval, AgentWaitingInput:
		for d := range l.debts.open[parley.SideServer].each() {
			if d.Wait != 0 && !d.over() && (d.turn == nil || !d.turn.cancelling) {
				a.Waiting = append(a.Waiting, d.Debt)
			}
		}
	case AgentStarting, AgentIdle, AgentRunning, AgentCancelling:
	}
	return a
}

// turn returns the turn that runs in a room, nil if there is none.
func (l *Ledger) turn(room string) *turn { return l.agent.turns[room] }

// begins returns the turn that runs in a room, and has one begin if there is none. Past
// maxTurns it is not followed.
func (l *Ledger) begins(room string) *turn {
	a := &l.agent
	a.ready, a.over, a.reason = true, 0, ""
	t := a.turns[room]
	if t == nil {
		if t = new(turn); len(a.turns) < maxTurns {
			if a.turns == nil {
				a.turns = make(map[string]*turn)
			}
			a.turns[room] = t
		}
	}
	return t
}

// ends notes that the turn in a room has ended. What it waited for may stay open, but the
// agent does not wait for it any more.
func (l *Ledger) ends(room string, as AgentState, reason string) {
	t := l.agent.turns[room]
	if t == nil {
		return
	}
	t.ended = true
	delete(l.agent.turns, room)
	l.agent.over, l.agent.reason = as, reason
}

// belongs notes to which turn a debt of the client belongs.
func (l *Ledger) belongs(d *debt, room string) {
	if d.turn = l.agent.turns[room]; d.turn != nil && len(d.turn.prompts) > 0 && d.Owes == parley.SideClient {
		d.putBehind(d.turn.prompts[len(d.turn.prompts)-1])
	}
}

// process reads what a process did.
func (l *Ledger) process(e *Entry, raw message.Raw) {
	if e.What != "exit" {
		return
	}
	l.agent.exited, l.agent.reason = true, ""
	code, _ := raw.Member("code")
	signal := text(raw, "signal")
	switch {
	case signal != "":
		l.agent.reason = "signal " + signal
	case len(code) > 0 && string(code) != "null":
		l.agent.reason = "code " + clip(string(code))
	}
}
