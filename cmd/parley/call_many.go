package main

import (
	"context"
	"errors"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// many sends the calls of a file without waiting, and prints the answers in the order
// in which they come. Memory is bounded by the window, however long the file is.
//
//	lines ── feed ── send ──> the server ──> settled ── deliver ──> stdout
//	                  └── at most window calls are open or not yet printed ──┘
type many struct {
	*client
	out *answers

	slots chan struct{} // holds one value for each call that is open or not yet printed
	ended chan *sent    // calls that have ended, in the order of the wire; has room for all slots
	over  chan struct{} // closed by deliver when a call cannot be answered any more
	open  sync.WaitGroup
	code  exitCode // of lines that were no request; of the goroutine that sends
	lost  error    // why a call or a note could not be sent; likewise

	mu    sync.Mutex
	calls map[int64]*sent // by id on the wire: open

	// Of the goroutine that prints.
	answered exitCode
	broken   error // why nothing is printed any more
	unserved *failure
}

// sent is a call on its way.
type sent struct {
	number  int64 // counts the calls of the file
	method  string
	pending chan *parley.Pending // has room for one; there as soon as Start has returned
}

// runMany is --file.
func (j *job) runMany(ctx context.Context) error {
	window := j.window
	if window == 0 {
		window = maxWindow
	}
	m := &many{
		out:   j.app.answers(),
		slots: make(chan struct{}, window),
		ended: make(chan *sent, window),
		over:  make(chan struct{}),
		calls: make(map[int64]*sent),
	}
	var err error
	if m.client, err = j.connect(ctx, m.settle); err != nil {
		return err
	}
	defer m.close()
	if err := m.greet(); err != nil {
		return j.told(err)
	}
	// Printing has a goroutine of its own: while the next line of the file is long in
	// coming, answers are printed as they come.
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		m.deliver()
	}()
	m.sendAll()
	m.open.Wait()
	close(m.ended)
	<-printed
	return m.outcome()
}

// settle is told that a call has ended. A call of the handshake is not ours.
func (m *many) settle(id int64) {
	m.mu.Lock()
	call := m.calls[id]
	delete(m.calls, id)
	m.mu.Unlock()
	if call != nil {
		m.ended <- call
	}
}

// feed reads the file in a goroutine of its own, because a read of stdin cannot be
// interrupted. It is left behind where that matters, at the end of the process.
func (m *many) feed() <-chan func() (request, error) {
	lines := make(chan func() (request, error))
	go func() {
		defer close(lines)
		for r, err := range m.requests() {
			select {
			case lines <- func() (request, error) { return r, err }:
			case <-m.ctx.Done():
				return
			}
		}
	}()
	return lines
}

// sendAll sends what the file holds, until the end of it or of a server that owes us. One
// that has ended without a debt is no failure as long as no more is to be sent.
func (m *many) sendAll() {
	lines := m.feed()
	for number := int64(1); m.lost == nil; {
		select {
		case <-m.ctx.Done():
			return
		case <-m.over: // the next line may be long in coming, and could only fail
			return
		case next, ok := <-lines:
			if !ok {
				m.lost = m.patient(m.conn.Flush)
				return
			}
			r, err := next()
			if err != nil {
				m.code = worst(m.code, m.app.report(err))
			} else if r.note {
				m.lost = m.patient(func(ctx context.Context) error { return m.conn.Notify(ctx, r.method, r.params) })
			} else if m.start(r, number) {
				number++
			}
		}
	}
}

// start starts a call and reports whether it is on its way.
func (m *many) start(r request, number int64) bool {
	select {
	case m.slots <- struct{}{}:
	case <-m.ctx.Done():
		return false
	}
	// The call must be known before it is sent: its answer may be settled before Start
	// has returned. Ids are given in the order of Start, and only we start calls.
	id := m.lastID + 1
	call := &sent{number: number, method: r.method, pending: make(chan *parley.Pending, 1)}
	m.mu.Lock()
	m.calls[id] = call
	m.mu.Unlock()
	name := named(r.method, number)
	m.debts.owe(id, name)
	m.open.Add(1)
	p := m.conn.Start(m.progressing(m.ctx, name), r.method, r.params)
	if p.ID() == message.IntID(id) {
		m.lastID = id
		call.pending <- p
		return true
	}
	// It could not be made, and its id is still free.
	m.mu.Lock()
	delete(m.calls, id)
	m.mu.Unlock()
	m.open.Done()
	<-m.slots
	if err := p.Wait(m.ctx, nil); errors.Is(err, parley.ErrClosed) || m.ctx.Err() != nil {
		m.lost = err // and it stays owed
	} else {
		m.debts.forget(id)
		m.code = worst(m.code, m.app.report(usagef("line %d: %v", r.line, err)))
	}
	return false
}

// deliver prints the answers. What ends without one, because the server or our
// patience has ended, is told by outcome.
func (m *many) deliver() {
	for call := range m.ended {
		p := <-call.pending
		var result message.Raw
		err := p.Wait(context.Background(), &result)
		if f := m.print(call, result, err); f != nil {
			if m.unserved == nil {
				close(m.over)
			}
			m.unserved = f
		}
		// Answers that came together are written together, and none waits for the next.
		if len(m.ended) == 0 && m.broken == nil {
			m.stop(m.out.flush())
		}
		<-m.slots
		m.open.Done()
	}
	if m.broken == nil {
		m.stop(m.out.end())
	}
}

// print prints one answer, and returns why there is none.
func (m *many) print(call *sent, result message.Raw, err error) *failure {
	var fault *message.Error
	if err != nil {
		f := m.failure(named(call.method, call.number), err)
		switch {
		case f.answer != nil:
			fault = f.answer
		case f.code == exitProtocol:
			// It spoiled the one answer only; the others are still to come.
			m.app.explain(f)
			m.answered = worst(m.answered, f.code)
			return nil
		default:
			return f
		}
		m.answered = worst(m.answered, f.code)
	} else if toolFailed(call.method, result) {
		m.answered = worst(m.answered, exitAnswer)
	}
	if m.broken == nil {
		m.stop(m.out.add(call.number, result, fault))
	}
	return nil
}

// stop ends everything if the output is broken.
func (m *many) stop(err error) {
	if err != nil {
		m.broken = err
		m.end(err)
	}
}

// outcome tells what was not answered, once for all of it, and is the exit code. Of
// several reasons the first in this order is the cause of the others: our own output, an
// end of our patience, the end of the server.
func (m *many) outcome() error {
	code := worst(m.code, m.answered)
	switch f := m.unserved; {
	case m.broken != nil:
		code = worst(code, m.app.report(m.broken))
	case m.ctx.Err() != nil:
		code = worst(code, m.app.report(m.gaveUp()))
	case f == nil && m.lost != nil:
		f = m.failure("", m.lost)
		fallthrough
	case f != nil:
		code = worst(code, m.app.report(f))
	}
	return ended(code)
}
