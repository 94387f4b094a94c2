package ledger

import "fmt"

// Why says in words by which rule the entry is what it is.
func (e *Entry) Why() string {
	switch e.Because {
	case BecauseNothing:
		return ""
	case BecauseCall:
		return "it has an id: the " + e.OwedBy.String() + " owes an answer"
	case BecauseNoBatch:
		return "it stands in a batch, which the dialect does not have: it is refused with it, and owed nothing"
	case BecauseNote:
		return "it has no id: nobody waits for an answer"
	case BecauseBatch:
		return e.batch()
	case BecauseEvent:
		return "it is an event: nobody waits for an answer"
	case BecauseKeepAlive:
		return "it is a sign of life and says nothing"
	case BecauseProcess:
		return "it is no record of either side: " + e.What
	case BecauseBlank:
		return "a blank line says nothing"
	case BecauseInvalid:
		return e.invalid()
	case BecauseReused:
		return fmt.Sprintf("it has an id that is open since record %d: the %s owes an answer to both", e.About, e.OwedBy)
	case BecauseAcknowledged:
		return fmt.Sprintf("it acknowledges the note in record %d, which wanted no answer", e.About)
	case BecauseCancel:
		return fmt.Sprintf("it takes back record %d", e.About)
	case BecauseCancelNothing:
		return e.cancelsNothing()
	case BecauseWithdraw:
		return e.withdraws()
	case BecauseProgress:
		return fmt.Sprintf("it reports on record %d", e.About)
	case BecauseProgressLate:
		return fmt.Sprintf("it reports on record %d, which is %s since record %d", e.About, e.AboutState, e.AboutBy)
	case BecauseInputRequired:
		return fmt.Sprintf("it answers record %d with a wish for input: the %s owes the call again, with the input", e.About, e.OwedBy)
	case BecauseRetry:
		return fmt.Sprintf("it brings the input that record %d asked for: the %s owes an answer", e.About, e.OwedBy)
	case BecauseStream:
		return "it stays open for as long as its notes are wanted"
	case BecausePending:
		return fmt.Sprintf("it was asked before this stream began: the %s owes an answer", e.OwedBy)
	case BecauseReply, BecauseSameValue, BecauseBadReply, BecauseRefusal, BecauseOrphan, BecauseAmbiguous,
		BecauseDuplicate, BecauseLate:
	}
	return e.whyAnswer()
}

// whyAnswer is Why for an answer.
func (e *Entry) whyAnswer() string {
	switch e.Because { //nolint:exhaustive // Why has the others
	case BecauseSameValue:
		return fmt.Sprintf("it answers record %d, though its id is written in another way there", e.About)
	case BecauseBadReply:
		return fmt.Sprintf("it is no good answer, but names record %d, which fails by it", e.About)
	case BecauseRefusal:
		if e.About == 0 {
			return "it refuses a record that named no call"
		}
		if e.Answers {
			return fmt.Sprintf("it refuses record %d, without its id", e.About)
		}
		return fmt.Sprintf("it refuses a record that named no call, most likely record %d", e.About)
	case BecauseOrphan:
		return "no call of the other side has this id: it answers nothing"
	case BecauseAmbiguous:
		return "open calls have its id, each written in another way: it is not clear which one it answers"
	case BecauseDuplicate:
		return fmt.Sprintf("record %d was answered before, by record %d: it answers nothing", e.About, e.AboutBy)
	case BecauseLate:
		return fmt.Sprintf("it answers record %d, which was %s by record %d: it comes too late", e.About, e.AboutState, e.AboutBy)
	}
	if e.State == StateCancelled && e.AboutBy != 0 {
		return fmt.Sprintf("it answers record %d, which was cancelled by record %d", e.About, e.AboutBy)
	}
	return fmt.Sprintf("it answers record %d", e.About)
}

// invalid is Why for what is no message.
func (e *Entry) invalid() string {
	why := "it is no message"
	if e.Err != nil {
		why += ": " + e.Err.Error()
	}
	if e.MustAnswer {
		why += "; it names a call, so the " + e.OwedBy.String() + " owes a refusal"
	}
	return why
}

// batch is Why for a batch.
func (e *Entry) batch() string {
	asks, answers := 0, 0
	for i := range e.Parts {
		if e.Parts[i].MustAnswer {
			asks++
		}
		if e.Parts[i].Answers {
			answers++
		}
	}
	return fmt.Sprintf("it is a batch of %d: %d want an answer, and %d are one", len(e.Parts), asks, answers)
}

func (e *Entry) cancelsNothing() string {
	switch {
	case e.About == 0:
		return "it takes back what nobody asked"
	case e.AboutState == StateOpen:
		return fmt.Sprintf("it takes back record %d, which record %d has done before", e.About, e.AboutBy)
	}
	return fmt.Sprintf("it takes back record %d, which is %s since record %d", e.About, e.AboutState, e.AboutBy)
}

func (e *Entry) withdraws() string {
	if e.AboutState == StateOpen {
		return fmt.Sprintf("record %d needs no answer any more", e.About)
	}
	return fmt.Sprintf("record %d needs no answer any more; it is %s since record %d", e.About, e.AboutState, e.AboutBy)
}
