package ledger

import (
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// claude keeps track of Claude Code's stream-json: a user record begins a turn and a
// result ends it, though not the run. There is one turn at a time.
type claude struct{ words }

// claudeRoom is where that turn runs.
const claudeRoom = ""

func (claude) habits() (ready, inTurn bool) { return false, true }

// side tells whose a user record is: the agent sends those that hold the results of
// tools, and repeats the host's with isReplay.
func (claude) side(r *message.Request) parley.Side {
	switch r.Method {
	case "mcp_message":
		return innerSide(r.Params)
	case "user":
	default:
		return parley.SideUnknown
	}
	if mentions(r.Params, "isReplay") && isSet(r.Params, "isReplay") || mentions(r.Params, "tool_result") && holdsToolResult(r.Params) {
		return parley.SideServer
	}
	return parley.SideClient
}

// innerSide tells who sends an MCP message inside a control request. The agent is the
// client there: it asks for tools, and is asked for what clients have.
func innerSide(params message.Raw) parley.Side {
	in, _ := params.Member("message")
	method, _, _ := strings.Cut(text(in, "method"), "/")
	switch method {
	case "initialize", "server", "tools", "resources", "prompts", "completion", "logging":
		return parley.SideServer
	case "sampling", "roots", "elicitation":
		return parley.SideClient
	case "notifications":
		switch text(in, "method") {
		case "notifications/initialized", "notifications/roots/list_changed":
			return parley.SideServer
		case "notifications/cancelled", "notifications/progress":
			return parley.SideUnknown
		}
		return parley.SideClient
	}
	return parley.SideUnknown
}

// holdsToolResult reports whether a message has a block that is the result of a tool.
func holdsToolResult(params message.Raw) bool {
	in, _ := params.Member("message")
	content, _ := in.Member("content")
	var blocks []struct {
		Type string `json:"type"`
	}
	if content.Decode(&blocks) != nil {
		return false // it is a text
	}
	for _, b := range blocks {
		if b.Type == "tool_result" {
			return true
		}
	}
	return false
}

func (claude) opens(l *Ledger, e *Entry, r *message.Request, d *debt) {
	e.Kind = KindControlRequest
	switch r.Method {
	case "can_use_tool":
		d.What = l.keep(d, text(r.Params, "tool_name"))
	case "hook_callback":
		d.What = l.keep(d, text(r.Params, "callback_id"))
	case "mcp_message":
		d.What = l.keep(d, text(r.Params, "server_name"))
	case "interrupt":
		if t := l.turn(claudeRoom); t != nil {
			t.cancelling = true
		}
	}
	if d.From == parley.SideServer {
		d.turn = l.turn(claudeRoom)
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
		query := !mentions(r.Params, "shouldQuery")
		if !query {
			value, _ := r.Params.Member("shouldQuery")
			query = string(value) != "false"
		}
		if e.From == parley.SideClient && query {
			l.begins(claudeRoom)
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
		l.begins(claudeRoom)
	case "session_state_changed":
		switch text(params, "state") {
		case "running":
			l.begins(claudeRoom).flagged = 0
		case "requires_action":
			l.begins(claudeRoom).flagged = parley.WaitApproval
		case "idle":
			l.ends(claudeRoom, AgentIdle, "")
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
	as := AgentDone
	t := l.begins(claudeRoom)
	switch {
	case t.cancelling:
		reason = "interrupted"
	case isSet(params, "is_error"):
		as = AgentFailed
	}
	l.ends(claudeRoom, as, reason)
}

func (c claude) reply(l *Ledger, e *Entry, m *message.Response, d *debt) {
	e.Kind = KindControlResponse
	if d == nil || d.Method != "initialize" || m.Error != nil {
		return
	}
	for _, member := range []string{"pending_permission_requests", "pending_user_dialog_requests", "pending_elicitation_requests"} {
		c.pending(l, e, m.Result, member)
	}
}

func (claude) gone(l *Ledger, d *debt, m *message.Response) {
	l.greeted(d)
	if t := l.turn(claudeRoom); t != nil && d.Method == "interrupt" && (m == nil || m.Error != nil) {
		t.cancelling = false
	}
}

// pending opens the debts that were made before this stream began. A host that joins
// later is told of them in the answer to its initialize, and so is one that knows them.
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
		if known, _ := l.book.find(e.From, r.ID); known != nil && known.State == StateOpen {
			continue
		}
		part := Entry{N: e.N, At: e.At, From: e.From, Latency: Untimed, Message: m}
		l.call(&part, &l.book, r)
		part.Because = BecausePending
		e.Parts = append(e.Parts, part)
	}
}
