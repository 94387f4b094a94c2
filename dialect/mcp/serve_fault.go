package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-rpc/parley/message"
)

// ErrNotFound says that there is no such resource. A reader of [Server.AddTemplate]
// returns it, or an error that wraps it, and the client is told in the words of its era:
// -32002 until 2025-11-25, -32602 since.
var ErrNotFound = errors.New("mcp: resource not found")

// place is the data of -32602: where in the params the fault is (RFC 6901), and what it
// is. It has the same members as that of [parley.Func].
type place struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"`
}

// String is the place and the reason: "/a: want an integer, got a string".
func (p place) String() string {
	if p.Pointer == "" {
		return p.Reason
	}
	return p.Pointer + ": " + p.Reason
}

// invalidAt is -32602 with a place.
func invalidAt(pointer, reason string) *message.Error {
	at := place{shortened(pointer, 1000), shortened(reason, 500)}
	return message.InvalidParams.Withf("%s", at).With(at)
}

// invalid is -32602 for params that cannot be decoded.
func invalid(err error) *message.Error { return invalidUnder("", err) }

// invalidUnder is invalid for a part of the params that stands at pointer.
func invalidUnder(pointer string, err error) *message.Error {
	if where, ok := errors.AsType[*message.DecodeError](err); ok {
		return invalidAt(pointer+where.Pointer, where.Err.Error())
	}
	return invalidAt(pointer, err.Error())
}

// pointerPart escapes a name as a part of a JSON pointer (RFC 6901, section 3).
func pointerPart(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// brief is a text of the client as it is repeated to it and in logs: without most of one
// that is longer than 200 bytes.
func brief(text string) string { return shortened(text, 200) }

// gaveUp reports whether err is how the ctx of a request ended. The peer knows what to
// say then, or that there is nobody to say it to.
func gaveUp(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// notFound is the answer to a request for a resource that does not exist.
func (x *exchange) notFound(uri string) *message.Error {
	uri = brief(uri)
	refusal := message.InvalidParams.Withf("there is no resource %q", uri)
	if x.era == EraLegacy {
		refusal = message.NewError(CodeResourceNotFound, fmt.Sprintf("Resource not found: %q", uri))
	}
	return refusal.With(struct {
		URI string `json:"uri"`
	}{uri})
}

// overLimit refuses what would pass a bound of the server. It is no fault of
// the server, so the code is that of a connection that is asked for too much.
func overLimit(what string, limit int) *message.Error {
	return message.NewError(message.CodeServerError, fmt.Sprintf("there may be no more than %d %s", limit, what)).With(struct {
		Limit int    `json:"limit"`
		What  string `json:"what"`
	}{limit, what})
}
