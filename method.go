package parley

import (
	"context"
	"reflect"

	"github.com/parley-rpc/parley/message"
)

// A Method is the name of a call and the Go types of its params and result. A
// protocol is a table of such constants:
//
//	const Hover parley.Method[HoverParams, *Hover] = "textDocument/hover"
//
// The constant carries both halves: Call for the side that asks, Handle for the
// side that answers.
type Method[P, R any] string

// Call calls the method on c and waits for its result; see [Conn.Call].
func (m Method[P, R]) Call(ctx context.Context, c *Conn, params P) (R, error) {
	var result R
	err := c.Call(ctx, string(m), params, &result)
	return result, err
}

// Start calls the method on c and returns at once; see [Conn.Start].
func (m Method[P, R]) Start(ctx context.Context, c *Conn, params P) *Pending {
	return c.Start(ctx, string(m), params)
}

// Handle is the route that answers the method with fn; see [Func].
func (m Method[P, R]) Handle(fn func(context.Context, P) (R, error)) Route {
	return Route{Method: string(m), Handler: Func(fn), Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R]()}
}

// A Note is the name of a note and the Go type of its params.
type Note[P any] string

// Send sends the note on c; see [Conn.Notify].
func (n Note[P]) Send(ctx context.Context, c *Conn, params P) error {
	return c.Notify(ctx, string(n), params)
}

// Handle is the route that takes the note with fn. An error of fn is logged; nobody
// is told, since a note is never answered.
func (n Note[P]) Handle(fn func(context.Context, P) error) Route {
	return Route{Method: string(n), Note: true, Params: reflect.TypeFor[P](), Handler: func(ctx context.Context, _ string, params message.Raw) (any, error) {
		var p P
		if err := decodeParams(params, &p); err != nil {
			return nil, err
		}
		return nil, fn(ctx, p)
	}}
}
