package parley

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/parley-rpc/parley/message"
)

// A Route is a handler and the method that it answers.
type Route struct {
	Method  string
	Handler Handler
}

// A Mux hands each request to the handler of its method. It is one way to make a
// Handler; Connect and Serve know nothing of it. Its methods may be called at once
// from many goroutines. The zero Mux is empty and ready.
type Mux struct {
	mu     sync.RWMutex
	routes map[string]Handler
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
		m.routes = make(map[string]Handler)
	}
	for _, r := range routes {
		if r.Method == "" || r.Handler == nil {
			panic("parley: Mux.Add: a route needs a method and a handler")
		}
		if m.routes[r.Method] != nil {
			panic(fmt.Sprintf("parley: Mux.Add: method %q has a handler already", r.Method))
		}
		m.routes[r.Method] = r.Handler
	}
}

// Methods returns the names of all methods, sorted.
func (m *Mux) Methods() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.routes))
}

// Handle is the Handler that a Mux is. A method without a route is answered -32601
// (JSON-RPC 2.0, section 5.1); as a note it is dropped, as every note with an error
// is.
func (m *Mux) Handle(ctx context.Context, method string, params message.Raw) (any, error) {
	m.mu.RLock()
	h := m.routes[method]
	m.mu.RUnlock()
	if h == nil {
		return nil, message.MethodNotFound
	}
	return h(ctx, method, params)
}
