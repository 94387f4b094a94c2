package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
)

// errTimeout is the cause of a ctx that debts have ended.
var errTimeout = errors.New("timed out")

// debts are the calls that the server owes an answer to, and the patience with it:
// what --timeout says is how long no answer may come while one is owed. Waiting for
// our own input costs no patience.
//
// For one call that is the time from sending it to its answer. For many it is not a
// bound on the whole, which depends on how many there are.
type debts struct {
	mu      sync.Mutex
	owed    map[int64]string // by id on the wire: how the call is named to a person
	timeout time.Duration    // 0: patience without end
	since   time.Time        // when something came last, or was first owed
	armed   bool             // a timer is on its way to check
	expire  func()           // called at most once, without the lock
}

func newDebts(timeout time.Duration, expire func()) *debts {
	return &debts{owed: make(map[int64]string), timeout: timeout, expire: sync.OnceFunc(expire)}
}

// owe notes that a call is on its way.
func (d *debts) owe(id int64, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.owed) == 0 {
		d.since = time.Now()
	}
	if !d.armed {
		d.armLocked(d.timeout)
	}
	d.owed[id] = name
}

// settle notes that a call has ended. One that nobody answered stays owed.
func (d *debts) settle(id int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.since = time.Now()
	if !errors.Is(err, parley.ErrClosed) && !errors.Is(err, context.Canceled) {
		delete(d.owed, id)
	}
}

// forget takes back a debt whose call was never sent.
func (d *debts) forget(id int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.owed, id)
}

// renew notes that the server is still at it.
func (d *debts) renew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.since = time.Now()
}

// relent takes back the bound: what is owed may take as long as it likes.
func (d *debts) relent() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timeout = 0
}

func (d *debts) armLocked(after time.Duration) {
	if d.timeout > 0 {
		d.armed = true
		time.AfterFunc(after, d.check)
	}
}

// check runs when the patience may have come to its end. It looks again rather than
// be stopped at each answer, of which there may be many.
func (d *debts) check() {
	d.mu.Lock()
	d.armed = false
	left := d.timeout - time.Since(d.since)
	over := d.timeout > 0 && len(d.owed) > 0 && left <= 0
	if len(d.owed) > 0 && !over {
		d.armLocked(left)
	}
	d.mu.Unlock()
	if over {
		d.expire()
	}
}

// has reports whether a call is owed an answer.
func (d *debts) has(id int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.owed[id]
	return ok
}

// String names what is owed, the oldest first: "sleep (id 1), add (id 2) and 7 more".
// It is empty if nothing is.
func (d *debts) String() string {
	const most = 5
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := slices.Sorted(maps.Keys(d.owed))
	names := make([]string, 0, most)
	for _, id := range ids[:min(len(ids), most)] {
		names = append(names, d.owed[id])
	}
	text := strings.Join(names, ", ")
	if more := len(ids) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
