package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// link is what a server knows of one connection. Only the legacy era has state there: a
// modern request says all by itself.
//
//	record ── gate ── initialize opens the legacy era, in the order of the wire
//	            └──── refused if it comes too early, or a second time
//	call ──── handle ── exchange (era, version, client) ── endpoint, or a plain method
//	change ── audience ── live (legacy) or a handler of subscriptions/listen (modern)
type link struct {
	server *Server
	opened atomic.Pointer[opening] // nil until initialize was read
	level  slog.LevelVar           // from which level on a legacy client wants logs
	notes  *audience               // what a legacy client is told
	over   chan struct{}           // closed when the input has ended
	end    func()                  // closes it

	mu      sync.Mutex
	streams map[*audience]struct{} // of subscriptions/listen
	most    int                    // how many of them there may be
}

// opening is what initialize settled. Nothing of it changes later.
type opening struct {
	request *message.Request
	version string
	client  ClientCapabilities
	server  ServerCapabilities
}

// maxListens is how many streams of subscriptions/listen one connection may have open.
// Each holds a handler, so at least one of those is left to calls.
const maxListens = 16

func newLink(s *Server, handlers int) *link {
	l := &link{
		server: s, notes: newAudience(), over: make(chan struct{}),
		streams: make(map[*audience]struct{}), most: maxListens,
	}
	if handlers > 0 {
		l.most = min(l.most, handlers-1)
	}
	// The streams have to end with the input: the connection waits for their handlers.
	l.end = sync.OnceFunc(func() { close(l.over) })
	return l
}

// live tells a legacy client what has changed, until the connection ends.
func (l *link) live(conn *parley.Conn) {
	defer l.server.forget(l)
	for {
		select {
		case <-conn.Done():
			return
		case <-l.notes.bell:
			// What cannot be sent need not be: the connection is ending.
			_ = l.notes.deliver(context.Background(), conn, nil)
		}
	}
}

// gate is the codec of a connection. It reads along, because what initialize settles has
// to hold for all that stands behind it on the wire, and handlers run side by side.
type gate struct {
	message.Codec
	link *link
}

// Parse refuses a request that comes out of turn; the peer answers it like any record
// that is refused.
func (g gate) Parse(rec []byte) (message.Message, error) {
	msg, err := g.Codec.Parse(rec)
	req, ok := msg.(*message.Request)
	if err != nil || !ok || req.IsNote() {
		return msg, err
	}
	if refusal := g.link.arrive(req); refusal != nil {
		return nil, &message.ParseError{Err: refusal, ID: req.ID, Kind: message.KindCall, Reason: refusal.Message}
	}
	return msg, nil
}

// watched is a stream that tells when its input ends, and takes it for the normal end
// that it is in MCP: a client that has hung up need not be there for what was still to be
// said, such as the end of a stream of notes.
type watched struct {
	frame.Stream
	ended func()
	over  *atomic.Bool
}

// ReadRecord reads the next record.
func (w watched) ReadRecord() ([]byte, error) {
	rec, err := w.Stream.ReadRecord()
	if _, skipped := errors.AsType[*frame.SkipError](err); err != nil && !skipped {
		w.over.Store(true)
		w.ended()
	}
	return rec, err
}

// WriteRecord writes a record, or drops it if the client is gone.
func (w watched) WriteRecord(rec []byte) error { return w.unlessGone(w.Stream.WriteRecord(rec)) }

// gone are the errors of a write that nobody reads any more.
var gone = []error{io.ErrClosedPipe, os.ErrClosed, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET}

// unlessGone is the error of a write, but for one that says that the client is gone after
// its last word was read.
func (w watched) unlessGone(err error) error {
	if w.over.Load() && slices.ContainsFunc(gone, func(cause error) bool { return errors.Is(err, cause) }) {
		return nil
	}
	return err
}

// fullStream is what every stream of [frame.Framing] is.
type fullStream interface {
	frame.Stream
	frame.ManyWriter
	frame.Positioner
	frame.Counter
}

// watchedFull is watched with all that the peer makes use of.
type watchedFull struct {
	fullStream
	watched watched
}

// ReadRecord reads the next record.
func (w watchedFull) ReadRecord() ([]byte, error) { return w.watched.ReadRecord() }

// WriteRecord writes a record, or drops it if the client is gone.
func (w watchedFull) WriteRecord(rec []byte) error { return w.watched.WriteRecord(rec) }

// WriteRecords writes records, or drops them if the client is gone.
func (w watchedFull) WriteRecords(ctx context.Context, recs []frame.Record) error {
	return w.watched.unlessGone(w.fullStream.WriteRecords(ctx, recs))
}

// watch calls ended when the input of stream has ended.
func watch(stream frame.Stream, ended func()) frame.Stream {
	w := watched{stream, ended, new(atomic.Bool)}
	if full, ok := stream.(fullStream); ok {
		return watchedFull{full, w}
	}
	return w
}
