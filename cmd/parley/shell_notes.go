package main

import (
	"sync"
	"time"

	"github.com/parley-rpc/parley/message"
)

const (
	mostNotes = 1000    // that a shell keeps
	mostOfOne = 4 << 10 // bytes of the params of one
)

// notes are the newest notes that came, a ring of 1,000 of at most 4 KiB each.
type notes struct {
	mu     sync.Mutex
	ring   []noteSeen
	oldest int   // in the ring, once it is full
	total  int64 // that ever came
}

type noteSeen struct {
	at     time.Time
	method string
	params message.Raw // on one line
	cut    bool        // there was more of them
}

// String is the note as a line, which is for whoever shows it to escape.
func (n noteSeen) String() string {
	text := n.at.Format(time.TimeOnly) + " " + n.method
	if !n.params.IsZero() {
		text += " " + n.params.String()
	}
	if n.cut {
		text += "…"
	}
	return text
}

// MarshalJSON has params that were cut as the text that is left of them.
func (n noteSeen) MarshalJSON() ([]byte, error) {
	shown := struct {
		Time   time.Time   `json:"time"`
		Method string      `json:"method"`
		Params message.Raw `json:"params,omitzero"`
	}{n.at, n.method, n.params}
	if n.cut {
		text, err := message.Encode(n.params.String() + "…")
		if err != nil {
			return nil, err
		}
		shown.Params = text
	}
	return message.Encode(shown)
}

// add takes a note.
func (n *notes) add(method string, params message.Raw) {
	start := params[:min(len(params), mostOfOne)]
	seen := noteSeen{time.Now(), method, message.OneLine(nil, start), len(params) > mostOfOne}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.total++
	if len(n.ring) < mostNotes {
		n.ring = append(n.ring, seen)
		return
	}
	n.ring[n.oldest] = seen
	n.oldest = (n.oldest + 1) % mostNotes
}

// last returns the newest notes, at most that many, the oldest of them first, and how many
// came before them.
func (n *notes) last(most int) (seen []noteSeen, before int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	count := min(most, len(n.ring))
	for i := len(n.ring) - count; i < len(n.ring); i++ {
		seen = append(seen, n.ring[(n.oldest+i)%len(n.ring)])
	}
	return seen, n.total - int64(count)
}
