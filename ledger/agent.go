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
	Turn   string        // what it works on, if the dialect names that

	// Waiting are the debts that it waits for, if it waits for a person.
	Waiting []Debt
}

// agent is what is known of a server. Its state is what follows from it, in one place.
type agent struct {
	begun  bool // the first message was seen
	ready  bool // there was a handshake, or there is none
	turns  bool // it works in turns
	exited bool

	turn       string // the turn that is running
	running    bool
	cancelling bool
	flagged    parley.Wait // the agent says itself that it waits
	waits      [3]int      // open debts that wait for a person, by parley.Wait
	over       AgentState  // AgentDone or AgentFailed after a turn
	reason     string

	last  AgentState
	since int64
	at    time.Duration
}

// state tells what the server is doing. The end of its process beats everything, and
// what it was told beats what it waits for.
func (l *Ledger) state() AgentState {
	a := &l.agent
	switch {
	case a.exited:
		return AgentExited
	case !a.ready:
		return AgentStarting
	case a.running && a.cancelling:
		return AgentCancelling
	case a.waits[parley.WaitApproval] > 0 || a.flagged == parley.WaitApproval:
		return AgentWaitingApproval
	case a.waits[parley.WaitInput] > 0 || a.flagged == parley.WaitInput:
		return AgentWaitingInput
	case a.running || !a.turns && l.owedBy(parley.SideServer) != nil:
		return AgentRunning
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
}

// Agent returns what the server is doing after the last record.
func (l *Ledger) Agent() Agent {
	a := Agent{State: l.state(), Since: l.agent.since, At: l.agent.at, Turn: l.agent.turn}
	switch a.State {
	case AgentDone, AgentFailed, AgentExited:
		a.Reason = l.agent.reason
	case AgentWaitingApproval, AgentWaitingInput:
		for d := range l.each(parley.SideServer) {
			if d.Wait != 0 && !d.over {
				a.Waiting = append(a.Waiting, d.Debt)
			}
		}
	case AgentStarting, AgentIdle, AgentRunning, AgentCancelling:
	}
	return a
}

// begins notes that a turn has begun.
func (l *Ledger) begins(turn string) {
	a := &l.agent
	a.running, a.ready, a.over, a.reason = true, true, 0, ""
	a.turn = turn
}

// ends notes that a turn has ended. What it waited for may stay open, but the agent does
// not wait for it any more.
func (l *Ledger) ends(as AgentState, reason string) {
	a := &l.agent
	a.running, a.cancelling, a.flagged, a.turn = false, false, 0, ""
	a.over, a.reason = as, reason
	for d := range l.each(parley.SideServer) {
		d.over = true
	}
	a.waits = [3]int{}
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
