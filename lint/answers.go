package lint

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// The rules about calls and their answers. The ledger knows; they put it into words.
var answerRules = []*Rule{
	idReused, answerToNothing, secondAnswer, answerIDType, lateProgress, neverAnswered, cancelNotAnswered, answerAfterCancel,
}

var idReused = &Rule{
	ID: "id-reused", Severity: Error, Title: "an id that is open already",
	Doc: sentence(
		"Two requests of one side have the same id at the same time, so that nobody can tell whose an answer is: one caller",
		"gets the other's, or none. An id may be used again once it is answered. Where the recording does not say who sent",
		"what, the second request may be the other side's, which numbers by itself; then this is a warning."),
	Fix:    "count ids up",
	Source: "JSON-RPC 2.0, section 4 (to correlate); MCP, requests: ids are unique among those in flight",
	entry: func(p *pass) {
		e := p.entry
		switch {
		case e.Because == ledger.BecauseReused:
			p.member(p.idPointer(), "id "+shownID(e.ID)+" is that of the request"+p.places.ofLine(e.About)+", which is open")
		case e.Kind == ledger.KindRequest && e.Inferred && e.From == parley.SideServer && !p.answered && p.vocabulary().words[e.Method].From == parley.SideUnknown:
			f := p.finding(p.rule, 0, "/id", "id "+shownID(e.ID)+" is that of another request that is open, if both are of one side")
			p.add(f.as(Warning))
		}
	},
}

var answerToNothing = &Rule{
	ID: "answer-to-nothing", Severity: Error, Title: "an answer to a notification, or to nothing",
	Doc: sentence(
		"No request of the other side has this id. Notifications must not be answered, not even with an error: strict clients",
		"close the connection. An answer that comes before anything was asked may belong to a time before the recording",
		"began; it is an info then, and not reported where the other side is not in the recording at all. It is an info too",
		"where more requests are open than lint follows."),
	Fix:    "answer requests only, each with its own id, digit for digit",
	Source: "JSON-RPC 2.0, sections 4.1 and 5",
	entry: func(p *pass) {
		e := p.entry
		switch e.Because {
		case ledger.BecauseOrphan:
			p.orphan("id " + shownID(e.ID) + " answers no request")
		case ledger.BecauseAmbiguous:
			p.orphan("id " + shownID(e.ID) + " could be that of several requests, and is written as none of them")
		case ledger.BecauseRefusal:
			if e.About == 0 && !p.batched {
				p.orphan("an error without an id, though no record before it is bad: does it answer a notification?")
			}
		default:
		}
	},
	end: func(p *pass) {
		for _, o := range p.orphans {
			if p.knows(o.from) {
				o.finding.Severity = Info
				o.finding.Message += " in this recording"
				p.add(o.finding)
			}
		}
	},
}

// An orphan is an answer to nothing that came before the other side had said anything.
type orphan struct {
	from    parley.Side
	finding Finding
}

// maxOrphans bounds how many of them are kept.
const maxOrphans = 64

// orphan reports an answer to nothing, or keeps it until it is known whether the other
// side is in the recording: a recording of what a server wrote is full of answers to
// requests that are not in it, and none of them is at fault.
func (p *pass) orphan(text string) {
	f := p.finding(p.rule, offsetOf(p.text, p.whole(p.idPointer())), p.idPointer(), text)
	if p.ledger.Counts().Forgotten > 0 {
		f = f.as(Info)
		f.Message += " that is still known"
	}
	if p.knows(p.entry.From) {
		p.add(f)
	} else if len(p.orphans) < maxOrphans {
		p.orphans = append(p.orphans, orphan{p.entry.From, f})
	}
}

// knows reports whether the side that a side answers to is in the recording. Where nobody
// says who sent what, a request must have been seen.
func (l *Linter) knows(from parley.Side) bool {
	if from == parley.SideUnknown {
		return l.asked[parley.SideClient] || l.asked[parley.SideServer]
	}
	return l.spoke[from.Other()]
}

var secondAnswer = &Rule{
	ID: "second-answer", Severity: Error, Title: "a second answer to one request",
	Doc: sentence(
		"The request was answered before. The second answer is dropped, or, if its id has been given again by then, settles",
		"another call. It comes from a handler that answers and then fails, or from two places that both answer."),
	Fix:    "answer each request once, whatever happens after the answer",
	Source: "JSON-RPC 2.0, section 5",
	entry: func(p *pass) {
		// An error with id null is about a bad record, whatever else has had that id.
		if e := p.entry; e.Because == ledger.BecauseDuplicate && (e.Kind != ledger.KindError || !e.ID.IsNull()) {
			p.member(p.idPointer(), "the request"+p.places.ofLine(e.About)+" was answered before"+p.places.onLine(e.AboutBy))
		}
	},
}

var answerIDType = &Rule{
	ID: "answer-id-type", Severity: Error, Title: "an answer whose id is of another type",
	Doc: sentence(
		`The request has the id 1 and the answer "1" or 1.0. The id must come back as it was sent. Many clients compare it by`,
		"type and text, drop the answer, and wait until their timeout."),
	Fix:    "keep the id of a request as the text that it came in, and send that",
	Source: "JSON-RPC 2.0, section 5",
	entry: func(p *pass) {
		if e := p.entry; e.Because == ledger.BecauseSameValue && e.Answers {
			p.member(p.idPointer(), "id "+shownID(e.ID)+" is not written as in the request"+p.places.ofLine(e.About))
		}
	},
}

var lateProgress = &Rule{
	ID: "late-progress", Severity: Error, Title: "progress after the answer",
	Doc: sentence(
		"Progress ends with the answer. A token that is not known any more is an error to some clients, which close the",
		"connection. After a cancellation it is an info: whoever reports may not have read that yet."),
	Fix:    "write the last progress before the answer, by the same way",
	Source: "MCP, progress: notifications must stop after completion",
	entry: func(p *pass) {
		e := p.entry
		if e.Because != ledger.BecauseProgressLate {
			return
		}
		f := p.finding(p.rule, 0, "", "progress on the request"+p.places.ofLine(e.About)+", which was "+e.AboutState.String()+p.places.onLine(e.AboutBy))
		if over := e.AboutState == ledger.StateCancelled || e.AboutState == ledger.StateWithdrawn; over && !p.belated[e.About] {
			f = f.as(Info)
		}
		p.add(f)
	},
}

var neverAnswered = &Rule{
	ID: "never-answered", Severity: Error, Title: "a request that is never answered",
	Doc: sentence(
		"The recording ends and the answer has not come: somebody waits for it. Where the side that owes it does not appear",
		"at all, it is an info, since most likely one direction was recorded. It stays an error where the recording says who",
		"wrote what, or what a process did: then that side was there and kept silent, or had died. If more requests are",
		"open than lint follows, an info at the end says how many."),
	Fix:    "answer every request, with an error if it must be; parley explain shows what it waits for",
	Source: "JSON-RPC 2.0, section 5",
	end: func(p *pass) {
		p.debts(func(d *ledger.Debt) {
			if d.EndedBy == 0 {
				p.owed(d, "is never answered by the "+d.Owes.String())
			}
		})
	},
}

var cancelNotAnswered = &Rule{
	ID: "cancel-not-answered", Severity: Error, Title: "a cancelled request that is never answered",
	Doc: sentence(
		"In LSP and ACP a request that was taken back is still answered, with what there is or with -32800; in ACP,",
		"session/cancel leaves the client to answer every permission that is open with the outcome cancelled. In MCP a",
		"cancelled request gets no answer."),
	Fix:    "answer it with -32800, in ACP a prompt with stopReason cancelled and a permission with the outcome cancelled",
	Source: "LSP, $/cancelRequest; ACP, cancellation",
	end: func(p *pass) {
		p.debts(func(d *ledger.Debt) {
			if d.EndedBy != 0 {
				p.owed(d, "was cancelled"+p.places.onLine(d.EndedBy)+" and is never answered by the "+d.Owes.String())
			}
		})
	},
}

// debts goes over what is still owed, each record once: a message inside a message fails
// with the one around it. What is meant to stay open is no debt at the end. A permission
// that was open when its turn was cancelled counts as cancelled itself, though no record
// names it (ACP, "Cancellation").
func (p *pass) debts(each func(*ledger.Debt)) {
	var before int64
	for _, d := range p.ledger.Open() {
		inner := d.Scope != "" && d.N == before
		before = d.N
		if d.Stream || inner {
			continue
		}
		if d.EndedBy == 0 && p.stop > d.N && d.Wait == parley.WaitApproval && d.Owes == parley.SideClient && p.dialect.Name == "acp" {
			d.EndedBy = p.stop
		}
		each(&d)
	}
}

// owed reports a debt at the place of the request. It is less than an error where the
// side that owes it is not in the recording, or may be right not to answer.
func (p *pass) owed(d *ledger.Debt, fate string) {
	at, known := p.places.of(d.N)
	if !known {
		at = p.last
	}
	if at.refused || p.emptied[d.ID] || p.words.words[d.Method].Note {
		return // that it is not answered comes from a fault that was reported
	}
	p.place = at
	f := p.finding(p.rule, 0, "", d.Name()+" "+fate)
	switch {
	case d.ID.IsZero():
		f.Message = "input was required for " + d.Method + ", and the call was not made again"
		f = f.as(Warning)
	case d.Method == "request_user_dialog" && p.dialect.Name == "claude":
		f.Message += "; a dialog of a kind that the host did not declare must not be"
		f = f.as(Info)
	case p.spoke[d.Owes]:
	case p.told:
		f.Message += ", who says nothing at all"
	default:
		f.Message += ", who is not in this recording"
		f = f.as(Info)
	}
	p.add(f)
}

var answerAfterCancel = &Rule{
	ID: "answer-after-cancel", Severity: Info, Title: "an answer after the cancellation",
	Doc: sentence(
		"In MCP a cancelled request should not be answered, and in Claude's stream-json the answer to a control request that",
		"was taken back is dropped. The two may have met on the way, so that this is an info."),
	Fix:    "check before the answer is written whether the request was cancelled",
	Source: "MCP, cancellation; Claude Code, control_cancel_request",
	entry: func(p *pass) {
		if e := p.entry; e.Because == ledger.BecauseLate {
			p.member(p.idPointer(), "the request"+p.places.ofLine(e.About)+" was "+e.AboutState.String()+p.places.onLine(e.AboutBy))
		}
	},
}

// idPointer is where the dialect has the id of a message.
func (p *pass) idPointer() string {
	if p.jsonrpc() {
		return "/id"
	}
	if _, reply := p.entry.Message.(*message.Response); reply {
		return "/response/request_id"
	}
	return "/request_id"
}

// shownID returns an id for a message.
func shownID(id message.ID) string {
	const most = 40
	text := id.String()
	if len(text) > most {
		return excerpt([]byte(text))
	}
	return text
}
