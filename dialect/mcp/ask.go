package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

var (
	// ErrInputRequired is what [AskUser] and its like return while the client has not
	// been asked yet (modern era). The handler returns it, or an error that wraps it, and
	// is run again with the answer.
	ErrInputRequired = errors.New("mcp: the client has to be asked first")

	// ErrCannotAsk is what they wrap if the client has not said that it can be asked
	// this, or if ctx is not that of a handler that may ask. A handler that can do
	// without goes on; one that returns it has the client told what it lacks.
	ErrCannotAsk = errors.New("mcp: the client cannot be asked this")
)

// AskUser asks the user of the client something, by a form or on a page. It works in the
// handlers of tools, resources and prompts, in both eras alike for who keeps to one rule:
// return the error that you get.
//
// In the legacy era it is a call back to the client, and returns with the answer. In the
// modern era, where a server cannot call, it first returns [ErrInputRequired]: the
// request is answered with the question, the client sends it again with the answer, and
// the handler runs once more, from its beginning. So it asks before it does anything
// that must not be done twice, and asks the same each time: an answer is kept for the
// question that it was given to, by their order and by their text. It may ask several
// things before it returns, which then travel together; at most 64 in all.
//
// A client that has not announced the ability is not asked; see [ErrCannotAsk].
func AskUser(ctx context.Context, params ElicitParams) (*ElicitResult, error) {
	needs := ClientCapabilities{Elicitation: &ElicitationCapability{}}
	if params.Mode == ElicitURL {
		needs.Elicitation.URL = &Empty{}
	}
	if x := exchangeFrom(ctx); x != nil && x.version < Version20251125 && params.Mode == ElicitForm {
		params.Mode = "" // it has no modes
	}
	return question(ctx, Elicit, params, needs)
}

// AskModel asks the model of the client; see [AskUser].
func AskModel(ctx context.Context, params CreateMessageParams) (*CreateMessageResult, error) {
	needs := ClientCapabilities{Sampling: &SamplingCapability{}}
	if params.Tools != nil || params.ToolChoice != nil {
		needs.Sampling.Tools = &Empty{}
	}
	return question(ctx, CreateMessage, params, needs)
}

// AskRoots asks in which folders the server may work; see [AskUser].
func AskRoots(ctx context.Context) ([]Root, error) {
	result, err := question(ctx, ListRoots, EmptyParams{}, ClientCapabilities{Roots: &ListCapability{}})
	if err != nil {
		return nil, err
	}
	return result.Roots, nil
}

// question asks the client what m asks, in the way of the era.
func question[P, R any](ctx context.Context, m parley.Method[P, *R], params P, needs ClientCapabilities) (*R, error) {
	x := exchangeFrom(ctx)
	switch {
	case x == nil || x.era == 0, x.era == EraModern && x.rounds == nil:
		return nil, fmt.Errorf("%w: %s: no client is waiting here for a result of MCP", ErrCannotAsk, string(m))
	case !covers(x.client, needs) && x.era == EraModern:
		return nil, &lackError{string(m), message.NewError(CodeMissingCapability, "Missing required client capability").
			With(MissingCapability{RequiredCapabilities: needs})}
	case !covers(x.client, needs):
		return nil, fmt.Errorf("%w: %s", ErrCannotAsk, string(m))
	}
	raw, err := x.askRaw(ctx, string(m), params)
	if err != nil {
		return nil, err
	}
	result := new(R)
	return result, raw.Decode(result)
}

// askRaw asks the client, and checks that what it says is an answer: in the modern era
// that was done when the request came.
func (x *exchange) askRaw(ctx context.Context, method string, params any) (message.Raw, error) {
	if x.era == EraModern {
		return x.rounds.ask(method, params)
	}
	var raw message.Raw
	if err := parley.Caller(ctx).Call(ctx, method, params, &raw); err != nil {
		return nil, err
	}
	if err := checkResponse(method, raw); err != nil {
		return nil, fmt.Errorf("mcp: the client's answer to %s: %w", method, err)
	}
	return raw, nil
}

// covers reports whether a client that has some capabilities has those that are needed.
func covers(has, needs ClientCapabilities) bool {
	switch {
	case needs.Roots != nil:
		return has.Roots != nil
	case needs.Sampling != nil:
		return has.Sampling != nil && (needs.Sampling.Tools == nil || has.Sampling.Tools != nil)
	case has.Elicitation == nil:
		return false
	case needs.Elicitation.URL != nil:
		return has.Elicitation.URL != nil
	}
	// Neither mode means the form.
	return has.Elicitation.Form != nil || has.Elicitation.URL == nil
}

// lackError says that a modern client cannot be asked something, and wraps what tells it
// so. The legacy era has no such code.
type lackError struct {
	method string
	refuse *message.Error
}

// Error says what cannot be asked.
func (e *lackError) Error() string { return ErrCannotAsk.Error() + ": " + e.method }

// Unwrap lets errors.Is find [ErrCannotAsk] and the error reply alike.
func (e *lackError) Unwrap() []error { return []error{ErrCannotAsk, e.refuse} }
