package toolbox

import (
	"context"
	"sync"
)

// A gate lets so much in at once, and the others in the order in which they came. It
// bounds the runs of a tool, each of which counts 1, and the output that runs may hold.
type gate struct {
	mu      sync.Mutex
	size    int
	inside  int
	waiting []*waiter // in their order; the first does not fit yet
}

// A waiter is somebody in front of a gate.
type waiter struct {
	weight int
	in     chan struct{} // closed when it was let in
}

// enter waits until weight, which is at most the size, may come in. It fails only as ctx
// ends.
func (g *gate) enter(ctx context.Context, weight int) error {
	w := &waiter{weight, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.admitLocked()
	g.mu.Unlock()
	select {
	case <-w.in:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting {
		if other == w {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			g.admitLocked() // a light one may have waited behind it
			return ctx.Err()
		}
	}
	return nil // it was let in at the same moment
}

// leave gives back what has entered.
func (g *gate) leave(weight int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside -= weight
	g.admitLocked()
}

// resize changes the size. Who is inside stays, even if there are too many now.
func (g *gate) resize(size int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.size = size
	g.admitLocked()
}

// idle reports whether nobody is inside or waits.
func (g *gate) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inside == 0 && len(g.waiting) == 0
}

func (g *gate) admitLocked() {
	for len(g.waiting) > 0 && g.inside+g.waiting[0].weight <= g.size {
		g.inside += g.waiting[0].weight
		close(g.waiting[0].in)
		g.waiting[0] = nil
		g.waiting = g.waiting[1:]
	}
}
