package main

import (
	"fmt"

	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/ledger"
)

// owed says of an entry, in words: must it be answered, by whom, and was it; or what it
// settles. It is empty for what is no message of either side.
func (a *account) owed(e *ledger.Entry) string {
	switch {
	case e.Kind == ledger.KindProcess, e.Kind == ledger.KindBlank:
		return ""
	case e.Kind == ledger.KindBatch && e.Because != ledger.BecauseInvalid && len(e.Parts) > 0:
		return "" // its messages say it
	case e.Because == ledger.BecauseReused:
		return a.debt(e) + "; " + e.Why()
	case e.MustAnswer && e.Answers: // it asks for the call again
		return a.settles(e) + "; " + a.debt(e)
	case e.MustAnswer:
		return a.debt(e)
	case e.Answers:
		return a.settles(e)
	case e.Because == ledger.BecauseNote, e.Because == ledger.BecauseEvent, e.Because == ledger.BecauseNothing:
		return "nobody owes anything"
	case e.Because == ledger.BecauseInvalid:
		return "no message" // the summary says why
	}
	return term.Escape(e.Why())
}

// debt says who owes the answer to an entry, and what became of it.
func (a *account) debt(e *ledger.Entry) string {
	is := a.fate(e)
	text := "owed by " + e.OwedBy.String()
	switch {
	case is.state == ledger.StateOpen && a.fates == nil:
		return text // so far, as of every record when it comes
	case is.state == ledger.StateOpen:
		return text + ": open at the end"
	case is.endedBy != 0 && is.by != 0 && is.state != ledger.StateAnswered && is.state != ledger.StateFailed:
		text += fmt.Sprintf(": %s by %d, answered on %d", is.state, is.endedBy, is.by)
	case is.endedBy != 0 && is.by == 0:
		return text + fmt.Sprintf(": %s by %d, not answered", is.state, is.endedBy)
	case is.by != 0:
		text += fmt.Sprintf(": %s on %d", is.state, is.by)
	default:
		text += ": " + is.state.String()
	}
	return text + after(is)
}

// settles says what an answer answers.
func (a *account) settles(e *ledger.Entry) string {
	is := a.fate(e)
	is.took = e.Latency
	what := fmt.Sprintf("answers %d", e.About)
	if e.Method != "" {
		what += " (" + cut(term.Escape(e.Method), maxMethod) + ")"
	}
	switch e.Because {
	case ledger.BecauseReply, ledger.BecauseInputRequired:
		if e.State == ledger.StateCancelled {
			what += ", which was cancelled"
		}
		return what + after(is)
	case ledger.BecauseLate:
		return what + after(is) + fmt.Sprintf(": too late, it was %s by %d", e.AboutState, e.AboutBy)
	default:
		return what + after(is) + "; " + term.Escape(e.Why())
	}
}

// after says how long an answer took, if that is known.
func after(is fate) string {
	if is.took < 0 {
		return ""
	}
	return " after " + clock(is.took)
}
