package main

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The clock runs while something is owed, and starts again with each answer and each
// sign of life.
func TestDebtsPatience(t *testing.T) {
	const timeout = 10 * time.Second
	tests := []struct {
		sentence string
		run      func(d *debts)
		expires  time.Duration // after the start; 0: never
	}{
		{"nothing owed", func(*debts) {}, 0},
		{"one call without an answer", func(d *debts) { d.owe(1, "a") }, 10 * time.Second},
		{"one call with an answer", func(d *debts) {
			d.owe(1, "a")
			time.Sleep(9 * time.Second)
			d.settle(1, nil)
		}, 0},
		{"an error is an answer", func(d *debts) {
			d.owe(1, "a")
			d.settle(1, message.MethodNotFound)
		}, 0},
		{"another answer is a sign of life", func(d *debts) {
			d.owe(1, "a")
			d.owe(2, "b")
			time.Sleep(9 * time.Second)
			d.settle(2, nil)
		}, 19 * time.Second},
		{"so is progress", func(d *debts) {
			d.owe(1, "a")
			time.Sleep(9 * time.Second)
			d.renew()
		}, 19 * time.Second},
		{"another call is none", func(d *debts) {
			d.owe(1, "a")
			time.Sleep(9 * time.Second)
			d.owe(2, "b")
		}, 10 * time.Second},
		{"time without debts does not count", func(d *debts) {
			d.owe(1, "a")
			d.settle(1, nil)
			time.Sleep(15 * time.Second)
			d.owe(2, "b")
		}, 25 * time.Second},
		{"a call that was never sent is not owed", func(d *debts) {
			d.owe(1, "a")
			d.forget(1)
		}, 0},
		{"a call that ended without an answer stays owed", func(d *debts) {
			d.owe(1, "a")
			d.settle(1, parley.ErrClosed)
		}, 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin, expired := time.Now(), time.Duration(0)
				d := newDebts(timeout, func() { expired = time.Since(begin) })
				tt.run(d)
				time.Sleep(time.Minute)
				synctest.Wait()
				if expired != tt.expires {
					t.Errorf("it expired after %v, want %v", expired, tt.expires)
				}
			})
		})
	}
}

// Without a timeout there is no clock.
func TestDebtsWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDebts(0, func() { t.Error("it expired") })
		d.owe(1, "a")
		time.Sleep(1000 * time.Hour)
	})
}

func TestDebtsString(t *testing.T) {
	d := newDebts(0, nil)
	if d.String() != "" {
		t.Errorf("nothing is owed, but %s", d)
	}
	for id := int64(7); id > 0; id-- {
		d.owe(id, fmt.Sprintf("m%d", id))
	}
	if got, want := d.String(), "m1, m2, m3, m4, m5 and 2 more"; got != want {
		t.Errorf("owed: %s; want %s", got, want)
	}
	d.settle(2, nil)
	d.settle(3, context.Canceled)
	d.settle(4, &message.ParseError{Err: message.InvalidRequest})
	if got, want := d.String(), "m1, m3, m5, m6, m7"; got != want {
		t.Errorf("owed: %s; want %s", got, want)
	}
}
