package parley

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/parley-rpc/parley/message"
)

// A Route is a handler and the method that it answers. The first two fields are all
// that a Mux needs; the others are for whoever describes what is in it, such as an MCP
// server, and [Method.Handle] and [Note.Handle] set them.
type Route struct {
	Method  string
	Handler Handler

	Note   bool         // it takes notes, and answers nothing
	Params reflect.Type // what the handler decodes params into; nil: not known
	Result reflect.Type // what it returns; nil: not known, or nothing
	Doc    string       // what it does, in a sentence for a person or a model
}

// Describe returns the route with a sentence on what it does.
func (r Route) Describe(doc string) Route {
	r.Doc = doc
	return r
}

// A Mux hands each request to the handler of its method. It is one way to make a
// Handler; Connect and Serve know nothing of it. Its methods may be called at once
// from many goroutines. The zero Mux is empty and ready.
type Mux struct {
	mu     sync.RWMutex
	routes map[string]Route
}

// NewMux returns a Mux of the given routes. Two routes of one method are a mistake
// in the program, and it panics.
func NewMux(routes ...Route) *Mux {
	m := new(Mux)
	m.Add(routes...)
	return m
}

// Add adds routes. It panics if a method has a handler already, or is empty.
func (m *Mux) Add(routes ...Route) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.routes == nil {
		m.routes = make(map[string]Route)
	}
	for _, r := range routes {
		if r.Method == "" || r.Handler == nil {
			panic("parley: Mux.Add: a route needs a method and a handler")
		}
		if _, taken := m.routes[r.Method]; taken {
			panic(fmt.Sprintf("parley: Mux.Add: method %q has a handler already", r.Method))
		}
		m.routes[r.Method] = r
	}
}

// Methods returns the names of all methods, sorted.
func (m *Mux) Methods() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.routes))
}

// Routes returns all routes, sorted by their methods.
func (m *Mux) Routes() []Route {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.SortedFunc(maps.Values(m.routes), func(a, b Route) int { return strings.Compare(a.Method, b.Method) })
}

// Handle is the Handler that a Mux is. A method without a route is answered -32601
// (JSON-RPC 2.0, section 5.1); as a note it is dropped, as every note with an error
// is.
func (m *Mux) Handle(ctx context.Context, method string, params message.Raw) (any, error) {
	m.mu.RLock()
	r, ok := m.routes[method]
	m.mu.RUnlock()
	if !ok {
		return nil, message.MethodNotFound
	}
	return r.Handler(ctx, method, params)
}
