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
	"time"

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
	gone   chan struct{}           // closed when nobody is there any more to write to
	leave  func()                  // closes it

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
		server: s, notes: newAudience(), over: make(chan struct{}), gone: make(chan struct{}),
		streams: make(map[*audience]struct{}), most: maxListens,
	}
	if handlers > 0 {
		l.most = min(l.most, handlers-1)
	}
	// The streams have to end with the input: the connection waits for their handlers.
	l.end = sync.OnceFunc(func() { close(l.over) })
	l.leave = sync.OnceFunc(func() { close(l.gone) })
	return l
}

// live tells a legacy client what has changed, until the connection ends. It ends the
// connection of a client that is gone: handlers that write to nobody must not keep it.
func (l *link) live(conn *parley.Conn) {
	defer l.server.forget(l)
	for {
		select {
		case <-conn.Done():
			return
		case <-l.gone:
			_ = conn.Close() // there is nobody to tell how that went
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
	if err != nil {
		return msg, err
	}
	switch msg := msg.(type) {
	case *message.Request:
		if refusal := g.refuse(msg); refusal != nil {
			return nil, refusal
		}
	case message.Batch:
		return g.batch(msg)
	}
	return msg, nil
}

// refuse says why a request cannot be answered, or nil.
func (g gate) refuse(req *message.Request) *message.ParseError {
	if req.IsNote() {
		return nil
	}
	refusal := g.link.arrive(req)
	if refusal == nil {
		return nil
	}
	return &message.ParseError{Err: refusal, ID: req.ID, Kind: message.KindCall, Reason: refusal.Message}
}

// batch lets a batch in where initialize has agreed on the one version that has them
// ("Batching", 2025-03-26: a receiver must take them); initialize itself is in none. Of
// any other batch only the replies count: they are what calls wait for.
func (g gate) batch(batch message.Batch) (message.Message, error) {
	if open := g.link.opened.Load(); open != nil && open.version == Version20250326 {
		for i, member := range batch {
			if req, ok := member.(*message.Request); ok {
				if refusal := g.refuse(req); refusal != nil {
					batch[i] = refusal
				}
			}
		}
		return batch, nil
	}
	refusal := &message.ParseError{Err: message.InvalidRequest, Kind: message.KindBatch, Reason: "only " + Version20250326 + " has batches"}
	replies := slices.DeleteFunc(batch, func(member message.Message) bool {
		_, ok := member.(*message.Response)
		return !ok
	})
	if len(replies) == 0 {
		return nil, refusal
	}
	return append(replies, refusal), nil
}

// watched is a stream that tells when its input ends, and takes it for the normal end
// that it is in MCP: a client that has hung up need not be there for what was still to be
// said, such as the end of a stream of notes. The first record that cannot reach it ends
// the connection, and with it the contexts of the handlers.
type watched struct {
	frame.Stream
	link *link
}

// ReadRecord reads the next record.
func (w watched) ReadRecord() ([]byte, error) {
	rec, err := w.Stream.ReadRecord()
	if _, skipped := errors.AsType[*frame.SkipError](err); err != nil && !skipped {
		w.link.end()
	}
	return rec, err
}

// WriteRecord writes a record, or drops it if the client is gone.
func (w watched) WriteRecord(rec []byte) error { return w.unlessGone(w.Stream.WriteRecord(rec)) }

// gone are the errors of a write that nobody reads any more.
var gone = []error{io.ErrClosedPipe, os.ErrClosed, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET}

// endsTogether is how long the input may take to end after nobody reads the output any
// more: of a client that has died, either end may be seen first.
const endsTogether = time.Second

// unlessGone is the error of a write, but for one that says that the client is gone after
// its last word was read.
func (w watched) unlessGone(err error) error {
	if !slices.ContainsFunc(gone, func(cause error) bool { return errors.Is(err, cause) }) {
		return err
	}
	select {
	case <-w.link.over:
		w.link.leave()
		return nil
	case <-time.After(endsTogether):
		return err
	}
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

// watch tells l when the input of stream has ended, and when nobody reads its output.
func watch(stream frame.Stream, l *link) frame.Stream {
	w := watched{stream, l}
	if full, ok := stream.(fullStream); ok {
		return watchedFull{full, w}
	}
	return w
}
