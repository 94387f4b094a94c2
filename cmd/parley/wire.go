package main

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/parley-rpc/parley"
)

// A wire shows a person what happens on a connection: each record if -v is set, and
// what the peer noticed and did not fail on. It hangs on the two ends that Options
// has for that: it is Trace.Record, and the slog.Handler of Logger. What a peer
// notices of a record it logs from the goroutine that reads, right after the record
// was traced, so that the two belong together.
type wire struct {
	tell    *console
	verbose bool

	// notice is told of what the peer noticed. rec is the start of the record that it
	// is about, empty where that could not be kept. Nil tells nothing.
	notice func(n notice, rec string)

	last     []byte       // the start of the record that was read last; of the goroutine that reads
	received atomic.Int64 // records
}

// keep is how many bytes of a record a notice may show.
const keep = 200

// record is Trace.Record.
func (w *wire) record(dir parley.Direction, rec []byte) {
	arrow := "→"
	if dir == parley.Inbound {
		arrow = "←"
		w.received.Add(1)
		w.last = append(w.last[:0], rec[:min(len(rec), keep+1)]...)
	}
	if w.verbose {
		w.tell.printf("%s %s", arrow, rec)
	}
}

// A notice is what a peer logs: its message, and the attributes by name.
type notice struct {
	level slog.Level
	text  string
	attrs map[string]slog.Value
}

// orphan reports whether the notice is about an answer that settles nothing.
func (n notice) orphan() bool { return n.text == "answer to nothing" || n.text == "late answer" }

// str returns an attribute as text, "" if there is none.
func (n notice) str(name string) string {
	if v, ok := n.attrs[name]; ok {
		return v.String()
	}
	return ""
}

// at returns an attribute that counts something, 0 if there is none.
func (n notice) at(name string) int64 {
	if v, ok := n.attrs[name]; ok && v.Kind() == slog.KindInt64 {
		return v.Int64()
	}
	return 0
}

// Enabled reports that a notice of any level may be told: which are is for who tells.
func (w *wire) Enabled(context.Context, slog.Level) bool { return true }

// Handle shows one notice.
func (w *wire) Handle(_ context.Context, r slog.Record) error {
	if w.notice == nil {
		return nil
	}
	n := notice{r.Level, r.Message, make(map[string]slog.Value, r.NumAttrs())}
	r.Attrs(func(a slog.Attr) bool {
		n.attrs[a.Key] = a.Value
		return true
	})
	var rec string
	if r.Message == "bad record" {
		rec = excerpt(w.last)
		w.last = w.last[:0] // a record that was skipped is not traced, and must not show this one
	}
	w.notice(n, rec)
	return nil
}

// WithAttrs and WithGroup are for programs that log with more context than a peer.
func (w *wire) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup returns w.
func (w *wire) WithGroup(string) slog.Handler { return w }

// excerpt is the start of a record, with a mark if there is more.
func excerpt(rec []byte) string {
	if len(rec) <= keep {
		return string(rec)
	}
	return string(bytes.ToValidUTF8(rec[:keep], nil)) + "…"
}
