package parley

import (
	"context"
	"slices"

	"github.com/parley-rpc/parley/message"
)

// A Handler answers calls and takes notes: all that a peer knows of the program
// around it. It is given the method and the params as they stood on the wire (nil
// when there were none), and returns what becomes the result. A returned
// [message.Raw] is written verbatim, nil as null, anything else is encoded as JSON.
// What a Handler returns for a note is dropped, an error is logged.
//
// What else there is to know about a request comes from ctx: [RequestFrom],
// [Caller], [Progress], [CorrelationFrom]. The ctx ends when the other side cancels the
// call, and when the connection ends. Handlers of calls run side by side; see the
// package comment for the order.
//
// Params, and what is decoded from them as Raw, belong to the handler.
type Handler func(ctx context.Context, method string, params message.Raw) (any, error)

// Middleware wraps a Handler in another: logging, limits, authorization.
type Middleware func(Handler) Handler

// Chain wraps h so that the first middleware sees each request first.
func Chain(h Handler, around ...Middleware) Handler {
	for _, wrap := range slices.Backward(around) {
		h = wrap(h)
	}
	return h
}

// Func makes a Handler out of a typed function. Params that do not fit P are
// refused with -32602, whose data says where: {"pointer": "/a", "reason": "…"}.
// Absent params leave P its zero value.
func Func[P, R any](fn func(context.Context, P) (R, error)) Handler {
	return func(ctx context.Context, _ string, params message.Raw) (any, error) {
		var p P
		if err := decodeParams(params, &p); err != nil {
			return nil, err
		}
		return fn(ctx, p)
	}
}

// ctxKey is the type of the keys of this package in a context.
type ctxKey int

const (
	workKey        ctxKey = iota // *work, in the ctx of a handler
	unorderedKey                 // true, in the ctx of Unordered
	progressKey                  // func(message.Raw), in the ctx of OnProgress
	correlationKey               // *Correlation, in the ctx of WithCorrelation and of a handler
)

// handlerCtx is the ctx of a handler: it knows its work, and what the request of it
// brought, without a second wrapper.
type handlerCtx struct {
	context.Context
	work *work
}

// Value adds those two to what the ctx of the connection holds.
func (h handlerCtx) Value(key any) any {
	switch key {
	case workKey:
		return h.work
	case correlationKey:
		return h.work.correlation()
	}
	return h.Context.Value(key)
}

func workFrom(ctx context.Context) *work {
	w, _ := ctx.Value(workKey).(*work)
	return w
}

// RequestFrom returns the request that a handler was begun for: its id, whether it
// is a note, and the members beside those that JSON-RPC 2.0 names. It is nil
// outside handlers. The request is shared; change nothing in it.
func RequestFrom(ctx context.Context) *message.Request {
	if w := workFrom(ctx); w != nil {
		return w.req
	}
	return nil
}

// Caller returns the connection on which the request of this handler came, so that
// the handler can call back. It is nil outside handlers.
func Caller(ctx context.Context) *Conn {
	if w := workFrom(ctx); w != nil {
		return w.conn
	}
	return nil
}

// Unordered returns a ctx under which Call returns as soon as its reply is there,
// although notes that came before the reply may not have been handled yet (rule 4
// in the package comment). Use it where a note handler may block for long.
func Unordered(ctx context.Context) context.Context {
	return context.WithValue(ctx, unorderedKey, true)
}

// Async lets the handler of a note go on beside what comes after the note: to the order
// rules the note is done, and the notes and calls behind it begin. Use it for work that
// the other side may want to steer or stop with a call, such as the turn of an agent
// whose prompt is a note; do before it what must be done in order.
//
// The end of the input still waits for the handler, within [Options.Drain]. Up to
// [Options.Handlers] of them go on at once; after that the next note waits. In the
// handler of a call and outside handlers Async does nothing, since calls run side by
// side anyway.
func Async(ctx context.Context) {
	w := workFrom(ctx)
	if w == nil || !w.req.IsNote() {
		return
	}
	c := w.conn
	c.mu.Lock()
	defer c.unlock()
	if w.aside || w.over || c.state.note != w {
		return
	}
	w.aside = true
	c.state.aside++
	c.state.pass(w)
	c.beginLocked()
	c.state.ring()
}

// inOrder reports whether a Call under ctx waits for the notes before its reply.
func inOrder(ctx context.Context) bool {
	return ctx.Value(unorderedKey) == nil && workFrom(ctx) == nil
}
