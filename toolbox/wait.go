package toolbox

import (
	"cmp"
	"context"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// ended is a ctx that has ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// enter waits until a tool may run: until one of its slots and room for its output are
// free, and the caller has taken the answers that are there. A caller that does not read
// would else have them pile up, and one that waits for it must not hold what others need.
// The ctx of the handler is asked, which outlives that of the run.
func (b *Box) enter(ctx, asked context.Context, t *tool) (leave func(), err error) {
	conn := parley.Caller(ctx)
	for {
		if conn != nil {
			if err := b.turns.flush(ctx, conn); err != nil {
				return nil, cmp.Or(ctx.Err(), err)
			}
		}
		if err := t.slots.enter(ctx, 1); err != nil {
			return nil, err
		}
		if err := b.held.enter(ctx, t.maxOutput); err != nil {
			t.slots.leave(1)
			return nil, err
		}
		free := func() {
			b.held.leave(t.maxOutput)
			t.slots.leave(1)
		}
		switch {
		case conn != nil && conn.Flush(ended) != nil:
			free()
		case answers(asked, t):
			// What comes of the output costs as much until it is on its way to the caller.
			return func() { context.AfterFunc(asked, free) }, nil
		default:
			return free, nil
		}
	}
}

// answers reports whether the run of a tool is all that the request of ctx asks for. A
// handler of someone else's may run many tools, one after the other.
func answers(ctx context.Context, t *tool) bool {
	req := parley.RequestFrom(ctx)
	if req == nil || req.Method != string(mcp.CallTool) {
		return req != nil && req.Method == t.Name
	}
	var name string
	raw, _ := req.Params.Member("name")
	return raw.Decode(&name) == nil && name == t.Name
}

// turns let one run of a connection wait for its answers to be taken, and the others
// for that one: each change of a connection wakes all who wait for it.
type turns struct {
	mu sync.Mutex
	of map[*parley.Conn]*turn
}

// A turn is a gate for one, with how many have to do with it.
type turn struct {
	gate
	users int
}

// flush waits until the connection has written all that was queued.
func (t *turns) flush(ctx context.Context, conn *parley.Conn) error {
	if conn.Flush(ended) == nil {
		return nil
	}
	t.mu.Lock()
	if t.of == nil {
		t.of = make(map[*parley.Conn]*turn)
	}
	if t.of[conn] == nil {
		t.of[conn] = &turn{gate: gate{size: 1}}
	}
	mine := t.of[conn]
	mine.users++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.users--; mine.users == 0 {
			delete(t.of, conn)
		}
	}()
	if err := mine.enter(ctx, 1); err != nil {
		return err
	}
	defer mine.leave(1)
	return conn.Flush(ctx)
}
