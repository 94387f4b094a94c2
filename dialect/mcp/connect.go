package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// ClientOptions say who a client is and what it can do. Nil is a client that answers
// nothing, and the zero value of each field is its default.
type ClientOptions struct {
	// Info names the client. An empty Name is "parley", an empty Version "0".
	Info Implementation

	// Version is the revision to speak, and spares the probe: of the legacy era it is
	// what initialize asks for, and the server may answer with an older one; of the
	// modern era Connect sends nothing. Empty: the probe finds out.
	Version string

	// ProbeTimeout is how long the server may take to answer the probe before it is
	// taken for one of the legacy era. 0 is 5 s.
	ProbeTimeout time.Duration

	// Elicit asks the user, Sample the model, and Roots says in which folders the
	// server may work. The client announces those that are set, and others are refused.
	// In the legacy era their ctx is that of the server's call, and their error goes to
	// the server. In the modern one it is the ctx of the call that led to the
	// question, and an error fails that call. They may be called many at once.
	Elicit func(ctx context.Context, params ElicitParams) (*ElicitResult, error)
	Sample func(ctx context.Context, params CreateMessageParams) (*CreateMessageResult, error)
	Roots  func(ctx context.Context) ([]Root, error)

	// Capabilities says more about what the client can do, such as that Elicit knows
	// [ElicitURL] too, or which extensions it has. Elicitation, Sampling and Roots
	// count only beside their function.
	Capabilities ClientCapabilities

	// OnNote is given the notes of the server, one at a time and in their order, save
	// progress that [parley.OnProgress] takes. What follows waits for it, replies
	// included: for long work call [parley.Async] first. Nil drops them.
	OnNote func(ctx context.Context, method string, params message.Raw)

	// LogLevel asks for log notes from this level on. Empty: the modern era sends none,
	// and in the legacy one the server decides. A server of that era that announces logs
	// and refuses the level fails Connect with [ErrLevel]: whoever can do without calls
	// [Client.SetLevel] afterwards instead.
	LogLevel Level

	// Parley is for the connection. A nil Dialect is [Dialect].
	Parley *parley.Options
}

const defaultProbeTimeout = 5 * time.Second

// A Client talks to an MCP server of either era. Its methods may be called at once from
// many goroutines. An error reply is a *[message.Error]. When the ctx of a method ends,
// the call is taken back (notifications/cancelled) and the method returns at once;
// without a deadline in ctx there is none. Progress reaches [parley.OnProgress].
type Client struct {
	conn    *parley.Conn
	opts    ClientOptions
	can     ClientCapabilities
	answers map[string]parley.Handler // of what the server may ask, by method
	codec   *oneWay

	stampInfo, stampCan message.Raw // as each request of the modern era carries them

	mu    sync.Mutex
	terms terms
	level Level // of log notes, in the modern era

	// streams are the open ones of [Listen] by the canonical id of their call. The lock
	// is held while such a call is queued, so that no note of it comes too early.
	streamsMu sync.Mutex
	streams   map[message.ID]*Listening
}

// terms are what both sides agreed on, and who the server is.
type terms struct {
	era          Era
	version      string
	server       Implementation
	capabilities ServerCapabilities
	instructions string
}

// Connect opens a conversation with the server at the other end of stream, whichever era
// it is of ("Backward compatibility", stdio):
//
//	server/discover ─┬─ a DiscoverResult ─────────────── modern
//	                 ├─ an error of the modern era ───── modern, of a version that it names
//	                 └─ another error, or no answer ──── legacy: initialize
//
// A late answer to server/discover is dropped. If both sides have no version in common,
// the error wraps [ErrVersion]; if the server ends during the probe, as some do at any
// word before initialize, it wraps [parley.ErrClosed], and ClientOptions.Version is the
// way around. What a server is does not change as long as it runs: take the Version of
// this Client for the next connection to the same program.
//
// ctx is for the opening only, and bounds it: a server that never answers initialize
// has no other bound. The stream belongs to the client, and is closed if Connect fails.
func Connect(ctx context.Context, stream frame.Stream, opts *ClientOptions) (*Client, error) {
	c, err := newClient(opts)
	if err != nil {
		_ = stream.Close()
		return nil, fmt.Errorf("mcp: connect: %w", err)
	}
	settings := parley.Options{}
	if c.opts.Parley != nil {
		settings = *c.opts.Parley
	}
	settings.Dialect, c.codec = oneWayDialect(settings.Dialect)
	era, known := EraOfVersion(c.opts.Version)
	c.codec.modern.Store(era == EraModern)
	c.conn = parley.Connect(stream, c.handle, &settings)

	switch {
	case c.opts.Version == "":
		err = c.probe(ctx)
	case !known:
		err = fmt.Errorf("%w: it was told to speak %q", ErrVersion, c.opts.Version)
	case era == EraModern:
		c.agree(terms{era: EraModern, version: c.opts.Version})
	default:
		err = c.handshake(ctx, c.opts.Version)
	}
	if err != nil {
		// The reason to hang up says more than how hanging up went.
		_ = c.conn.Close()
		return nil, fmt.Errorf("mcp: connect: %w", err)
	}
	return c, nil
}

// newClient is a client without a connection.
func newClient(opts *ClientOptions) (*Client, error) {
	c := &Client{streams: make(map[message.ID]*Listening)}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Info.Name == "" {
		c.opts.Info.Name = "parley"
	}
	if c.opts.Info.Version == "" {
		c.opts.Info.Version = "0"
	}
	if c.opts.ProbeTimeout <= 0 {
		c.opts.ProbeTimeout = defaultProbeTimeout
	}
	c.level = c.opts.LogLevel
	c.answers = c.makeAnswers()
	c.can = c.opts.Capabilities
	implied := ClientCapabilitiesFor(c.answers)
	c.can.Roots = announced(c.can.Roots, implied.Roots)
	c.can.Sampling = announced(c.can.Sampling, implied.Sampling)
	c.can.Elicitation = announced(c.can.Elicitation, implied.Elicitation)

	var err error
	if c.stampInfo, err = message.Encode(c.opts.Info); err != nil {
		return nil, fmt.Errorf("the client's Info: %w", err)
	}
	can := c.can
	if can.Roots != nil {
		can.Roots = &ListCapability{} // nobody is told of changes in this era
	}
	if c.stampCan, err = message.Encode(can); err != nil {
		return nil, fmt.Errorf("the client's Capabilities: %w", err)
	}
	return c, nil
}

// announced is what the options say about a capability, if the client has it at all.
func announced[T any](said, implied *T) *T {
	if said != nil && implied != nil {
		return said
	}
	return implied
}

// Conn returns the connection, for what has no method here. In the modern era use
// [Client.Call] for requests: it adds what each has to carry.
func (c *Client) Conn() *parley.Conn { return c.conn }

// Era returns the era that the server is of.
func (c *Client) Era() Era { return c.agreed().era }

// Version returns the revision that is spoken.
func (c *Client) Version() string { return c.agreed().version }

// Server returns the name that the server gives itself. Nobody has vouched for it. It is
// empty if the server has not been asked yet, see [Client.Discover].
func (c *Client) Server() Implementation { return c.agreed().server }

// Capabilities returns what the server can do, with the same reservation as Server.
func (c *Client) Capabilities() ServerCapabilities { return c.agreed().capabilities }

// Instructions returns what the server has to tell a model, with the same reservation
// as Server.
func (c *Client) Instructions() string { return c.agreed().instructions }

// Close ends the connection, within the bounds of [parley.Conn.Close].
func (c *Client) Close() error { return c.conn.Close() }

func (c *Client) agree(t terms) {
	c.codec.modern.Store(t.era == EraModern)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.terms = t
}

func (c *Client) agreed() terms {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.terms
}
