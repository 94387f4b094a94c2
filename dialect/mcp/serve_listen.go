package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The most resources that one client, or one stream of subscriptions/listen, may watch,
// and the most bytes of the URI of one.
const (
	maxWatched = 1024
	maxURI     = 8 << 10
)

// about is what a change is about.
type about uint8

const (
	aboutNothing about = iota // nobody is told
	aboutTools
	aboutPrompts
	aboutResources
	aboutResource // what one of them holds
)

// listNotes are the notes that say that a list has changed, in the order in which they
// are sent.
var listNotes = [...]struct {
	about about
	note  parley.Note[EmptyParams]
}{{aboutTools, ToolsChanged}, {aboutPrompts, PromptsChanged}, {aboutResources, ResourcesChanged}}

// audience is somebody who is told of changes: a legacy client, or a stream of
// subscriptions/listen. What it has not been told yet is kept as a set, so that a client
// that does not read costs no more than what it watches, and holds up nobody.
type audience struct {
	bell chan struct{} // has a value while something is due

	mu      sync.Mutex
	lists   map[about]bool  // the lists that it follows
	uris    map[string]bool // the resources that it watches
	due     map[about]bool
	stirred []string // the resources that are due, in the order of their changes
}

func newAudience() *audience {
	return &audience{
		bell:  make(chan struct{}, 1),
		lists: make(map[about]bool), uris: make(map[string]bool), due: make(map[about]bool),
	}
}

// tell notes a change, if the audience wants to know of it.
func (a *audience) tell(what about, uri string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case what == aboutResource && a.uris[uri]:
		if !slices.Contains(a.stirred, uri) {
			a.stirred = append(a.stirred, uri)
		}
	case what != aboutResource && a.lists[what]:
		a.due[what] = true
	default:
		return
	}
	select {
	case a.bell <- struct{}{}:
	default:
	}
}

// follow says which lists the audience follows.
func (a *audience) follow(tools, prompts, resources bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lists[aboutTools], a.lists[aboutPrompts], a.lists[aboutResources] = tools, prompts, resources
}

// watch has the audience watch a resource. It is false if it watches too many already.
func (a *audience) watch(uri string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.uris[uri] && len(a.uris) >= maxWatched {
		return false
	}
	a.uris[uri] = true
	return true
}

func (a *audience) unwatch(uri string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.uris, uri)
	a.stirred = slices.DeleteFunc(a.stirred, func(due string) bool { return due == uri })
}

// deliver sends what is due as notes with meta. It waits for a client that does not read.
func (a *audience) deliver(ctx context.Context, conn *parley.Conn, meta message.Raw) error {
	a.mu.Lock()
	lists, uris := a.due, a.stirred
	a.due, a.stirred = make(map[about]bool), nil
	a.mu.Unlock()
	for _, list := range listNotes {
		if !lists[list.about] {
			continue
		}
		if err := list.note.Send(ctx, conn, EmptyParams{Meta: meta}); err != nil {
			return err
		}
	}
	for _, uri := range uris {
		if err := ResourceUpdated.Send(ctx, conn, ResourceUpdatedParams{URI: uri, Meta: meta}); err != nil {
			return err
		}
	}
	return nil
}

// tellLocked tells every audience of every connection of a change.
func (s *Server) tellLocked(what about, uri string) {
	if what == aboutNothing {
		return
	}
	for l := range s.links {
		l.notes.tell(what, uri)
		l.mu.Lock()
		for a := range l.streams {
			a.tell(what, uri)
		}
		l.mu.Unlock()
	}
}

// becomeReady has a legacy client be told of the lists that it knows the server to have:
// before notifications/initialized it must not be ("Lifecycle").
func (l *link) becomeReady() {
	if open := l.opened.Load(); open != nil {
		l.notes.follow(open.server.Tools != nil, open.server.Prompts != nil, open.server.Resources != nil)
	}
}

func subscribe(ctx context.Context, p SubscribeParams) (EmptyResult, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	switch {
	case !now.offers.resources:
		return EmptyResult{}, message.MethodNotFound
	case now.reader(p.URI) == nil:
		return EmptyResult{}, x.notFound(p.URI)
	case len(p.URI) > maxURI:
		return EmptyResult{}, invalidAt("/uri", fmt.Sprintf("want at most %d bytes", maxURI))
	case !x.link.notes.watch(p.URI):
		return EmptyResult{}, overLimit("subscriptions on this connection", maxWatched)
	}
	return x.empty(), nil
}

func unsubscribe(ctx context.Context, p SubscribeParams) (EmptyResult, error) {
	x := exchangeFrom(ctx)
	if !x.link.server.now.Load().offers.resources {
		return EmptyResult{}, message.MethodNotFound
	}
	x.link.notes.unwatch(p.URI)
	return x.empty(), nil
}

// listen is a stream of notes, and is answered when that stream ends ("Subscriptions").
// The first note says what will come. A client that takes the request back is sent
// nothing more. If it is the server that ends it, two pages of the specification want
// different things: notifications/cancelled ("Cancellation") and an answer
// ("Subscriptions"). It is sent the one and then the other, which suits readers of
// either page: the note ends the stream, and the answer is one that comes late.
func listen(ctx context.Context, p ListenParams) (EmptyResult, error) {
	x := exchangeFrom(ctx)
	l, conn, id := x.link, parley.Caller(ctx), parley.RequestFrom(ctx).ID
	meta, err := message.Raw(nil).Set(message.Raw(id.String()), MetaSubscriptionID)
	if err != nil {
		return EmptyResult{}, err
	}
	a := newAudience()
	accepted := l.accept(a, p.Notifications)
	if !l.join(a) {
		return EmptyResult{}, overLimit("streams on this connection", l.most)
	}
	defer l.part(a)
	err = Acknowledged.Send(ctx, conn, AcknowledgedParams{Notifications: accepted, Meta: meta})
	for err == nil {
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-l.over:
			err = errStreamOver
		case <-a.bell:
			err = a.deliver(ctx, conn, meta)
		}
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), parley.ErrClosed) {
		return EmptyResult{}, ctx.Err() // taken back
	}
	// The connection is ending, and with it the ctx. What cannot be sent any more is lost
	// with all the rest.
	_ = Cancelled.Send(context.WithoutCancel(ctx), conn, CancelledParams{RequestID: id, Reason: "the server is shutting down", Meta: meta})
	return EmptyResult{ResultType: ResultComplete, Meta: x.meta(meta)}, nil
}

// errStreamOver ends a stream whose client says no more.
var errStreamOver = errors.New("mcp: the input has ended")

// accept has a watch what of wanted the server can tell of, and returns that.
func (l *link) accept(a *audience, wanted Subscription) Subscription {
	has := l.server.now.Load().offers
	accepted := Subscription{
		ToolsListChanged:     wanted.ToolsListChanged && has.tools,
		PromptsListChanged:   wanted.PromptsListChanged && has.prompts,
		ResourcesListChanged: wanted.ResourcesListChanged && has.resources,
	}
	a.follow(accepted.ToolsListChanged, accepted.PromptsListChanged, accepted.ResourcesListChanged)
	for _, uri := range wanted.ResourceSubscriptions {
		if has.resources && len(uri) <= maxURI && !a.uris[uri] && a.watch(uri) {
			accepted.ResourceSubscriptions = append(accepted.ResourceSubscriptions, uri)
		}
	}
	return accepted
}

// join adds a stream to those that are told of changes, if there may be one more.
func (l *link) join(a *audience) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.streams) >= l.most {
		return false
	}
	l.streams[a] = struct{}{}
	return true
}

func (l *link) part(a *audience) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.streams, a)
}
