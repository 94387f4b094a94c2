package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A standing holds the answers that wait for calls of the server: those of --answer and,
// in a shell, those of :answer.
type standing struct {
	word string // what a person writes before METHOD=JSON to add one

	mu sync.Mutex
	by map[string]message.Raw
}

func newStanding(replies map[string]message.Raw) *standing {
	s := &standing{word: "--answer", by: make(map[string]message.Raw)}
	maps.Copy(s.by, replies)
	return s
}

// to returns the answer to a method, if there is one.
func (s *standing) to(method string) (message.Raw, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, ok := s.by[method]
	return answer, ok
}

// add adds answers, in the place of those to the same methods.
func (s *standing) add(answers map[string]message.Raw) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.by, answers)
}

// lines are the answers as they were written, sorted by method.
func (s *standing) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, method := range slices.Sorted(maps.Keys(s.by)) {
		lines = append(lines, method+"="+s.by[method].String())
	}
	return lines
}

// mcpQuestions are what an MCP server may ask, each with a check that an answer fits.
var mcpQuestions = map[string]func(message.Raw) error{
	string(mcp.Elicit):        fits[mcp.ElicitResult],
	string(mcp.CreateMessage): fits[mcp.CreateMessageResult],
	string(mcp.ListRoots):     fits[mcp.ListRootsResult],
}

func fits[T any](answer message.Raw) error { return answer.Decode(new(T)) }

// checkMCPAnswers refuses answers that an MCP server would never see, or could not read.
func checkMCPAnswers(answers map[string]message.Raw) error {
	for _, method := range slices.Sorted(maps.Keys(answers)) {
		check, ok := mcpQuestions[method]
		if !ok {
			return usagef("no MCP server asks %s", quoteArg(method)).withHint("they ask %s", list(slices.Sorted(maps.Keys(mcpQuestions))))
		}
		if err := check(answers[method]); err != nil {
			return usagef("the answer to %s does not fit it: %v", method, err)
		}
	}
	return nil
}

// errNobody is the answer to a question that nobody answers.
var errNobody = errors.New("nobody is here to answer that")

// announce gives an MCP client the answers to what its server may ask. What is announced
// is what has an answer, or all of it if more may be added later: the announcement is
// made once, at the start.
func (c *client) announce(o *mcp.ClientOptions, later bool) {
	offered := func(method string) bool {
		_, ok := c.standing.to(method)
		return ok || later
	}
	if offered(string(mcp.Elicit)) {
		o.Elicit = func(context.Context, mcp.ElicitParams) (*mcp.ElicitResult, error) {
			// A user who went away without a choice is what there is.
			return standingTo(c, string(mcp.Elicit), &mcp.ElicitResult{Action: mcp.ElicitCancel})
		}
		o.Capabilities.Elicitation = &mcp.ElicitationCapability{Form: &mcp.Empty{}, URL: &mcp.Empty{}}
	}
	if offered(string(mcp.CreateMessage)) {
		o.Sample = func(context.Context, mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
			return standingTo[mcp.CreateMessageResult](c, string(mcp.CreateMessage), nil)
		}
	}
	if offered(string(mcp.ListRoots)) {
		o.Roots = func(context.Context) ([]mcp.Root, error) {
			found, err := standingTo(c, string(mcp.ListRoots), &mcp.ListRootsResult{})
			if err != nil {
				return nil, err
			}
			return found.Roots, nil
		}
	}
}

// standingTo returns the answer to a question of an MCP server, or else what is said when
// there is none; nil is an error. A person is told once that an answer is missing.
func standingTo[T any](c *client, method string, otherwise *T) (*T, error) {
	answer, ok := c.standing.to(method)
	if ok {
		result := new(T)
		return result, answer.Decode(result)
	}
	if _, known := c.unknown.LoadOrStore(method, true); !known {
		c.app.tell.printf("parley: the server asked %s, and nobody answered: %s '%[1]s={…}' does", method, c.standing.word)
	}
	if otherwise == nil {
		return nil, fmt.Errorf("%s: %w", method, errNobody)
	}
	return otherwise, nil
}
