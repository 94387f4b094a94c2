package parley

import (
	"bytes"
	"context"
	"log/slog"
	"slices"

	"github.com/parley-rpc/parley/message"
)

// LogHandler returns a slog handler that sends each record to the other side of c as
// a note, in the words of the dialect. A dialect without words for logs, and a
// connection that has ended, drop the records. Nil opts means slog's defaults.
//
// It does not wait for the other side: while the outbound queue is full, records are
// dropped, so that a program never stops because nobody reads its log.
func LogHandler(c *Conn, opts *slog.HandlerOptions) slog.Handler {
	if opts == nil {
		opts = new(slog.HandlerOptions)
	}
	return &logHandler{conn: c, opts: *opts}
}

// logHandler keeps what With added, and lets slog's own JSON handler do the encoding.
type logHandler struct {
	conn *Conn
	opts slog.HandlerOptions
	with []func(slog.Handler) slog.Handler // WithAttrs and WithGroup, in order
}

// Enabled reports whether the options and the dialect want records of this level.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	least := slog.LevelInfo
	if h.opts.Level != nil {
		least = h.opts.Level.Level()
	}
	return h.conn.set.dialect.Log.Method != "" && level >= least
}

// Handle sends one record.
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	var text bytes.Buffer
	to := slog.Handler(slog.NewJSONHandler(&text, &h.opts))
	for _, with := range h.with {
		to = with(to)
	}
	if err := to.Handle(ctx, r); err != nil {
		return err
	}
	words := &h.conn.set.dialect.Log
	params := message.Raw(bytes.TrimSpace(text.Bytes()))
	if words.Params != nil {
		var err error
		if params, err = message.Encode(words.Params(r.Level, r.Message, params)); err != nil {
			return err
		}
	}
	h.conn.mu.Lock()
	defer h.conn.mu.Unlock()
	s := &h.conn.state
	if s.outFull() || s.closing {
		return nil
	}
	rec, err := s.set.codec.Append(nil, &message.Request{Method: words.Method, Params: params})
	if err == nil {
		s.push(&outgoing{rec: rec})
	}
	return err
}

// WithAttrs returns a handler whose records have attrs too.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.and(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) })
}

// WithGroup returns a handler whose later attributes are in a group.
func (h *logHandler) WithGroup(name string) slog.Handler {
	return h.and(func(to slog.Handler) slog.Handler { return to.WithGroup(name) })
}

func (h *logHandler) and(with func(slog.Handler) slog.Handler) slog.Handler {
	more := *h
	more.with = append(slices.Clip(h.with), with)
	return &more
}
