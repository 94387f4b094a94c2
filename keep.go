package parley

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-rpc/parley/frame"
)

// Restart says how a [Keeper] makes connections, and how often.
type Restart struct {
	// Dial opens the stream: it starts the child, or connects to it. Required.
	Dial func(ctx context.Context) (frame.Stream, error)

	// Handler and Options are those of each connection; see [Connect].
	Handler Handler
	Options *Options

	// Handshake is done on each connection before anybody else may use it, such
	// as MCP's initialize. A connection whose handshake fails is closed and
	// counts as a failure. Nil: there is none.
	Handshake func(ctx context.Context, c *Conn) error

	// Patience is how long Dial and Handshake may take together. 0 is 30 s.
	Patience time.Duration

	// MinWait is how long is waited after the first failure; each further one
	// doubles it, up to MaxWait. Up to half is taken off at random, so that many
	// keepers do not knock at once. 0 is 100 ms and 30 s.
	MinWait, MaxWait time.Duration

	// Stable is how long a connection must have lived for the waiting to start
	// over at MinWait. 0 is 10 s.
	Stable time.Duration

	// Failures is how many in a row end the keeper; a connection that was Stable
	// ends the row. 0: it never gives up.
	Failures int

	// Logger is told of each end and each failure. Nil logs nothing.
	Logger *slog.Logger
}

// A Keeper keeps a connection to something that may die, such as a child process: when
// the connection ends it makes another one, with a handshake, and waits longer and
// longer where that fails. Calls that were open when a connection ended have failed; the
// Keeper repeats none, since it cannot know which of them may be done twice.
type Keeper struct {
	restart Restart
	cancel  context.CancelFunc
	done    chan struct{} // closed by run when it has ended

	mu      sync.Mutex
	conn    *Conn         // live and shaken hands with, or nil
	err     error         // why the last connection ended or could not be made
	gaveUp  error         // why there will be none
	changed chan struct{} // closed when conn changes, or run ends
}

// Keep starts to keep a connection, until Close or until [Restart.Failures] in a row.
func Keep(restart Restart) *Keeper {
	restart.Patience = cmp.Or(restart.Patience, 30*time.Second)
	restart.MinWait = cmp.Or(restart.MinWait, 100*time.Millisecond)
	restart.MaxWait = max(cmp.Or(restart.MaxWait, 30*time.Second), restart.MinWait)
	restart.Stable = cmp.Or(restart.Stable, 10*time.Second)
	if restart.Logger == nil {
		restart.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	k := &Keeper{restart: restart, cancel: cancel, done: make(chan struct{}), changed: make(chan struct{})}
	go k.run(ctx)
	return k
}

// Conn returns the live connection, or waits for the next one until ctx ends. The error
// says why there is none: how the last one ended, or could not be made.
func (k *Keeper) Conn(ctx context.Context) (*Conn, error) {
	for {
		k.mu.Lock()
		conn, err, changed := k.conn, k.err, k.changed
		k.mu.Unlock()
		if conn != nil && !conn.ended() {
			return conn, nil
		}
		select {
		case <-changed:
		case <-k.done:
			return nil, closed(err)
		case <-ctx.Done():
			if err != nil {
				return nil, fmt.Errorf("parley: no connection: %w (%w)", ctx.Err(), err)
			}
			return nil, fmt.Errorf("parley: no connection yet: %w", ctx.Err())
		}
	}
}

// Done is closed when the Keeper has ended.
func (k *Keeper) Done() <-chan struct{} { return k.done }

// Close ends the keeping and closes the connection, within the bounds of [Conn.Close].
// It returns nil, or why the keeper had given up before.
func (k *Keeper) Close() error {
	k.cancel()
	<-k.done
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.gaveUp
}

// run makes one connection after the other.
func (k *Keeper) run(ctx context.Context) {
	defer close(k.done)
	wait, failures := k.restart.MinWait, 0
	for ctx.Err() == nil {
		lived, err := k.once(ctx)
		k.set(nil, err)
		if ctx.Err() != nil {
			return
		}
		if lived >= k.restart.Stable {
			wait, failures = k.restart.MinWait, 0
		}
		failures++
		if k.restart.Failures > 0 && failures >= k.restart.Failures {
			k.restart.Logger.Error("gave up", "failures", failures, "error", err)
			k.giveUp(fmt.Errorf("parley: gave up after %d failures in a row: %w", failures, err))
			return
		}
		pause := wait/2 + rand.N(wait/2+1)
		k.restart.Logger.Warn("connection ended", "error", err, "again in", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		wait = min(2*wait, k.restart.MaxWait)
	}
}

// once makes a connection, offers it, and returns how long it lived after that and how
// it ended.
func (k *Keeper) once(ctx context.Context) (lived time.Duration, err error) {
	short, cancel := context.WithTimeout(ctx, k.restart.Patience)
	defer cancel()
	stream, err := k.restart.Dial(short)
	if err != nil {
		return 0, err
	}
	conn := Connect(stream, k.restart.Handler, k.restart.Options)
	defer conn.Close() //nolint:errcheck // How it ended is told by Wait.
	if k.restart.Handshake != nil {
		if err := k.restart.Handshake(short, conn); err != nil {
			return 0, fmt.Errorf("handshake: %w", err)
		}
	}
	began := time.Now()
	k.set(conn, nil)
	select {
	case <-conn.Done():
		return time.Since(began), either(conn.Wait(), ErrClosed)
	case <-ctx.Done():
		return time.Since(began), ctx.Err()
	}
}

// giveUp says why there will be no connection any more.
func (k *Keeper) giveUp(why error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err, k.gaveUp = why, why
}

// set offers a connection, or says why there is none.
func (k *Keeper) set(conn *Conn, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if conn == nil && err == nil {
		err = ErrClosed
	}
	k.conn, k.err = conn, err
	close(k.changed)
	k.changed = make(chan struct{})
}
