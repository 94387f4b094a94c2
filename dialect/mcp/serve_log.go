package mcp

import (
	"context"
	"log/slog"

	"github.com/parley-rpc/parley"
)

// Logger returns a logger for the handler of ctx, whose records reach the client as
// notes. A legacy client says by logging/setLevel from which level on, and is sent info
// and above until it does; a modern one says it with each request, and is told nothing
// about one that does not say, nor after its answer. Outside the handlers of a [Server]
// the logger discards.
//
// Nothing waits for a client that does not read: records are dropped then.
func Logger(ctx context.Context) *slog.Logger {
	x := exchangeFrom(ctx)
	if x == nil || x.era == 0 {
		return slog.New(slog.DiscardHandler)
	}
	opts := slog.HandlerOptions{Level: &x.link.level}
	if x.era == EraModern {
		level, ok := x.level.Slog()
		if !ok {
			return slog.New(slog.DiscardHandler)
		}
		opts.Level = level
	}
	handler := parley.LogHandler(parley.Caller(ctx), &opts)
	if x.era == EraModern {
		handler = untilAnswered{handler, ctx}
	}
	return slog.New(handler)
}

// untilAnswered drops what is logged about a request that is answered or taken back.
type untilAnswered struct {
	slog.Handler
	request context.Context
}

// Enabled reports whether the request is open and the level is wanted.
func (u untilAnswered) Enabled(ctx context.Context, level slog.Level) bool {
	return u.request.Err() == nil && u.Handler.Enabled(ctx, level)
}

// WithAttrs returns a handler whose records have attrs too.
func (u untilAnswered) WithAttrs(attrs []slog.Attr) slog.Handler {
	return untilAnswered{u.Handler.WithAttrs(attrs), u.request}
}

// WithGroup returns a handler whose later attributes are in a group.
func (u untilAnswered) WithGroup(name string) slog.Handler {
	return untilAnswered{u.Handler.WithGroup(name), u.request}
}
