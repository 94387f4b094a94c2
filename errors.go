package parley

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

var (
	// ErrClosed is what every use of a connection wraps that has ended or that
	// ends before the call is answered. The reason stands behind it: what Close
	// or the other side did, such as the exit status of a child.
	ErrClosed = errors.New("parley: connection closed")

	// ErrDrain is returned by Serve and Wait when calls were still open after the
	// input had ended and nothing had moved for [Options.Drain].
	ErrDrain = errors.New("parley: input ended and the open calls made no progress")

	// ErrOverload ends a connection whose other side sends more notes, or more
	// bad records, than fit the backlog and the overflow of [Options].
	ErrOverload = errors.New("parley: more came than the backlog, its overflow and the outbound queue hold")

	// ErrFinished is returned by Progress when the call has its reply already.
	ErrFinished = errors.New("parley: the call is already answered")
)

// closedError is ErrClosed with its reason.
type closedError struct{ cause error }

func closed(cause error) error {
	if cause == nil || errors.Is(cause, ErrClosed) {
		return either(cause, ErrClosed)
	}
	return &closedError{cause}
}

// either is err, or the other one if there is none.
func either(err, otherwise error) error {
	if err == nil {
		return otherwise
	}
	return err
}

// Error says why, in the words of the reason; a plain EOF is said in ours.
func (e *closedError) Error() string {
	if e.cause == io.EOF { // A wrapped EOF says more than ours would.
		return ErrClosed.Error() + ": the other side ended its output"
	}
	return ErrClosed.Error() + ": " + e.cause.Error()
}

// Unwrap lets errors.Is find ErrClosed and the reason alike.
func (e *closedError) Unwrap() []error { return []error{ErrClosed, e.cause} }

// errShutdown answers the calls that are open when a connection ends.
var errShutdown = message.InternalError.Withf("shutting down")

// errCancelled answers a call that its caller has taken back (LSP 3.17).
var errCancelled = message.NewError(message.CodeRequestCancelled, "Request cancelled")

// limitError refuses what is beyond a bound, and names the bound.
func limitError(e *message.Error, what string, limit int64) *message.Error {
	return e.With(struct {
		Limit int64  `json:"limit"`
		What  string `json:"what"`
	}{limit, what})
}

// decodeParams decodes params into v, or says in JSON-RPC's words what does not fit
// and where.
func decodeParams(params message.Raw, v any) error {
	if len(params) == 0 {
		return nil
	}
	err := params.Decode(v)
	if _, refused := errors.AsType[*message.Error](err); err == nil || refused {
		return err // an UnmarshalJSON may refuse in its own words
	}
	at := struct {
		Pointer string `json:"pointer"`
		Reason  string `json:"reason"`
	}{Reason: err.Error()}
	if where, ok := errors.AsType[*jsonx.Error](err); ok {
		at.Pointer, at.Reason = where.Pointer, where.Err.Error()
	}
	return message.InvalidParams.With(at)
}

// remoteError turns the error of a handler into what is sent: the *message.Error
// that it is or wraps, or else -32603 with the name of its type.
func remoteError(err error) *message.Error {
	if e, ok := errors.AsType[*message.Error](err); ok && e != nil {
		return e
	}
	return internalError(err.Error(), exception(err))
}

// internalError is -32603 with the name of a Go type as data.exception.
func internalError(text, exception string) *message.Error {
	return message.InternalError.Withf("%s", text).With(struct {
		Exception string `json:"exception"`
	}{exception})
}

// exception names the first type in err's Unwrap chain that says something: one
// that neither fmt nor errors made. If there is none it names the outermost.
func exception(err error) string {
	for e := err; e != nil; e = errors.Unwrap(e) {
		switch name := fmt.Sprintf("%T", e); name {
		case "*fmt.wrapError", "*fmt.wrapErrors", "*fmt.fmtError", "*errors.errorString", "*errors.joinError":
		default:
			return name
		}
	}
	return fmt.Sprintf("%T", err)
}

// ended reports whether err is how ctx ended, so that the handler gave up rather
// than failed.
func ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}
