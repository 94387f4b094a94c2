package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

var (
	// ErrEra says that the era which is spoken has no such thing.
	ErrEra = errors.New("mcp: not in this era of the protocol")

	// ErrLevel says that a server which announces logs refuses [ClientOptions.LogLevel].
	// The error reply is wrapped beside it.
	ErrLevel = errors.New("mcp: the server refuses to set the level of its logs")
)

// probe finds the era of the server, and the version to speak.
func (c *Client) probe(ctx context.Context) error {
	found, err := c.discoverSoon(ctx, Latest)
	offered, modern := offer(found, err)
	switch {
	case modern:
		return c.settle(ctx, found, offered, err)
	case ctx.Err() != nil:
		return err
	case errors.Is(err, parley.ErrClosed):
		return fmt.Errorf("the server ended when it was asked %s; a Version in the options spares that question: %w", Discover, err)
	}
	fallback := c.handshake(ctx, LatestLegacy)
	if fallback == nil || errors.Is(fallback, ErrLevel) {
		return fallback
	}
	// A modern server that was slow to start is heard for the first time when it refuses
	// initialize, by whatever code. It is asked again now that it talks.
	if _, refused := errors.AsType[*message.Error](fallback); refused && errors.Is(err, context.DeadlineExceeded) {
		found, err = c.discoverSoon(ctx, Latest)
		if offered, modern = offer(found, err); modern {
			return c.settle(ctx, found, offered, err)
		}
	}
	return fmt.Errorf("%w (the probe before it: %s)", fallback, outcome(err))
}

// settle agrees on one of the versions that a modern server offered, in a result or in an
// error. It never falls back to the legacy era by itself, only if the server named a
// version of that era and none that is newer and known.
func (c *Client) settle(ctx context.Context, found *DiscoverResult, offered []string, err error) error {
	if len(offered) == 0 {
		return err // the server says what is wrong, and it is not the version
	}
	version, ok := newestOf(offered)
	if !ok {
		return fmt.Errorf("%w: it offers %.10q", ErrVersion, offered[:min(len(offered), 10)])
	}
	if era, ok := EraOfVersion(version); ok && era == EraLegacy {
		return c.handshake(ctx, version)
	}
	if found == nil {
		// This is the second try that the error asked for, and the last.
		if found, err = c.discoverSoon(ctx, version); err != nil {
			return err
		}
	}
	c.agree(found.terms(version))
	return nil
}

// offer returns the versions of a server that answered the probe in the way of the modern
// era, by a result or an error, and whether it did. Of an error about something else
// than the version there are none.
//
// A legacy server may answer anything, by any code ("Backward compatibility", stdio).
// The error of an unsupported version therefore counts only with the versions that
// belong to it.
func offer(found *DiscoverResult, err error) ([]string, bool) {
	if err == nil {
		return found.SupportedVersions, len(found.SupportedVersions) > 0
	}
	reply, ok := errors.AsType[*message.Error](err)
	if !ok {
		return nil, false
	}
	switch reply.Code {
	case CodeHeaderMismatch, CodeMissingCapability:
		return nil, true
	case CodeUnsupportedVersion:
		var data UnsupportedVersion
		if reply.Data.Decode(&data) == nil {
			return data.Supported, len(data.Supported) > 0
		}
	}
	return nil, false
}

// newestOf returns the newest version that is known here. The names are dates, and sort
// like them.
func newestOf(offered []string) (string, bool) {
	known := slices.DeleteFunc(slices.Clone(offered), func(version string) bool {
		_, ok := EraOfVersion(version)
		return !ok
	})
	if len(known) == 0 {
		return "", false
	}
	return slices.Max(known), true
}

// outcome says in a few words what became of a probe that led to the legacy era.
func outcome(err error) string {
	switch {
	case err == nil:
		return "an answer that names no versions"
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return err.Error()
}

// discoverSoon asks server/discover, at most for ProbeTimeout. After that the question is
// taken back: either era lets a client cancel what it likes but initialize, and a server
// ignores a cancellation of what it does not know ("Cancellation").
func (c *Client) discoverSoon(ctx context.Context, version string) (*DiscoverResult, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.ProbeTimeout)
	defer cancel()
	return c.discover(ctx, version)
}

// discover asks server/discover in the words of a version. What comes with an error
// reply is nil.
func (c *Client) discover(ctx context.Context, version string) (*DiscoverResult, error) {
	params, err := c.stamp(nil, version)
	if err != nil {
		return nil, err
	}
	var raw message.Raw
	if err := c.conn.Call(ctx, string(Discover), params, &raw); err != nil {
		return nil, err
	}
	if kind, err := resultType(raw); err != nil || !isComplete(kind) {
		return nil, unknownResult(string(Discover), raw)
	}
	found := new(DiscoverResult)
	if err := raw.Decode(found); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrResult, Discover, err)
	}
	return found, nil
}

// terms are what the result says about the server.
func (r *DiscoverResult) terms(version string) terms {
	t := terms{
		era:          EraModern,
		version:      version,
		capabilities: r.Capabilities,
		instructions: r.Instructions,
	}
	// The name is for display; one that cannot be read is as good as none.
	name, _ := r.Meta.Member(MetaServerInfo)
	if name.Decode(&t.server) != nil {
		t.server = Implementation{}
	}
	return t
}

// Discover asks a server of the modern era what it can do, and keeps that for Server,
// Capabilities and Instructions. Connect has done so unless it was told a Version.
func (c *Client) Discover(ctx context.Context) (*DiscoverResult, error) {
	now := c.agreed()
	if now.era != EraModern {
		return nil, fmt.Errorf("%w: %s, in %s", ErrEra, Discover, now.version)
	}
	found, err := c.discover(ctx, now.version)
	if err != nil {
		return nil, err
	}
	c.agree(found.terms(now.version))
	return found, nil
}

// handshake opens a conversation of the legacy era, and sets the level of its logs. A
// server that announces no logs is not asked for them.
func (c *Client) handshake(ctx context.Context, version string) error {
	can := c.can
	if can.Roots != nil {
		can.Roots = &ListCapability{ListChanged: true} // see RootsChanged
	}
	found, err := Handshake(ctx, c.conn, InitializeParams{
		ProtocolVersion: version,
		Capabilities:    can,
		ClientInfo:      c.opts.Info,
	})
	if err != nil {
		return err
	}
	c.agree(terms{
		era:          EraLegacy,
		version:      found.ProtocolVersion,
		server:       found.ServerInfo,
		capabilities: found.Capabilities,
		instructions: found.Instructions,
	})
	if c.opts.LogLevel == "" || found.Capabilities.Logging == nil {
		return nil
	}
	err = c.SetLevel(ctx, c.opts.LogLevel)
	if _, refused := errors.AsType[*message.Error](err); refused {
		return fmt.Errorf("%w to %s: %w", ErrLevel, c.opts.LogLevel, err)
	}
	return err
}
