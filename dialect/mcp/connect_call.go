package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/parley-rpc/parley/message"
)

var (
	// ErrResult says that a server answered with something that the protocol does not
	// allow there: a resultType that nobody knows, a question of a kind that the client
	// did not announce, a cursor that leads in a circle.
	ErrResult = errors.New("mcp: the server's answer breaks the protocol")

	// ErrRounds says that a server had still a question after 16 rounds of them.
	ErrRounds = errors.New("mcp: the server goes on asking")
)

// mayQuestion are the methods whose result may be a question ("Multi round-trip
// requests").
var mayQuestion = []string{string(CallTool), string(GetPrompt), string(ReadResource)}

// The protocol sets no number for either. A person who is asked will have given up by
// then.
const (
	maxRounds    = 16  // of questions to one request
	maxQuestions = 100 // in one round
)

// Call calls a method that has no method of its own here, and decodes the result into
// result, like [parley.Conn.Call]. In the modern era it adds to the _meta of params what
// each request carries, answers what the server asks meanwhile with the functions of
// [ClientOptions], and refuses a result of an unknown type with [ErrResult].
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	raw, err := c.ask(ctx, method, params)
	if err != nil || result == nil {
		return err
	}
	if err := raw.Decode(result); err != nil {
		return fmt.Errorf("%w: %s: the result does not fit %T: %w", ErrResult, method, result, err)
	}
	return nil
}

// ask calls a method until its result is no question any more ("Multi round-trip
// requests"):
//
//	request ──► complete
//	   ▲ └────► input_required {inputRequests, requestState}
//	   │               │ the functions of ClientOptions
//	   └── as it was, with inputResponses and the same requestState, under a new id
func (c *Client) ask(ctx context.Context, method string, params any) (message.Raw, error) {
	original, err := encodeObject(params)
	if err != nil {
		return nil, fmt.Errorf("mcp: %s: params: %w", method, err)
	}
	now := c.agreed()
	if now.era == EraLegacy {
		return c.onceLegacy(ctx, method, original)
	}
	next := original
	for round := 0; ; round++ {
		stamped, err := c.stamp(next, now.version)
		if err != nil {
			return nil, fmt.Errorf("mcp: %s: no place for %s in the params: %w", method, metaMember, err)
		}
		raw, err := c.once(ctx, method, stamped)
		if err != nil {
			return nil, err
		}
		asks, err := c.isQuestion(method, raw)
		if err != nil || !asks {
			return raw, err
		}
		if round == maxRounds {
			return nil, fmt.Errorf("%w: %s, after %d rounds", ErrRounds, method, maxRounds)
		}
		if next, err = c.reply(ctx, original, raw); err != nil {
			return nil, fmt.Errorf("mcp: %s: %w", method, err)
		}
	}
}

// encodeObject returns params as JSON, and null as none.
func encodeObject(params any) (message.Raw, error) {
	raw, err := message.Encode(params)
	if err != nil || string(raw) == "null" {
		return nil, err
	}
	return raw, nil
}

// once calls a method for its result. Every result of MCP is an object, and what looks
// for members later would take anything else for an empty one.
func (c *Client) once(ctx context.Context, method string, params message.Raw) (message.Raw, error) {
	var raw message.Raw
	if err := c.conn.Call(ctx, method, params, &raw); err != nil {
		return nil, err
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, fmt.Errorf("%w: %s: the result is no object", ErrResult, method)
	}
	return raw, nil
}

// onceLegacy is once in the era whose results have no type. A server that asks in one all
// the same has not done what it was called for.
func (c *Client) onceLegacy(ctx context.Context, method string, params message.Raw) (message.Raw, error) {
	raw, err := c.once(ctx, method, params)
	if err != nil {
		return nil, err
	}
	if kind, err := resultType(raw); err == nil && kind == ResultInputRequired && slices.Contains(mayQuestion, method) {
		return nil, unknownResult(method, raw)
	}
	return raw, nil
}

// stamp adds to params what every request of the modern era carries ("General fields",
// _meta). It touches no other byte. A caller cannot speak for itself there: a version or
// a capability that was not agreed on would only lead the server astray. The version is
// an argument because the probe has to name one before there is an agreement.
func (c *Client) stamp(params message.Raw, version string) (message.Raw, error) {
	said := []message.Member{
		{Name: MetaProtocolVersion, Value: quote(version)},
		{Name: MetaClientCapabilities, Value: c.stampCan},
		{Name: MetaClientInfo, Value: c.stampInfo},
	}
	c.mu.Lock()
	if c.level != "" {
		said = append(said, message.Member{Name: MetaLogLevel, Value: quote(string(c.level))})
	}
	c.mu.Unlock()

	meta, _ := params.Member(metaMember)
	for _, m := range said {
		var err error
		if meta, err = meta.Set(m.Value, m.Name); err != nil {
			return nil, err
		}
	}
	return params.Set(meta, metaMember)
}

// quote returns text as JSON, which every text has.
func quote(text string) message.Raw {
	raw, _ := message.Encode(text)
	return raw
}

// resultType returns the type of a result; an absent one is complete.
func resultType(raw message.Raw) (string, error) {
	text, ok := raw.Member("resultType")
	if !ok {
		return ResultComplete, nil
	}
	var kind string
	err := text.Decode(&kind)
	if kind == "" && err == nil {
		err = errors.New("an empty type") // it is not an absent one
	}
	return kind, err
}

// isQuestion reports whether the result of a method is a question, or else why it is
// not to be used.
func (c *Client) isQuestion(method string, raw message.Raw) (bool, error) {
	kind, err := resultType(raw)
	if err != nil {
		return false, unknownResult(method, raw)
	}
	switch kind {
	case ResultComplete:
		return false, nil
	case ResultTask:
		if _, ok := c.can.Extensions[ExtensionTasks]; ok && method == string(CallTool) {
			return false, nil
		}
	case ResultInputRequired:
		if slices.Contains(mayQuestion, method) {
			return true, nil
		}
	}
	return false, unknownResult(method, raw)
}

// unknownResult is the error about a result of a type that must not be there.
func unknownResult(method string, raw message.Raw) error {
	kind, _ := raw.Member("resultType")
	const most = 100 // bytes of a stranger in an error
	return fmt.Errorf("%w: %s: a result of type %.*q", ErrResult, method, most, kind.String())
}

// reply answers the questions in a result, and returns the params of the next round: the
// original ones with the answers. The state goes back byte by byte: the server may have
// signed it. Answers of earlier rounds do not go back, since what the server still needs
// of them is in its state.
func (c *Client) reply(ctx context.Context, original, question message.Raw) (message.Raw, error) {
	requests, asked := question.Member("inputRequests")
	state, stateful := question.Member("requestState")
	if !asked && !stateful {
		return nil, fmt.Errorf("%w: it asks for input and does not say for what", ErrResult)
	}
	next := original
	if asked { // else it only wants to be asked again, which may be done at once
		answers, err := c.answerAll(ctx, requests)
		if err != nil {
			return nil, err
		}
		if next, err = next.Set(answers, "inputResponses"); err != nil {
			return nil, err
		}
	}
	if !stateful {
		return next, nil
	}
	if state[0] != '"' {
		return nil, fmt.Errorf("%w: a requestState that is no string", ErrResult)
	}
	return next.Set(state, "requestState")
}

// answerAll answers questions one after another, since the same person may have to answer
// them all, in the order of their keys.
func (c *Client) answerAll(ctx context.Context, requests message.Raw) (message.Raw, error) {
	var questions map[string]InputRequest
	if err := requests.Decode(&questions); err != nil {
		return nil, fmt.Errorf("%w: inputRequests: %w", ErrResult, err)
	}
	if len(questions) > maxQuestions {
		return nil, fmt.Errorf("%w: %d questions at once, of which there may be %d", ErrResult, len(questions), maxQuestions)
	}
	answers := make(map[string]message.Raw, len(questions))
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		question := questions[key]
		answer, ok := c.answers[question.Method]
		if !ok {
			return nil, fmt.Errorf("%w: question %q is %q, which this client did not announce", ErrResult, key, question.Method)
		}
		said, err := answer(ctx, question.Method, question.Params)
		if err == nil {
			answers[key], err = message.Encode(said)
		}
		switch {
		case errors.Is(err, message.InvalidParams):
			// It is an error of ours about the server, and must not look like one that
			// the server answered.
			return nil, fmt.Errorf("%w: question %q (%s): %s", ErrResult, key, question.Method, err.Error())
		case err != nil:
			return nil, fmt.Errorf("question %q (%s): %w", key, question.Method, err)
		}
	}
	return message.Encode(answers)
}
