package ledger

import (
	"bytes"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// wanted notes by which token a call wants to hear of its progress, in a dialect in
// which that has to be asked for.
func (l *Ledger) wanted(b *book, d *debt, r *message.Request) {
	path := b.dialect.Progress.Ask
	if len(path) == 0 || len(r.Params) == 0 {
		return
	}
	// Most calls want none, and this tells without reading their params once more.
	if !bytes.Contains(r.Params, []byte(path[len(path)-1])) {
		return
	}
	at := r.Params
	for _, name := range path {
		var ok bool
		if at, ok = at.Member(name); !ok {
			return
		}
	}
	if len(at) > longestText {
		return
	}
	if b.tokens == nil {
		b.tokens = make(map[string]*debt)
	}
	d.token = tokenKey(d.From, at)
	l.charge(d, int64(len(d.token)))
	b.tokens[d.token] = d
}

// tokenKey is a token among those of the side that asked.
func tokenKey(asked parley.Side, token message.Raw) string { return asked.String() + string(token) }

// progress reads a report on a call.
func (l *Ledger) progress(e *Entry, b *book, r *message.Request) {
	token, ok := r.Params.Member(b.dialect.Progress.Token)
	if !ok || len(token) > longestText {
		return
	}
	d := b.tokens[tokenKey(e.From.Other(), token)]
	if len(b.dialect.Progress.Ask) == 0 {
		if id, err := message.ParseID(token); err == nil {
			d, _ = b.find(e.From.Other(), id)
		}
	}
	l.report(e, d)
}

// report notes that an entry tells something of a debt.
func (l *Ledger) report(e *Entry, d *debt) {
	if d == nil {
		return
	}
	method := e.Method
	l.about(e, d)
	e.Method, e.Because = method, BecauseProgress
	if d.State != StateOpen {
		e.Because = BecauseProgressLate
	}
}
