package frame

// Sizes of the pieces of a [gather]. The first piece is small, for the short
// record that lies across the end of the buffer.
const (
	firstPiece = 4 << 10
	pieceSize  = 64 << 10
)

// A gather collects a record that arrives in more than one window.
//
// It keeps pieces of a fixed size and joins them once, in an allocation that fits.
// A buffer that doubles would copy as much, hold three times the record while it
// grows, and leave the caller with up to twice the record for as long as that
// lives.
type gather struct {
	keep   int64    // how many bytes to hold, and one more; past that only the head
	size   int64    // how many bytes have been added
	held   int64    // how many of them the pieces hold: size, or HeadSize at most
	last   byte     // the byte that was added last
	pieces [][]byte // in order; only the last may have room
}

// newGather returns a gather for a record of f.
func newGather(f Framing) gather { return gather{keep: max(f.MaxRecord(), HeadSize)} }

// add takes in b, which the caller may use again afterwards.
func (g *gather) add(b []byte) {
	if len(b) == 0 {
		return
	}
	g.size += int64(len(b))
	g.last = b[len(b)-1]   // kept apart, because what holds it may be cut
	if g.size-1 > g.keep { // the one byte may be a mark that trim will drop
		g.cut()
		b = b[:min(int64(len(b)), HeadSize-g.held)]
	}
	g.held += int64(len(b))
	for len(b) > 0 {
		p := g.room(len(b))
		n := min(len(b), cap(*p)-len(*p))
		*p = append(*p, b[:n]...)
		b = b[n:]
	}
}

// room returns a piece with room, which is a new one if the last is full. Pieces
// double up to their size, so that what is allocated in vain stays in proportion
// to the record and never exceeds one piece.
func (g *gather) room(want int) *[]byte {
	size := firstPiece
	if n := len(g.pieces); n > 0 {
		p := &g.pieces[n-1]
		if len(*p) < cap(*p) {
			return p
		}
		size = 2 * cap(*p)
	}
	size = min(max(size, want), pieceSize)
	g.pieces = append(g.pieces, make([]byte, 0, size))
	return &g.pieces[len(g.pieces)-1]
}

// cut lets go of everything behind the first [HeadSize] bytes. From then on held
// stays there, while size goes on counting.
func (g *gather) cut() {
	for g.held > HeadSize {
		end := len(g.pieces) - 1
		p := g.pieces[end]
		n := min(int64(len(p)), g.held-HeadSize)
		g.held -= n
		if p = p[:int64(len(p))-n]; len(p) == 0 {
			g.pieces[end] = nil
			g.pieces = g.pieces[:end]
		} else {
			g.pieces[end] = p
		}
	}
}

// trim drops one mark from the end, where a mark may belong to the boundary and is
// only known to do so once the byte behind it has come. The end is that of tail, or
// of what has been gathered if tail is empty. trim returns what remains of tail.
func (g *gather) trim(tail []byte, mark byte) []byte {
	if n := len(tail); n > 0 {
		if tail[n-1] == mark {
			return tail[:n-1]
		}
		return tail
	}
	if g.size > 0 && g.last == mark {
		if g.held == g.size {
			p := &g.pieces[len(g.pieces)-1]
			*p = (*p)[:len(*p)-1]
			g.held--
		}
		g.size--
	}
	return tail
}

// join returns what is held, followed by tail, in an allocation that fits.
func (g *gather) join(tail []byte) []byte {
	rec := make([]byte, g.held+int64(len(tail)))
	n := 0
	for _, p := range g.pieces {
		n += copy(rec[n:], p)
	}
	copy(rec[n:], tail)
	return rec
}

// head returns a copy of the first [HeadSize] bytes of what has been added.
func (g *gather) head() []byte {
	g.cut()
	return g.join(nil)
}
