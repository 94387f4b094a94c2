package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// makeAnswers returns the handlers of what the server may ask. They serve both eras: in
// the legacy one the server calls them, in the modern one a result does.
func (c *Client) makeAnswers() map[string]parley.Handler {
	answers := make(map[string]parley.Handler)
	if c.opts.Elicit != nil {
		answers[string(Elicit)] = parley.Func(func(ctx context.Context, params ElicitParams) (*ElicitResult, error) {
			if !c.elicits(params.Mode) {
				return nil, message.InvalidParams.Withf("this client has no elicitation of mode %q", params.Mode)
			}
			return some(c.opts.Elicit(ctx, params))
		})
	}
	if c.opts.Sample != nil {
		answers[string(CreateMessage)] = parley.Func(func(ctx context.Context, params CreateMessageParams) (*CreateMessageResult, error) {
			return some(c.opts.Sample(ctx, params))
		})
	}
	if c.opts.Roots != nil {
		answers[string(ListRoots)] = parley.Func(func(ctx context.Context, _ EmptyParams) (*ListRootsResult, error) {
			roots, err := c.opts.Roots(ctx)
			return &ListRootsResult{Roots: roots}, err
		})
	}
	return answers
}

// some refuses an answer that is none: the protocol has no null there.
func some[R any](result *R, err error) (*R, error) {
	if result == nil && err == nil {
		return nil, fmt.Errorf("the client's function returned no %T and no error", result)
	}
	return result, err
}

// elicits reports whether the client announced the mode. Neither mode announced means
// the form alone, and so does a question without a mode.
func (c *Client) elicits(mode string) bool {
	can := c.can.Elicitation
	switch mode {
	case "", ElicitForm:
		return can.Form != nil || can.URL == nil
	case ElicitURL:
		return can.URL != nil
	}
	return false
}

// handle takes what the server sends. Calls come in the legacy era only.
func (c *Client) handle(ctx context.Context, method string, params message.Raw) (any, error) {
	if parley.RequestFrom(ctx).IsNote() {
		c.deliver(method, params)
		if c.opts.OnNote != nil {
			c.opts.OnNote(ctx, method, params)
		}
		return nil, nil
	}
	if method == string(Ping) {
		return EmptyResult{}, nil
	}
	if answer, ok := c.answers[method]; ok {
		return answer(ctx, method, params)
	}
	return nil, message.MethodNotFound.Withf("this client does not answer %q", method)
}

// oneWay is the codec of a client. In the modern era only the client asks: its server
// must not call, and it must not answer ("Transports", messages). Nothing in a
// connection keeps from answering a call but that there is none, so the codec makes a
// fault of it that is counted, logged and not answered.
type oneWay struct {
	message.Codec
	modern atomic.Bool // set once the era is known
}

// oneWayDialect returns a dialect with its codec made one-way. Nil is [Dialect].
func oneWayDialect(d *parley.Dialect) (*parley.Dialect, *oneWay) {
	if d == nil {
		d = &Dialect
	}
	mine := *d
	codec := &oneWay{Codec: d.Codec}
	if codec.Codec == nil {
		codec.Codec = message.Strict
	}
	mine.Codec = codec
	return &mine, codec
}

// Parse reads one record.
func (c *oneWay) Parse(rec []byte) (message.Message, error) {
	msg, err := c.Codec.Parse(rec)
	if !c.modern.Load() {
		return msg, err
	}
	if bad, ok := errors.AsType[*message.ParseError](err); ok {
		silent := *bad
		silent.Kind = unanswered(bad.Kind)
		return msg, &silent
	}
	req, ok := msg.(*message.Request)
	switch {
	case !ok:
		return msg, err
	case !req.IsNote():
		return nil, &message.ParseError{
			Err:    message.InvalidRequest,
			Kind:   message.KindNote,
			Reason: "a server must not call in this era, as it does with " + req.Method,
		}
	case req.Method == string(Cancelled):
		// A server takes nothing back but its own stream of subscriptions/listen, by the
		// id of our call, which it may never answer then ("Cancellation"; another page,
		// "Subscriptions", wants an answer as well, which then is a late one). To a
		// connection a cancellation is about calls of the other side.
		var params CancelledParams
		if req.Params.Decode(&params) == nil && !params.RequestID.IsZero() {
			return &message.Response{ID: params.RequestID, Error: errTornDown}, nil
		}
	}
	return req, nil
}

// errTornDown is the error of a call that the server took back.
var errTornDown = message.NewError(message.CodeRequestCancelled, "the server took the request back")

// Peek is for records that are too long to parse.
func (c *oneWay) Peek(prefix []byte) (message.Kind, message.ID) {
	kind, id := message.PeekWith(c.Codec, prefix)
	if c.modern.Load() {
		kind = unanswered(kind)
	}
	return kind, id
}

// unanswered is the kind under which a bad record is not answered. What settles a call
// of ours stays what it is.
func unanswered(kind message.Kind) message.Kind {
	if kind == message.KindReply || kind == message.KindHybrid {
		return kind
	}
	return message.KindNote
}
