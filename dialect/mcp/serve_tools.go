package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// tool is a tool and what runs it.
type tool struct {
	Tool
	input  *Schema // what the arguments have to fit; nil: any object does
	output *Schema // what a result has to fit; nil: its Go type sees to that, or nothing
	call   func(ctx context.Context, args message.Raw) (*CallToolResult, error)
}

// hasOutput reports whether a version lets the tool say what its results are: an object
// since 2025-06-18, anything in the modern era.
func (t *tool) hasOutput(version string) bool {
	if t.OutputSchema.IsZero() || version < Version20250618 {
		return false
	}
	kind, _ := t.OutputSchema.Member("type")
	return version > LatestLegacy || string(kind) == `"object"`
}

func listTools(ctx context.Context, p ListParams) (message.Raw, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.tools {
		return nil, message.MethodNotFound
	}
	return now.tools.page(x, p.Cursor)
}

// callTool runs a tool. There is an error reply only if there is no such tool, or no
// sense in the request; a tool that fails says so in its result ("Tools", error
// handling).
func callTool(ctx context.Context, p CallToolParams) (*CallToolResult, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.tools {
		return nil, message.MethodNotFound
	}
	t, ok := now.tools.find(p.Name)
	if !ok {
		return nil, invalidAt("/name", fmt.Sprintf("there is no tool %q", brief(p.Name)))
	}
	args := p.Arguments
	if args.IsZero() || string(args) == "null" {
		args = message.Raw("{}")
	}
	if args[0] != '{' {
		return nil, invalidAt("/arguments", "want an object")
	}
	if t.input != nil {
		if err := t.input.Check(args); err != nil {
			return x.badArguments(invalid(err))
		}
	}
	if err := x.begin(ctx, p.Name, args, p.RequestState, p.InputResponses); err != nil {
		return nil, err
	}
	result, err := t.call(ctx, args)
	if err != nil {
		return x.toolFailed(ctx, err)
	}
	return x.finish(t, result), nil
}

// badArguments says that the arguments do not fit: by an error reply until 2025-06-18,
// and since then (SEP-1303) in a result, which a model can read.
func (x *exchange) badArguments(refusal *message.Error) (*CallToolResult, error) {
	if x.version < Version20251125 {
		return nil, refusal
	}
	text := refusal.Message
	var at place
	if err := refusal.Data.Decode(&at); err == nil && at.Reason != "" {
		text = "Invalid arguments: " + at.String()
	}
	return x.failed(text), nil
}

// toolFailed makes the answer to a call whose tool returned an error.
func (x *exchange) toolFailed(ctx context.Context, err error) (*CallToolResult, error) {
	var told *message.Error
	switch {
	case gaveUp(ctx, err):
		return nil, err
	case errors.Is(err, ErrInputRequired) && x.rounds.asks():
		question, err := x.rounds.question()
		if err != nil {
			return nil, err
		}
		return &CallToolResult{ResultType: ResultInputRequired, InputRequired: question, Meta: x.meta(nil)}, nil
	case !errors.As(err, &told):
		return x.failed(err.Error()), nil
	case told.Code == CodeMissingCapability:
		return nil, told
	case told.Code == message.CodeInvalidParams:
		return x.badArguments(told)
	case err == error(told): //nolint:errorlint // one that is wrapped has more to say
		return x.failed(told.Message), nil
	}
	return x.failed(err.Error()), nil
}

// failed is a result that says why there is none.
func (x *exchange) failed(why string) *CallToolResult {
	return &CallToolResult{ResultType: x.kind(), IsError: true, Content: []Content{Text(why)}, Meta: x.meta(nil)}
}

// finish puts the result of a tool into the words of the version.
func (x *exchange) finish(t *tool, result *CallToolResult) *CallToolResult {
	var said CallToolResult // the caller's stays as it is
	if result != nil {
		said = *result
	}
	said.ResultType = said.typeOr(said.ResultType)
	complete := isComplete(said.ResultType) && said.Task == nil
	if complete && !said.IsError && t.output != nil {
		if err := x.checkOutput(t, said.StructuredContent); err != nil {
			x.link.server.log.Error("the result of a tool does not fit its schema", "tool", t.Name, "reason", err.Error())
			return x.failed("The result of the tool does not fit its output schema: " + err.Error())
		}
	}
	if complete && len(said.Content) == 0 && !said.StructuredContent.IsZero() {
		said.Content = []Content{Text(said.StructuredContent.String())}
	}
	if x.version < Version20250618 || x.era == EraLegacy && !isObject(said.StructuredContent) {
		said.StructuredContent = nil
	}
	if complete {
		said.ResultType = x.kind()
	}
	said.Meta = x.meta(said.Meta)
	return &said
}

// checkOutput holds a result against the schema that the tool promises.
func (x *exchange) checkOutput(t *tool, structured message.Raw) error {
	if structured.IsZero() {
		return errors.New("there is no structured content")
	}
	return t.output.Check(structured)
}

// isObject reports whether the text is a JSON object; absent text is fine as well.
func isObject(text message.Raw) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || text[0] == '{'
}

// callRoute makes what runs the tool t out of a route. Its result is made of what the
// handler returns: a *CallToolResult as it is; a string as a text; anything else as JSON,
// in a text and for programs.
func callRoute(t *tool, route parley.Route) func(context.Context, message.Raw) (*CallToolResult, error) {
	return func(ctx context.Context, args message.Raw) (*CallToolResult, error) {
		if t.input != nil {
			args = t.input.wholeNumbers(args)
		}
		result, err := route.Handler(ctx, route.Method, args)
		if err != nil {
			return nil, err
		}
		switch result := result.(type) {
		case *CallToolResult:
			return result, nil
		case CallToolResult:
			return &result, nil
		case string:
			return &CallToolResult{Content: []Content{Text(result)}}, nil
		}
		text, err := message.Encode(result)
		if err != nil {
			return nil, message.InternalError.Withf("the result of %q is no JSON: %v", route.Method, err)
		}
		return resultOf(t, text)
	}
}

// resultOf is the result of a route as that of a tool. No schema of a Go type lets a
// result be null, although a pointer may be.
func resultOf(t *tool, text message.Raw) (*CallToolResult, error) {
	switch {
	case string(text) == "null" && !t.OutputSchema.IsZero():
		return nil, errNothing
	case text[0] == '"':
		var plain string
		err := text.Decode(&plain)
		return &CallToolResult{Content: []Content{Text(plain)}}, err
	}
	return &CallToolResult{Content: []Content{Text(text.String())}, StructuredContent: text}, nil
}

// errNothing is what is wrong with a nil result where the output schema promises a value.
var errNothing = errors.New("The tool returned nothing, although its output schema promises a result.") //nolint:revive,staticcheck // the client is shown it as it is

// isOpaque reports whether a Go type says nothing about its JSON that a client could
// use: none, an interface, JSON text, or a result that is used as it is.
func isOpaque(t reflect.Type) bool {
	if t == nil {
		return true
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Interface || t == reflect.TypeFor[message.Raw]() || t == reflect.TypeFor[CallToolResult]()
}
