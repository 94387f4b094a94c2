package main

import (
	"context"
	"io"
	"runtime/debug"
	"time"

	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/recording"
)

const (
	// sniffRecords is how many records a dialect is told by, at most.
	sniffRecords = 64
	// sniffBytes bounds what is held of them.
	sniffBytes = 4 << 20
	// sniffPatience is how long a record of a live stream is held back because its
	// dialect is not certain yet.
	sniffPatience = 200 * time.Millisecond
	// interruptEvery is how many records of a file are read before somebody looks whether
	// that is still wanted.
	interruptEvery = 1024
)

// A prefix is the first records of a stream, by which its dialect is told.
type prefix struct {
	records []recording.Record
	bytes   int
	timed   bool // somebody noted times
}

// add keeps a record, and reports whether there are enough.
func (p *prefix) add(rec recording.Record) (full bool) {
	p.records = append(p.records, keepRecord(rec))
	p.bytes += len(rec.Raw)
	p.timed = p.timed || rec.Timed
	return len(p.records) >= sniffRecords || p.bytes >= sniffBytes
}

// twice explains a regular file in two passes. The second one shows what the first has
// found out about the end.
func (x *explainFlags) twice(ctx context.Context, a *app, in *input) error {
	defer lean(a.getenv)()
	p := newProgress(a.stderr, a.getenv, in.size, 2)
	defer p.clear()
	t := &telling{flags: x, app: a, view: x.view(a), fates: new(fates)}

	// The first records are read once more, for they tell the dialect.
	r := x.reader(io.NewSectionReader(in.file, in.start, in.size))
	var head prefix
	for {
		rec, err := r.Read()
		if err != nil || head.add(rec) {
			break // the first pass meets the error again
		}
	}
	c := x.choose(r.Framing(), head.records)

	first := ledger.New(&ledger.Options{Dialect: &c.dialect, From: c.side, Settled: t.fates.note})
	err := x.pass(ctx, in, p, true, func(rec *recording.Record) error {
		first.Add(ledgerRecord(rec))
		return nil
	})
	if ctx.Err() != nil {
		return err
	}
	if a.terminal {
		p.clear()
	}
	if err := t.begin(c, r, head.timed); err != nil {
		return err
	}
	err = x.pass(ctx, in, p, !a.terminal, t.add)
	p.clear()
	if output := t.end(); output != nil && err == nil {
		return output
	}
	return err
}

// leanHeap is how much memory the two passes should make do with, in bytes. The fates of
// a gigabyte of the smallest records take half of it.
const leanHeap = 160 << 20

// lean has the collector work harder when the heap comes near leanHeap, rather than let
// it grow to twice of what is in use. Who sets GOMEMLIMIT knows better.
func lean(getenv func(string) string) (restore func()) {
	if getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(leanHeap)
	return func() { debug.SetMemoryLimit(before) }
}

// pass reads the file once. What ends it early is an error.
func (x *explainFlags) pass(ctx context.Context, in *input, p *progress, show bool, each func(*recording.Record) error) error {
	r := x.reader(&countedReader{io.NewSectionReader(in.file, in.start, in.size), p, show})
	for n := 0; ; n++ {
		if n%interruptEvery == 0 && ctx.Err() != nil {
			return failf(exitInterrupted, "interrupted")
		}
		rec, err := r.Read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return in.readError(err)
		}
		if err := each(&rec); err != nil {
			return err
		}
	}
}

// once explains what comes, as it comes. What is told is flushed before anybody waits.
func (x *explainFlags) once(ctx context.Context, a *app, in *input) error {
	t := &telling{flags: x, app: a, view: x.view(a)}
	live := newLiveReader(ctx, in, sniffPatience)
	r := x.reader(live)
	var (
		head   prefix
		begun  bool
		failed error // the output is broken
	)
	begin := func() {
		if begun || failed != nil {
			return
		}
		begun = true
		failed = t.begin(x.choose(r.Framing(), head.records), r, head.timed)
		for i := range head.records {
			if failed == nil {
				failed = t.add(&head.records[i])
			}
		}
		head.records = nil
	}
	live.idle = func(waited bool) error {
		if len(head.records) > 0 && (waited || x.choose(r.Framing(), head.records).sure) {
			begin()
		}
		if begun && failed == nil {
			failed = outputError(t.view.idle())
		}
		return failed
	}
	for failed == nil {
		rec, err := r.Read()
		switch {
		case err != nil:
			begin()
			return x.ended(ctx, t, in, err, failed)
		case !begun:
			if head.add(rec) {
				begin()
			}
		default:
			failed = t.add(&rec)
		}
	}
	return failed
}

// ended tells the end of a live stream, and why it ended.
func (x *explainFlags) ended(ctx context.Context, t *telling, in *input, err, failed error) error {
	if failed == nil {
		failed = t.end()
	}
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ended(exitInterrupted) // what there was to say has been said
	case err != io.EOF:
		return in.readError(err)
	}
	return nil
}
