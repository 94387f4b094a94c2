// Package tape writes down a conversation while it happens, one JSON object a line, in the shape that parley reads as a
// transcript. The tests audit what it wrote; both ends of parley that they run use it, the one in the test and the one
// in the program ours.
package tape

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
)

// A Tape writes down one conversation. Its methods may be called by many goroutines at once.
type Tape struct {
	us    parley.Side
	start time.Time

	mu  sync.Mutex // the reading and the writing side both write
	w   io.Writer
	err error // the first failure; nothing is written after it
}

// New returns a tape of a conversation in which the end that is taped is the side us.
func New(w io.Writer, us parley.Side) *Tape {
	return &Tape{us: us, start: time.Now(), w: w}
}

// Record is the hook of [parley.Trace.Record]. What is no UTF-8 is written as U+FFFD, since a record stands in a JSON
// string.
func (t *Tape) Record(dir parley.Direction, rec []byte) {
	from := t.us
	if dir == parley.Inbound {
		from = from.Other()
	}
	way := "c2s"
	if from == parley.SideServer {
		way = "s2c"
	}
	raw, err := json.Marshal(string(rec))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	if t.err = err; t.err == nil {
		// The time is read under the lock, so that it never runs backwards.
		milliseconds := float64(time.Since(t.start).Microseconds()) / 1000
		_, t.err = fmt.Fprintf(t.w, "{\"t\":%.3f,\"dir\":%q,\"raw\":%s}\n", milliseconds, way, raw)
	}
}

// Err returns why the tape is not whole, nil if it is.
func (t *Tape) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
