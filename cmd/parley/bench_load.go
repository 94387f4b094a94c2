package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/message"
)

// A load makes one call again and again and keeps a window of them open. One goroutine
// sends and collects; the one that reads the connection only notes the time.
//
//	round ── start ──> the server ──> settle ── ended ──> collect
//	  └────────── at most window calls are open ────────────┘
type load struct {
	*client
	ended chan *shot // calls that have ended; has room for the widest window

	mu   sync.Mutex
	open map[int64]*shot // by id on the wire

	// Of the goroutine that collects.
	lost   error               // why a call has no answer, or was not sent: there is no going on
	broken *message.ParseError // the first answer that broke the protocol
}

// A shot is one call on its way.
type shot struct {
	pending *parley.Pending // of the goroutine that sends
	began   time.Time       // set before it is sent
	over    time.Time       // set by settle, before it is in ended
}

func newLoad(widest int) *load {
	return &load{ended: make(chan *shot, widest), open: make(map[int64]*shot)}
}

// An answerCount is how often a call was answered with an error of one code.
type answerCount struct {
	Code    message.Code `json:"code"`
	Message string       `json:"message"` // of the first of them
	Count   int64        `json:"count"`
}

// A loadRound is what was measured with one window. Times are of all answers, errors
// among them. Bytes are those of params and results as they are on the wire, without the
// envelopes around them.
type loadRound struct {
	Window      int           `json:"window"`
	Calls       int64         `json:"calls"`
	Seconds     float64       `json:"seconds"` // from the first call to the last answer
	PerSecond   float64       `json:"answers_per_second"`
	P50NS       int64         `json:"p50_ns,omitzero"`
	P90NS       int64         `json:"p90_ns,omitzero"`
	P99NS       int64         `json:"p99_ns,omitzero"`
	MaxNS       int64         `json:"max_ns,omitzero"`
	Errors      []answerCount `json:"errors"`
	Broken      int64         `json:"broken"` // answers that broke the protocol
	Unanswered  int64         `json:"unanswered"`
	ParamsBytes int64         `json:"params_bytes"`
	ResultBytes int64         `json:"result_bytes"`

	lost  error // why there is no next round
	times measure.Histogram
	last  time.Time // when the last answer came
}

// settle is told that a call has ended. A call of the handshake is not ours.
func (l *load) settle(id int64) {
	now := time.Now()
	l.mu.Lock()
	call := l.open[id]
	delete(l.open, id)
	l.mu.Unlock()
	if call != nil {
		call.over = now // taken before the lock: others may have held that
		l.ended <- call
	}
}

// round keeps window calls open while more says so, and returns when all have ended.
func (l *load) round(window int, more func(sent int64) bool) *loadRound {
	r := &loadRound{Window: window, Errors: []answerCount{}}
	began := time.Now()
	// The window is filled before anything is collected: that is when the server has the
	// most to do, and we the least.
	for open := 0; ; {
		for open < window && l.lost == nil && more(r.Calls) {
			if l.lost = l.start(); l.lost == nil {
				r.Calls++
				open++
			}
		}
		if open == 0 {
			break
		}
		l.collect(r, <-l.ended)
		open--
	}
	r.lost = l.lost
	r.finish(began)
	return r
}

// start sends a call, or returns why it cannot.
func (l *load) start() error {
	id := l.lastID + 1
	call := &shot{began: time.Now()}
	l.mu.Lock()
	l.open[id] = call
	l.mu.Unlock()
	name := named(l.one.method, id)
	l.debts.owe(id, name)
	// A ctx that can end would cost each call a watch on it. The one that watches over
	// all of them closes the connection.
	ctx := context.WithoutCancel(l.ctx)
	if l.progressResets {
		ctx = l.progressing(ctx, name)
	}
	call.pending = l.conn.Start(ctx, l.one.method, l.one.params)
	if call.pending.ID() == message.IntID(id) {
		l.lastID = id
		return nil
	}
	l.mu.Lock()
	delete(l.open, id)
	l.mu.Unlock()
	err := call.pending.Wait(ctx, nil)
	if !errors.Is(err, parley.ErrClosed) {
		l.debts.forget(id) // it cannot be sent at all
	}
	return err
}

// collect books a call that has ended.
func (l *load) collect(r *loadRound, call *shot) {
	var result message.Raw
	// An answer is what is measured here, and what notes came before it is not.
	err := call.pending.Wait(parley.Unordered(context.Background()), &result)
	bad, isBad := errors.AsType[*message.ParseError](err)
	fault, isFault := errors.AsType[*message.Error](err)
	switch {
	case isBad:
		r.Broken++
		if l.broken == nil {
			l.broken = bad
		}
	case isFault:
		r.count(fault)
	case err != nil:
		r.Unanswered++
		if l.lost == nil {
			l.lost = err
		}
		return
	}
	r.ParamsBytes += int64(len(l.one.params))
	r.ResultBytes += int64(len(result))
	r.times.Add(call.over.Sub(call.began))
	r.last = call.over
}

// count counts an answer that was an error.
func (r *loadRound) count(fault *message.Error) {
	for i := range r.Errors {
		if r.Errors[i].Code == fault.Code {
			r.Errors[i].Count++
			return
		}
	}
	r.Errors = append(r.Errors, answerCount{fault.Code, fault.Message, 1})
}

// finish works out what follows from the times. The end is the last answer, so that a
// call that nobody answers does not make the server look slow.
func (r *loadRound) finish(began time.Time) {
	if answers := r.times.Count(); answers > 0 {
		r.Seconds = r.last.Sub(began).Seconds()
		r.PerSecond = float64(answers) / max(r.Seconds, 1e-9)
		r.P50NS = int64(r.times.Quantile(0.50))
		r.P90NS = int64(r.times.Quantile(0.90))
		r.P99NS = int64(r.times.Quantile(0.99))
		r.MaxNS = int64(r.times.Max())
	}
}
