package main

import (
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/query"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/recording"
)

// An account is all that a view is told of one record. What it points to is good until
// the next one.
type account struct {
	ledger.Entry
	dialect *parley.Dialect
	raw     []byte
	fates   *fates // nil: the end of the stream is not known yet
}

// A view shows accounts. It knows nothing of where they come from.
type view interface {
	// begin is told what the stream is taken for, before the first account.
	begin(of *origin) error
	show(a *account) error
	// idle is called when nothing more is there for the moment: what was shown must be
	// seen.
	idle() error
	// end is told what is left.
	end(of *ending) error
}

// An origin is what is known of a stream before its first record is shown.
type origin struct {
	dialect string
	why     string // the dialect was chosen, in words
	shape   recording.Shape
	framing frame.Framing
	timed   bool // somebody noted times
	live    bool // the end is not known: each account gives the state so far
}

// An ending is what is left when a stream has ended.
type ending struct {
	open     []ledger.Debt // the oldest first
	chain    func(serial int64) string
	agent    ledger.Agent
	counts   ledger.Counts
	inferred int64       // records whose side nobody noted
	side     parley.Side // of all of them, if that is one
	sideWhy  string      // and why
	last     time.Duration
	notes    []string // what is odd about the stream as a whole, and what to do about it
}

// fate returns what became of the debt that an entry made; of any other entry, what it
// did to another one.
func (a *account) fate(e *ledger.Entry) fate {
	switch {
	case e.Kind == ledger.KindBatch && len(e.Parts) > 0:
		return a.batchFate(e)
	case e.Serial == 0:
		return fate{state: e.State, took: e.Latency}
	case a.fates == nil:
		return fate{state: e.State, took: ledger.Untimed}
	}
	return a.fates.of(e.Serial, e.N)
}

// batchFate sums up the messages of a batch: the one that is worst off counts, and what
// is said of more than one holds for all of them.
func (a *account) batchFate(e *ledger.Entry) fate {
	worst := [...]int{
		ledger.StateNone: 0, ledger.StateAnswered: 1, ledger.StateFailed: 2, ledger.StateCancelled: 3,
		ledger.StateWithdrawn: 4, ledger.StateLate: 5, ledger.StateOrphan: 6, ledger.StateOpen: 7,
	}
	sum := fate{took: ledger.Untimed}
	first := true
	for i := range e.Parts {
		is := a.fate(&e.Parts[i])
		if is.state == ledger.StateNone {
			continue
		}
		if worst[is.state] > worst[sum.state] {
			sum.state = is.state
		}
		if first {
			sum.by, sum.endedBy = is.by, is.endedBy
		}
		if sum.by != is.by {
			sum.by = 0
		}
		if sum.endedBy != is.endedBy {
			sum.endedBy = 0
		}
		sum.took = max(sum.took, is.took)
		first = false
	}
	return sum
}

// shown reports whether a query shows the record: for itself, or for a message in it.
func (a *account) shown(q query.Query) bool {
	return q.IsZero() || a.matches(q, &a.Entry)
}

func (a *account) matches(q query.Query, e *ledger.Entry) bool {
	for i := range e.Parts {
		if a.matches(q, &e.Parts[i]) {
			return true
		}
	}
	is := a.fate(e)
	f := query.Fields{
		Method:   methodOf(e),
		ID:       e.ID.String(),
		Kind:     e.Kind.String(),
		From:     e.From.String(),
		Status:   is.state.String(),
		Took:     is.took,
		Error:    e.Kind == ledger.KindError || is.state == ledger.StateFailed,
		Approval: e.MustAnswer && a.dialect.Waits[e.Method] == parley.WaitApproval,
		Input:    e.MustAnswer && a.dialect.Waits[e.Method] == parley.WaitInput,
	}
	if e.MustAnswer {
		f.OwedBy = e.OwedBy.String()
	}
	return q.Match(&f)
}

// methodOf is the method of an entry; that of a batch is what all its messages share.
func methodOf(e *ledger.Entry) string {
	if e.Kind != ledger.KindBatch || len(e.Parts) == 0 {
		return e.Method
	}
	for i := range e.Parts {
		if e.Parts[i].Method != e.Parts[0].Method {
			return ""
		}
	}
	return e.Parts[0].Method
}
