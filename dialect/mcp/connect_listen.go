package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// ErrEnded says that a stream of [Client.Listen] ended in order, be it by the server or
// by Close.
var ErrEnded = errors.New("mcp: the stream of changes has ended")

// ErrBehind says that more changes came on a stream of [Client.Listen] than 1,024 that
// nobody had taken yet.
var ErrBehind = errors.New("mcp: more changes than anybody takes")

// The bounds of a stream. A server has nothing to do before it acknowledges one.
const (
	maxChanges         = 1024
	acknowledgeTimeout = 30 * time.Second
)

// A Change says that something of the server is another one now.
type Change struct {
	Method string      // of the note: [ToolsChanged], [ResourceUpdated], …
	URI    string      // of the resource, if it is about one
	Params message.Raw // of the note
}

// changeKey is what makes two changes the same to somebody who has seen neither.
type changeKey struct{ method, about string }

// A Listening is an open stream of changes. Its methods may be called at once from many
// goroutines.
type Listening struct {
	// Accepted is what the server said that it will tell, which may be less than was
	// asked for.
	Accepted Subscription

	call *parley.Pending
	stop context.CancelFunc // of its ctx

	mu           sync.Mutex
	acknowledged bool
	queue        []changeKey          // oldest first
	changes      map[changeKey]Change // of the queue, the newest of each
	err          error                // why there will be no more
	changed      chan struct{}        // closed, and made anew, when one of the above changes
}

// Listen opens a stream of changes ("Subscriptions") and returns when the server has
// said which it will tell; it has 30 s for that. The stream goes on until ctx ends, or
// Close, or the server or the connection ends. Its notes also go to OnNote. It is of the
// modern era; in the legacy one, where changes of lists come without asking and those
// of resources after [Client.Subscribe], it is [ErrEra].
//
// In OnNote, call [parley.Async] first: the answer is a note too, and would wait for the
// one that is being handled.
func (c *Client) Listen(ctx context.Context, filter Subscription) (*Listening, error) {
	now := c.agreed()
	if now.era != EraModern {
		return nil, fmt.Errorf("%w: %s, in %s; use %s", ErrEra, Listen, now.version, Subscribe)
	}
	params, err := message.Encode(ListenParams{Notifications: filter})
	if err == nil {
		params, err = c.stamp(params, now.version)
	}
	if err != nil {
		return nil, fmt.Errorf("mcp: %s: %w", Listen, err)
	}
	l := &Listening{changes: make(map[changeKey]Change), changed: make(chan struct{})}

	ctx, l.stop = context.WithCancel(ctx)
	c.streamsMu.Lock()
	call := c.conn.Start(ctx, string(Listen), params)
	l.call = call
	id := call.ID().Canonical()
	c.streams[id] = l
	c.streamsMu.Unlock()
	go func() {
		// Outside handlers the reply waits for the notes before it, so that the last
		// change is not lost.
		err := call.Wait(context.Background(), nil)
		c.streamsMu.Lock()
		delete(c.streams, id)
		c.streamsMu.Unlock()
		l.end(err)
		l.stop()
	}()
	if err := l.awaitAcknowledged(ctx); err != nil {
		l.stop()
		return nil, fmt.Errorf("mcp: %s: %w", Listen, err)
	}
	return l, nil
}

// awaitAcknowledged waits for the first note of the stream.
func (l *Listening) awaitAcknowledged(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, acknowledgeTimeout)
	defer cancel()
	for {
		l.mu.Lock()
		acknowledged, err, changed := l.acknowledged, l.err, l.changed
		l.mu.Unlock()
		switch {
		case acknowledged:
			return nil
		case errors.Is(err, ErrEnded):
			return fmt.Errorf("%w: it was answered before it was acknowledged", ErrResult)
		case err != nil:
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", Acknowledged, ctx.Err())
		}
	}
}

// Next returns the next change, and waits for it at most until ctx ends. A change that
// comes again before it is taken is one change, with the latest params. When the stream
// is over, the error is [ErrEnded], or says what came in between.
func (l *Listening) Next(ctx context.Context) (Change, error) {
	for {
		l.mu.Lock()
		if len(l.queue) > 0 {
			key := l.queue[0]
			l.queue = l.queue[1:]
			change := l.changes[key]
			delete(l.changes, key)
			l.mu.Unlock()
			return change, nil
		}
		err, changed := l.err, l.changed
		l.mu.Unlock()
		if err != nil {
			return Change{}, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Change{}, ctx.Err()
		}
	}
}

// Close ends the stream. Changes that came before can still be taken. The word for the
// server is queued when it returns, so that it goes out before a [Client.Close] behind it.
func (l *Listening) Close() {
	l.end(nil)
	l.call.Cancel()
	l.stop()
}

// end notes why the stream is over. The first reason stays.
func (l *Listening) end(err error) {
	if err == nil || errors.Is(err, errTornDown) {
		err = ErrEnded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		l.ringLocked()
	}
}

// ringLocked wakes whoever waits.
func (l *Listening) ringLocked() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// add takes a note of the stream. It never blocks: the note is handled in the place of
// all that comes after it, and whoever takes the changes may be waiting for a reply.
func (l *Listening) add(method string, params message.Raw) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	defer l.ringLocked()
	if method == string(Acknowledged) {
		// A server that says nothing legible has accepted nothing.
		var said AcknowledgedParams
		if params.Decode(&said) == nil && !l.acknowledged {
			l.Accepted = said.Notifications
		}
		l.acknowledged = true
		return
	}
	var about struct {
		URI    string `json:"uri"`
		TaskID string `json:"taskId"`
	}
	_ = params.Decode(&about) // most are about a list, and have neither
	key := changeKey{method, about.URI + about.TaskID}
	if _, ok := l.changes[key]; !ok {
		if len(l.queue) == maxChanges {
			l.err = ErrBehind
			l.stop()
			return
		}
		l.queue = append(l.queue, key)
	}
	l.changes[key] = Change{Method: method, URI: about.URI, Params: params}
}

// deliver hands a note to the stream that it is of, if it is of one. The id is compared by
// its value, since a server may have made a string of our number or the other way round.
func (c *Client) deliver(method string, params message.Raw) {
	meta, _ := params.Member(metaMember)
	text, _ := meta.Member(MetaSubscriptionID)
	id, err := message.ParseID(text)
	if err != nil {
		return
	}
	c.streamsMu.Lock()
	l := c.streams[id.Canonical()]
	c.streamsMu.Unlock()
	if l != nil {
		l.add(method, params)
	}
}
