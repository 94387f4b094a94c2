package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// ServedTool is a tool that is no route of a Mux, such as one that was read from a file.
type ServedTool struct {
	Tool Tool

	// Call runs the tool. The arguments are an object that fits Tool.InputSchema. What
	// it returns has to fit Tool.OutputSchema, if there is one. An error becomes a
	// result with IsError and its text; see the package comment for the exceptions.
	Call func(ctx context.Context, args message.Raw) (*CallToolResult, error)
}

// Completer proposes how a blank of a prompt or of a resource template may go on. Of more
// than 100 proposals the client is sent the first 100, and told so.
type Completer func(ctx context.Context, params CompleteParams) (*Completion, error)

// catalog is all that a server offers at one time. It is never changed, only replaced, so
// that whoever reads it needs no lock.
type catalog struct {
	tools      *shelf[*tool]
	resources  *shelf[*resource]
	templates  *shelf[*template]
	prompts    *shelf[*prompt]
	completers map[Reference]Completer
	offers     offers
}

// offers are the kinds of things that a server has or once had. A kind stays even if
// nothing of it is left, because clients were told of it.
type offers struct{ tools, resources, prompts, completions bool }

// resource is a resource and what reads it.
type resource struct {
	Resource
	read func(ctx context.Context, uri string) (*ReadResourceResult, error)
}

// prompt is a prompt and what fills it in.
type prompt struct {
	Prompt
	get func(ctx context.Context, args map[string]string) (*GetPromptResult, error)
}

// SetTools replaces the tools that the server has beside those of its Mux, and tells the
// clients. Calls that have begun go on with the tool that they found.
//
// If a tool has no valid name, no Call, a schema that is none or that cannot be checked
// here, or the name of another tool, nothing changes and the error names all faults.
func (s *Server) SetTools(tools []ServedTool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// What cannot be a tool of the Mux was logged by NewServer.
	shelf, err := s.shelve(tools, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	s.changeLocked(aboutTools, func(c *catalog) {
		c.tools = shelf
		c.offers.tools = true
	})
	return nil
}

// AddResource adds a resource, or replaces the one with its URI, and tells the clients.
// It panics if there is no URI, no name or nothing to read with, or if the resource has
// no JSON form: those are mistakes in the program.
func (s *Server) AddResource(r Resource, read func(ctx context.Context, uri string) (*ReadResourceResult, error)) {
	mustHave("AddResource", r, r.URI != "" && r.Name != "" && read != nil, "a URI, a name and a function")
	s.change(aboutResources, func(c *catalog) {
		c.resources = c.resources.with(r.URI, &resource{r, read})
		c.offers.resources = true
	})
}

// RemoveResource removes the resource with the URI and tells the clients.
func (s *Server) RemoveResource(uri string) {
	s.change(aboutResources, func(c *catalog) { c.resources = c.resources.without(uri) })
}

// AddTemplate adds a family of resources, or replaces the one with its template, and
// tells the clients. A URI is read by the resource of that URI or else by the first
// template, in the order of their texts, that it fits; vars are what stands in the
// blanks, unescaped.
//
// A blank is {name}, which stands for one or more characters other than "/", "?" and
// "#", or {+name}, for any (RFC 6570, sections 3.2.2 and 3.2.3). Other expressions
// cannot be told apart in a URI, and AddTemplate panics, as [Server.AddResource] does.
func (s *Server) AddTemplate(t ResourceTemplate, read func(ctx context.Context, uri string, vars map[string]string) (*ReadResourceResult, error)) {
	mustHave("AddTemplate", t, t.URITemplate != "" && t.Name != "" && read != nil, "a template, a name and a function")
	pattern, err := compileTemplate(t.URITemplate)
	if err != nil {
		panic("mcp: AddTemplate: " + err.Error())
	}
	s.change(aboutResources, func(c *catalog) {
		c.templates = c.templates.with(t.URITemplate, &template{t, pattern, read})
		c.offers.resources = true
	})
}

// RemoveTemplate removes the family with the template and tells the clients.
func (s *Server) RemoveTemplate(uriTemplate string) {
	s.change(aboutResources, func(c *catalog) { c.templates = c.templates.without(uriTemplate) })
}

// ResourceUpdated tells the clients that have subscribed to the URI that the resource
// holds something else now. It does not wait for them: of a change that a client has not
// been told yet it is told once.
func (s *Server) ResourceUpdated(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tellLocked(aboutResource, uri)
}

// AddPrompt adds a prompt, or replaces the one with its name, and tells the clients. It
// panics as [Server.AddResource] does. get is called with all arguments that the prompt
// requires.
func (s *Server) AddPrompt(p Prompt, get func(ctx context.Context, args map[string]string) (*GetPromptResult, error)) {
	mustHave("AddPrompt", p, p.Name != "" && get != nil, "a name and a function")
	s.change(aboutPrompts, func(c *catalog) {
		c.prompts = c.prompts.with(p.Name, &prompt{p, get})
		c.offers.prompts = true
	})
}

// RemovePrompt removes the prompt with the name and tells the clients.
func (s *Server) RemovePrompt(name string) {
	s.change(aboutPrompts, func(c *catalog) { c.prompts = c.prompts.without(name) })
}

// CompletePrompt has fn propose arguments of the prompt with the name. A nil fn proposes
// none.
func (s *Server) CompletePrompt(name string, fn Completer) {
	s.complete(Reference{Type: RefPrompt, Name: name}, fn)
}

// CompleteTemplate has fn propose what to put into the blanks of the template.
func (s *Server) CompleteTemplate(uriTemplate string, fn Completer) {
	s.complete(Reference{Type: RefResource, URI: uriTemplate}, fn)
}

func (s *Server) complete(ref Reference, fn Completer) {
	s.change(aboutNothing, func(c *catalog) {
		c.completers = maps.Clone(c.completers)
		if fn == nil {
			delete(c.completers, ref)
			return
		}
		if c.completers == nil {
			c.completers = make(map[Reference]Completer)
		}
		c.completers[ref] = fn
		c.offers.completions = true
	})
}

// change replaces the catalog by one that edit has changed, and tells the clients.
func (s *Server) change(what about, edit func(*catalog)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changeLocked(what, edit)
}

func (s *Server) changeLocked(what about, edit func(*catalog)) {
	next := *s.now.Load()
	edit(&next)
	s.now.Store(&next)
	s.tellLocked(what, "")
}

// mustHave panics if something that is added is not complete, or cannot be listed.
func mustHave(method string, thing any, has bool, needs string) {
	if !has {
		panic(fmt.Sprintf("mcp: %s: it needs %s", method, needs))
	}
	if _, err := message.Encode(thing); err != nil {
		panic(fmt.Sprintf("mcp: %s: %v", method, err))
	}
}

// toolName is what a tool may be called ("Tools", tool names).
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// errNoName says what a name may be made of.
var errNoName = errors.New("a tool's name has 1 to 128 letters, digits, dots, hyphens and underscores of ASCII")

// shelve makes the list of all tools: those of the Mux and the added ones. What of the
// Mux cannot be a tool is logged, and left to plain JSON-RPC; a fault of an added one is
// an error.
func (s *Server) shelve(added []ServedTool, log *slog.Logger) (*shelf[*tool], error) {
	tools := make(map[string]*tool)
	for _, route := range s.mux.Routes() {
		if route.Note {
			continue
		}
		t, err := toolOf(route, s.info.Annotate)
		if err != nil {
			log.Warn("a method is no tool", "method", route.Method, "reason", err.Error())
			continue
		}
		tools[route.Method] = t
	}
	var faults []error
	for _, a := range added {
		t, err := newTool(a)
		if _, taken := tools[a.Tool.Name]; err == nil && taken {
			err = errors.New("another tool has the name")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("mcp: tool %q: %w", a.Tool.Name, err))
			continue
		}
		tools[a.Tool.Name] = t
	}
	return newShelf("tools", fitTool, tools), errors.Join(faults...)
}

// toolOf makes a tool of a route.
func toolOf(route parley.Route, annotate map[string]ToolAnnotations) (*tool, error) {
	if !toolName.MatchString(route.Method) {
		return nil, errNoName
	}
	t := &tool{Tool: Tool{Name: route.Method, Description: route.Doc}}
	t.call = callRoute(t, route)
	if hints, ok := annotate[route.Method]; ok {
		t.Annotations = &hints
	}
	if !isOpaque(route.Params) {
		schema, err := schemaOf(route.Params)
		if err != nil {
			return nil, fmt.Errorf("its params: %w", err)
		}
		switch schema.root.Type {
		case "object":
			t.InputSchema, t.input = schema.text, schema
		case "": // it reads itself, and says what it wants when it does
		default:
			return nil, errors.New("its params are no object")
		}
	}
	if !isOpaque(route.Result) {
		// A text needs no schema, and a type that has none may do without: whether it has
		// a JSON form shows when there is a result.
		schema, err := schemaOf(route.Result)
		if err == nil && schema.root.Type != "string" && schema.root.Type != "" {
			t.OutputSchema = schema.text
		}
	}
	return t, nil
}

// newTool checks a tool that is no route.
func newTool(a ServedTool) (*tool, error) {
	t := &tool{Tool: a.Tool, call: a.Call}
	if !toolName.MatchString(a.Tool.Name) {
		return nil, errNoName
	}
	if a.Call == nil {
		return nil, errors.New("it has no Call")
	}
	var err error
	if !a.Tool.InputSchema.IsZero() {
		if t.input, err = ParseSchema(a.Tool.InputSchema); err != nil {
			return nil, fmt.Errorf("its input schema: %w", err)
		}
		if t.input.root.Type != "object" {
			return nil, errors.New("its input schema is not of the type object")
		}
	}
	if !a.Tool.OutputSchema.IsZero() {
		if t.output, err = ParseSchema(a.Tool.OutputSchema); err != nil {
			return nil, fmt.Errorf("its output schema: %w", err)
		}
	}
	if _, err := message.Encode(a.Tool); err != nil {
		return nil, err
	}
	return t, nil
}
