package parley_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A step is what one side does next.
type step struct {
	Kind   string // call, note, sleep, cancel, cut
	Ms     int    // how long the handler works, or the side sleeps
	Back   int    // how deep the handler calls back
	Notes  int    // how many notes the handler sends before it is done
	Within int    // ms after which the call is taken back, 0: never
}

func genSteps(t *rapid.T, side string) []step {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		s := step{
			Kind: rapid.SampledFrom([]string{"call", "call", "call", "note", "note", "sleep", "cancel"}).Draw(t, "kind"),
			Ms:   rapid.IntRange(0, 20).Draw(t, "ms"),
		}
		if s.Kind == "call" || s.Kind == "note" {
			s.Back = rapid.SampledFrom([]int{0, 0, 1, 2, 5}).Draw(t, "back")
			s.Notes = rapid.IntRange(0, 3).Draw(t, "notes")
		}
		if s.Kind == "cancel" {
			s.Within = rapid.IntRange(1, 10).Draw(t, "within")
		}
		return s
	}), 1, 12).Draw(t, side)
}

// work is what a handler is told to do, in the params of a call or a note.
type work struct {
	Seq   int `json:"seq"` // in the order in which the side has sent it; -1 for calls back
	Ms    int `json:"ms"`
	Back  int `json:"back"`
	Notes int `json:"notes"`
}

// The states of a note at the side that handles it.
const (
	sent = iota
	begun
	waiting // in a Call of its own
	done
)

// player is one side of a schedule: it sends, handles, and holds what it sees against the
// rules.
type player struct {
	name   string
	faults *faults
	conn   *parley.Conn
	other  *player

	mu       *sync.Mutex // of both players
	seq      int         // of what it has sent
	notes    map[int]int // the other side's notes by seq: their states
	lastNote int         // seq of the last note that began
	active   int         // note handlers that run
	since    time.Time   // when the note handler began to wait
	waitEnd  time.Time   // when it last ended to
	stallEnd time.Time   // when one last did that had been let by
}

type faults struct {
	mu  sync.Mutex
	all []string
}

func (f *faults) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, fmt.Sprintf(format, args...))
}

// send numbers w and queues it, in one order.
func (p *player) send(ctx context.Context, kind string, w work) (*parley.Pending, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seq++
	w.Seq = p.seq
	if kind == "note" {
		p.other.notes[w.Seq] = sent
		_ = p.conn.Notify(ctx, "note", w)
		return nil, w.Seq
	}
	return p.conn.Start(ctx, "call", w), w.Seq
}

// handle does what w says, and checks that it may.
func (p *player) handle(ctx context.Context, method string, params message.Raw) (any, error) {
	var w work
	if err := params.Decode(&w); err != nil {
		return nil, err
	}
	if method == "note" {
		p.begin(w.Seq)
		defer p.end(w.Seq)
	} else if w.Seq > 0 {
		p.checkCall(w.Seq)
	}
	time.Sleep(time.Duration(w.Ms) * time.Millisecond)
	if w.Back > 0 {
		p.state(method, w.Seq, waiting)
		err := p.conn.Call(ctx, "back", work{Seq: -1, Ms: w.Ms / 2, Back: w.Back - 1}, nil)
		p.state(method, w.Seq, begun)
		if err != nil {
			return nil, err
		}
	}
	var seqs []int
	for range w.Notes {
		_, seq := p.send(ctx, "note", work{Ms: 1})
		seqs = append(seqs, seq)
	}
	return seqs, nil
}

func (p *player) begin(seq int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active++; p.active > 1 {
		p.faults.add("%s: note %d began while another ran", p.name, seq)
	}
	if seq <= p.lastNote {
		p.faults.add("%s: note %d began after note %d", p.name, seq, p.lastNote)
	}
	p.lastNote = seq
	p.notes[seq] = begun
}

func (p *player) end(seq int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	p.notes[seq] = done
}

func (p *player) state(method string, seq, state int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if method != "note" {
		return
	}
	if state == begun {
		p.waitEnd = time.Now()
		if time.Since(p.since) >= stallTime {
			p.stallEnd = time.Now()
		}
	}
	p.notes[seq], p.since = state, time.Now()
}

// stallTime is when notes are let by that do not begin: once the handler of the one
// before them has waited in a Call for so long.
const stallTime = 250 * time.Millisecond

// checkCall holds the beginning of a call against rule 3. It sees the beginning a little
// late: if the waiting has ended in this very instant, the call has rightly begun.
func (p *player) checkCall(seq int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().Equal(p.stallEnd) {
		return
	}
	stalled := p.notes[p.lastNote] == waiting && time.Since(p.since) >= stallTime
	for n, state := range p.notes {
		if stalled && state == sent || state == begun && time.Now().Equal(p.waitEnd) {
			continue
		}
		if n < seq && (state == sent || state == begun) {
			p.faults.add("%s: call %d began while note %d was in state %d", p.name, seq, n, state)
		}
	}
}

// play runs one side's steps from its main goroutine.
func (p *player) play(ctx context.Context, steps []step) {
	for _, s := range steps {
		w := work{Ms: s.Ms, Back: s.Back, Notes: s.Notes}
		switch s.Kind {
		case "sleep":
			time.Sleep(time.Duration(s.Ms) * time.Millisecond)
		case "note":
			p.send(ctx, "note", w)
		case "cancel":
			short, cancel := context.WithTimeout(ctx, time.Duration(s.Within)*time.Millisecond)
			pending, _ := p.send(short, "call", work{Ms: 2 * s.Within})
			began := time.Now()
			_ = pending.Wait(short, nil)
			if took := time.Since(began); took > time.Duration(s.Within)*time.Millisecond {
				p.faults.add("%s: a call with a deadline of %d ms took %v", p.name, s.Within, took)
			}
			cancel()
		case "call":
			pending, seq := p.send(ctx, "call", w)
			var notes []int
			if err := pending.Wait(ctx, &notes); err != nil {
				if !errors.Is(err, parley.ErrClosed) {
					p.faults.add("%s: call %d: %v", p.name, seq, err)
				}
				continue
			}
			p.mu.Lock()
			for _, n := range notes { // rule 4
				if p.notes[n] != done {
					p.faults.add("%s: call %d returned before note %d was done", p.name, seq, n)
				}
			}
			p.mu.Unlock()
		}
	}
}

// Random schedules of calls, notes, callbacks, cancellations and a cut, from both sides
// at once, against the order rules. Every call ends.
func TestSchedules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		stepsA, stepsB := genSteps(rt, "a"), genSteps(rt, "b")
		cut := rapid.SampledFrom([]int{0, 0, 0, 15, 60}).Draw(rt, "cut after ms")
		found := new(faults)
		synctest.Test(t, func(t *testing.T) {
			endA, endB := frame.Pipe()
			mu := new(sync.Mutex)
			a := &player{name: "a", faults: found, mu: mu, notes: map[int]int{}}
			b := &player{name: "b", faults: found, mu: mu, notes: map[int]int{}, other: a}
			a.other = b
			// Under the lock, since what comes may be handled at once.
			mu.Lock()
			a.conn = parley.Connect(frame.Lines.Stream(endA, endA), a.handle, nil)
			b.conn = parley.Connect(frame.Lines.Stream(endB, endB), b.handle, nil)
			mu.Unlock()
			if cut > 0 {
				time.AfterFunc(time.Duration(cut)*time.Millisecond, func() { _ = endB.Close() })
			}
			var both sync.WaitGroup
			both.Go(func() { a.play(t.Context(), stepsA) })
			both.Go(func() { b.play(t.Context(), stepsB) })
			both.Wait()
			time.Sleep(time.Minute)
			_ = a.conn.Close()
			_ = b.conn.Close()
		})
		for _, fault := range found.all {
			rt.Error(fault)
		}
	})
}
