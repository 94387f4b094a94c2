package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Who may keep a result that a modern client may cache ("Caching").
const (
	CachePublic  = "public"  // anybody: it is the same for all
	CachePrivate = "private" // only whoever asked
)

// Info is what a server says about itself, and how it serves. Only Name and Version are
// required by the protocol; the zero value of every other field is its default.
type Info struct {
	Name, Version string
	Title         string // for people, since 2025-06-18
	Instructions  string // for a model, how to use the server

	// PageSize is how many things a page of a list has. 0 is 100. A page also ends
	// before it passes 1 MiB.
	PageSize int

	// TTL is how long a modern client may keep a list or what it has read. 0 means
	// that it is stale at once. A note that says otherwise ends it early.
	TTL time.Duration

	// CacheScope is who may keep it. "" is [CachePrivate].
	CacheScope string

	// Secret authenticates what travels through the client between the rounds of a
	// request ([AskUser]). Servers that stand in for each other share one. None is 32
	// random bytes, which no other process knows.
	Secret []byte

	// StateTTL is how long the client may take for one round. 0 is 10 minutes.
	StateTTL time.Duration

	// Principal names who makes a request, where the transport knows: what was asked
	// of one is not answered by another. Nil means that all are one.
	Principal func(ctx context.Context) string

	// Annotate has hints on tools of the Mux, by their names.
	Annotate map[string]ToolAnnotations

	// Plain answers the methods that neither MCP nor the Mux has, as plain JSON-RPC.
	// Nil answers them -32601.
	Plain parley.Handler

	// Logger receives what the server notices, such as a route that cannot be a tool.
	// Nil logs nothing.
	Logger *slog.Logger
}

// Server serves a [parley.Mux] as MCP, on any number of connections at once. Its
// methods may be called from many goroutines.
type Server struct {
	info     Info
	mux      *parley.Mux
	log      *slog.Logger
	selfMeta message.Raw // the _meta of a modern result that has no other

	now atomic.Pointer[catalog] // what is on offer; changed under mu

	mu    sync.Mutex
	links map[*link]struct{} // the connections
}

// Serve serves the routes of mux as MCP tools on stream, in whichever era the client
// speaks, until the input ends and every answer is written. See [parley.Serve] for what
// it returns. That a client has hung up without waiting for its last answers is no error.
func Serve(ctx context.Context, stream frame.Stream, mux *parley.Mux, info Info) error {
	return NewServer(mux, info).Serve(ctx, stream, nil)
}

// NewServer returns a server of the routes of mux, which may be nil. A route is a tool
// if its name is one ("Tools", tool names: 1 to 128 of A-Z a-z 0-9 _ - .), if it is no
// note, and if its params are an object or not known. Routes that are added to mux later
// become tools with the next [Server.SetTools].
func NewServer(mux *parley.Mux, info Info) *Server {
	if mux == nil {
		mux = new(parley.Mux)
	}
	if info.PageSize <= 0 {
		info.PageSize = 100
	}
	if info.CacheScope == "" {
		info.CacheScope = CachePrivate
	}
	if info.StateTTL <= 0 {
		info.StateTTL = 10 * time.Minute
	}
	if len(info.Secret) == 0 {
		info.Secret = make([]byte, 32)
		rand.Read(info.Secret) // never fails
	}
	s := &Server{info: info, mux: mux, log: info.Logger, links: make(map[*link]struct{})}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	// A name and a version always have a JSON form, and an absent object room for them.
	self, _ := message.Encode(s.implementation(Latest))
	s.selfMeta, _ = message.Raw(nil).Set(self, MetaServerInfo)
	tools, _ := s.shelve(nil, s.log) // those of the mux alone cannot clash
	s.now.Store(&catalog{
		tools:     tools,
		resources: newShelf("resources", fitResource, nil),
		templates: newShelf("resourceTemplates", fitTemplate, nil),
		prompts:   newShelf("prompts", fitPrompt, nil),
		offers:    offers{tools: len(tools.names) > 0},
	})
	return s
}

// Serve is [Serve] with options. The dialect in them is not used: it is the one of this
// package. Each stream of subscriptions/listen takes up one of opts.Handlers.
func (s *Server) Serve(ctx context.Context, stream frame.Stream, opts *parley.Options) error {
	c := s.Connect(stream, opts)
	select {
	case <-c.Done():
		return c.Wait()
	case <-ctx.Done():
		return errors.Join(ctx.Err(), c.Close())
	}
}

// Connect begins to serve on stream and returns the connection, as [parley.Connect]
// does. A nil Logger in opts is that of [Info].
func (s *Server) Connect(stream frame.Stream, opts *parley.Options) *parley.Conn {
	var set parley.Options
	if opts != nil {
		set = *opts
	}
	if set.Logger == nil {
		set.Logger = s.info.Logger
	}
	l := newLink(s, set.Handlers)
	words := Dialect
	words.Codec, words.NoBatch = gate{Dialect.Codec, l}, false
	set.Dialect = &words

	s.mu.Lock()
	s.links[l] = struct{}{}
	s.mu.Unlock()
	conn := parley.Connect(watch(stream, l), l.handle, &set)
	go l.live(conn)
	return conn
}

// forget drops a connection that has ended.
func (s *Server) forget(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, l)
}

// implementation names the server in the words of a version.
func (s *Server) implementation(version string) Implementation {
	self := Implementation{Name: s.info.Name, Version: s.info.Version}
	if version >= Version20250618 {
		self.Title = s.info.Title
	}
	return self
}

// capabilities are what the server can do now, in the words of a version. Lists may
// always change, and whoever logs needs nothing but a [Logger].
func (s *Server) capabilities(version string) ServerCapabilities {
	can := ServerCapabilities{Logging: &Empty{}}
	has := s.now.Load().offers
	if has.tools {
		can.Tools = &ListCapability{ListChanged: true}
	}
	if has.prompts {
		can.Prompts = &ListCapability{ListChanged: true}
	}
	if has.resources {
		can.Resources = &ResourcesCapability{Subscribe: true, ListChanged: true}
	}
	if has.completions && version >= Version20250326 {
		can.Completions = &Empty{}
	}
	return can
}

// cacheable is what a modern result says that may be kept.
func (s *Server) cacheable() Cacheable {
	ttl := s.info.TTL.Milliseconds()
	return Cacheable{TTLMs: &ttl, CacheScope: s.info.CacheScope}
}
