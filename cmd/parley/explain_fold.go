package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// A series is records in a row that each bring a piece of the same thing: of a text that
// is being written, of a command's output, of progress.
type series struct {
	piece // the first one, with the text of all so far, bounded

	from    parley.Side
	count   int
	last    int64 // the number of the last record
	first   ledger.Entry
	dialect *parley.Dialect
}

// begins starts a series with a record, if it may have one.
func (r *series) begins(a *account) bool {
	p, ok := pieceOf(a)
	if !ok {
		return false
	}
	*r = series{piece: p, from: a.From, count: 1, last: a.N, first: a.Entry, dialect: a.dialect}
	r.first.Message = nil // it points into the record
	return true
}

// takes adds a record to the series, and reports whether it is the next one.
func (r *series) takes(a *account) bool {
	if r.count == 0 {
		return false
	}
	p, ok := pieceOf(a)
	if !ok || p.of != r.of || p.name != r.name || a.From != r.from {
		return false
	}
	r.count++
	r.last = a.N
	// Of a text that grows, no more is kept than is shown.
	if len(r.text) <= 4*maxSummary {
		if r.text != "" {
			r.text += p.between
		}
		r.text += p.text
	}
	return true
}

func (r *series) reset() { *r = series{} }

// method names the series: "item/agentMessage/delta ×42".
func (r *series) method() string {
	if r.count <= 1 {
		return r.name
	}
	return fmt.Sprintf("%s ×%d", r.name, r.count)
}

// A piece is a part of something that many records bring.
type piece struct {
	of   string // which thing; records that bring the same one are a series
	name string // the method, and more if that says too little
	text string

	between string // what stands between the texts of two pieces
}

// pieceOf returns the piece that a record brings, if it does.
func pieceOf(a *account) (p piece, ok bool) {
	m, isRequest := a.Message.(*message.Request)
	if !isRequest || !m.IsNote() || len(a.Parts) > 0 {
		return p, false
	}
	p.name = m.Method
	last := m.Method[strings.LastIndexByte(m.Method, '/')+1:]
	switch {
	case a.dialect.Name == "claude" && m.Method == "stream_event":
		p.of = follow("event.type", m.Params) + " " + follow("event.delta.type", m.Params)
		p.text = cmp.Or(follow("event.delta.text", m.Params), follow("event.delta.partial_json", m.Params))
	case a.dialect.Name == "acp" && m.Method == "session/update":
		p.of = follow("update.sessionUpdate", m.Params)
		p.name += " " + p.of
		p.text = follow("update.content@", m.Params)
		ok = strings.HasSuffix(p.of, "_chunk")
		return p, ok
	case last == "delta" || strings.HasSuffix(last, "Delta"):
		p.of = follow("itemId", m.Params)
		p.text = follow("delta", m.Params)
	case m.Method == a.dialect.Progress.Method && m.Method != "":
		p.of = follow(a.dialect.Progress.Token, m.Params)
		p.text = digest(digestOf(requestDigests[family(a.dialect.Name)], m.Method), m.Params)
		p.between = "; "
	default:
		return p, false
	}
	return p, true
}
