package ledger

import (
	"bytes"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A tracker is what a protocol has beyond calls and answers: turns, retries, streams.
// It is the one place where the ledger knows a protocol by its name. Its methods are
// called when the ledger itself has read the message.
type tracker interface {
	// habits tells whether there is no handshake to wait for, and whether the server
	// works in turns that are no open calls.
	habits() (ready, inTurn bool)
	// side tells who sent a request that either side could send.
	side(r *message.Request) parley.Side
	// opens follows a call. It says to which turn the debt belongs and what it waits
	// for, as far as the words of the dialect do not.
	opens(l *Ledger, e *Entry, r *message.Request, d *debt)
	// note and reply follow a message; the debt of a reply is nil if it is an orphan,
	// and may have been settled before.
	note(l *Ledger, e *Entry, r *message.Request)
	reply(l *Ledger, e *Entry, m *message.Response, d *debt)
	// outcome is the state of an open debt that is answered with a result.
	outcome(m *message.Response, d *debt) State
	// gone says that a debt is settled, by m if that is not nil, or forgotten, which its
	// state tells. It is called for each debt once.
	gone(l *Ledger, d *debt, m *message.Response)
}

// trackerOf returns what keeps track of a dialect.
func trackerOf(name string) tracker {
	switch name {
	case "mcp", "mcp-legacy", "mcp-modern":
		return new(mcp)
	case "lsp":
		return lsp{}
	case "acp":
		return acp{}
	case "codex":
		return codex{}
	case "claude":
		return claude{}
	case "stream":
		return events{}
	}
	return words{}
}

// events is a stream that calls nothing by name. Its codec names records that have no
// name of their own.
type events struct{ words }

func (events) note(_ *Ledger, e *Entry, r *message.Request) {
	e.Kind, e.Because = KindEvent, BecauseEvent
	if e.Method == "event" && !mentions(r.Params, `"event"`) {
		e.Method = ""
	}
}

// words is a dialect that is all in its [parley.Dialect].
type words struct{}

func (words) habits() (ready, inTurn bool)                           { return true, false }
func (words) side(*message.Request) parley.Side                      { return parley.SideUnknown }
func (words) opens(l *Ledger, _ *Entry, _ *message.Request, d *debt) { l.nest(d) }
func (words) note(*Ledger, *Entry, *message.Request)                 {}
func (words) reply(*Ledger, *Entry, *message.Response, *debt)        {}
func (words) outcome(*message.Response, *debt) State                 { return StateAnswered }
func (words) gone(*Ledger, *debt, *message.Response)                 {}

// lsp has a handshake, and nothing else that is not in its words.
type lsp struct{ words }

func (lsp) habits() (ready, inTurn bool) { return false, false }

func (lsp) gone(l *Ledger, d *debt, _ *message.Response) { l.greeted(d) }

// greeted ends the handshake if d is its call. A refused one ends it, too: whatever
// comes now is no handshake any more.
func (l *Ledger) greeted(d *debt) {
	if d.Method == "initialize" && d.From == parley.SideClient {
		l.agent.ready = true
	}
}

// text returns what a member of an object says, "" if it is no string.
func text(r message.Raw, path ...string) string {
	for _, name := range path {
		var ok bool
		if r, ok = r.Member(name); !ok {
			return ""
		}
	}
	return plainText(r)
}

// plainText returns what a JSON string says, at most longestText bytes of it.
func plainText(r message.Raw) string {
	if len(r) < 2 || r[0] != '"' {
		return ""
	}
	if inside := r[1 : len(r)-1]; bytes.IndexByte(inside, '\\') < 0 {
		return clip(string(inside[:min(len(inside), 2*longestText)]))
	}
	var s string
	if r.Decode(&s) != nil {
		return ""
	}
	return clip(s)
}

// isSet reports whether a member of an object is true.
func isSet(r message.Raw, name string) bool {
	value, _ := r.Member(name)
	return string(value) == "true"
}

// mentions tells quickly that an object cannot have a member of this name, without
// reading it.
func mentions(r message.Raw, name string) bool { return bytes.Contains(r, []byte(name)) }
