package lint

import (
	"hash/maphash"
	"strconv"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/recording"
)

// DefaultMaxFindings is how many findings of one rule are returned when
// [Options.MaxFindings] says nothing else.
const DefaultMaxFindings = 1000

// Options configure a Linter. Nil is fine, and so is each zero value.
type Options struct {
	// Dialect is what both sides speak. Nil: [parley.JSONRPC].
	Dialect *parley.Dialect

	// From is who wrote the records of which nobody noted that, if all are of one side.
	// SideUnknown: the ledger infers it for each.
	From parley.Side

	// Guess says that the dialect is a guess that later records may prove wrong. What
	// only this dialect wants, its methods, its handshake, no batches, is not held against
	// anybody then.
	Guess bool

	// Disable are the IDs of rules that report nothing. An ID that no rule has is
	// ignored; [Lookup] tells.
	Disable []string

	// Framing and Shape are those of the [recording.Reader] that the records come from.
	// The zero values are lines of a raw stream.
	Framing frame.Framing
	Shape   recording.Shape

	// Input is what the reader reads, for faults that no record shows. Nil: they are not
	// found.
	Input *Input

	// MaxFindings is how many findings of one rule are returned. Zero:
	// [DefaultMaxFindings].
	MaxFindings int
}

// A Linter applies the rules to one stream. It is for one goroutine at a time.
type Linter struct {
	// What it goes by.
	dialect    parley.Dialect
	words      *vocabulary // of the dialect
	lenient    bool        // jsonrpc may be missing as far as the codec is concerned, and is missed all the same
	checks     checks
	input      *Input
	framing    frame.Framing
	transcript bool
	most       int

	// What it returns.
	found  []Finding
	counts map[*Rule]int64    // findings of each rule, those that were not returned too
	worst  map[*Rule]Severity // of those that were not returned
	totals [Error + 1]int64   // of each severity
	tried  int64              // findings, those that were dropped too
	mute   bool               // findings are dropped
	once   map[string]bool    // what is reported only the first time

	// What it knows of the records so far.
	ledger *ledger.Ledger
	places places
	pass   pass // of the record that is read
	scan   scan
	last   place // of the record that was read last
	bad    bool  // it was refused
	marked bool  // the framing is still to be looked at
	ended  bool  // End has run

	marks  marks     // of another framing, which the lines have
	wide   string    // UTF-16 or UTF-32, if a line of it was seen
	events []Finding // of lines that may be the start of an event stream
	held   *held     // lines that may be one value

	told     bool    // the recording says who wrote what, or what a process did
	spoke    [3]bool // which sides have said anything that could be read
	asked    [3]bool // which have called
	answered bool    // there was an answer
	version  [3]versions
	orphans  []orphan            // answers to nothing, until the other side has spoken
	emptied  map[message.ID]bool // what was answered with neither result nor error
	belated  map[int64]bool      // what was answered after it had been cancelled, by its record
	shake    handshake
	stop     int64 // the record of the last session/cancel
	batched  bool  // a batch was refused
}

// New returns a linter at the start of a stream.
func New(opts *Options) *Linter {
	if opts == nil {
		opts = new(Options)
	}
	l := &Linter{
		dialect:    parley.JSONRPC,
		checks:     choose(opts.Disable),
		input:      opts.Input,
		framing:    opts.Framing,
		transcript: opts.Shape == recording.ShapeTranscript,
		most:       opts.MaxFindings,
		counts:     make(map[*Rule]int64),
		worst:      make(map[*Rule]Severity),
		once:       make(map[string]bool),
		emptied:    make(map[message.ID]bool),
		belated:    make(map[int64]bool),
		scan:       scan{seed: maphash.MakeSeed()},
		marked:     !opts.Guess,
	}
	if opts.Dialect != nil {
		l.dialect = *opts.Dialect
	}
	if l.most <= 0 {
		l.most = DefaultMaxFindings
	}
	if opts.Guess {
		l.dialect.Words, l.dialect.NoBatch = nil, false
		l.lenient = l.dialect.Codec == message.Bare && l.dialect.Name == parley.JSONRPC.Name
	}
	l.ledger = ledger.New(&ledger.Options{Dialect: &l.dialect, From: opts.From, Settled: l.places.settled})
	l.places.open = l.ledger.Open
	l.shake.expected = handshakes[l.dialect.Name] && !opts.Guess
	l.words = newVocabulary(&l.dialect)
	return l
}

// Record returns what is wrong with the next record, and with those before it as far as
// this one shows it. The slice is good until the next call.
func (l *Linter) Record(rec recording.Record) []Finding {
	l.found = l.found[:0]
	if l.input != nil {
		if l.input.bom() && l.first("bom") {
			l.reportBOM()
		}
		l.margin(rec.Pos.Record, rec.Pos.Offset)
	}
	l.read(rec)
	return l.found
}

// read reads a record, without the marks of a framing that is not the one of the stream.
func (l *Linter) read(rec recording.Record) {
	if l.marks != ownMarks || len(l.events) > 0 {
		var ok bool
		if rec, ok = l.unmark(rec); !ok {
			return
		}
	}
	if l.held != nil && l.more(rec) {
		return
	}
	l.take(rec)
}

// Fail returns what is wrong where the reading ended with err, an error of
// [recording.Reader.Read]. An error that is not about the bytes of the input gives
// nothing.
func (l *Linter) Fail(err error) []Finding {
	l.found = l.found[:0]
	l.letGo()
	l.noEvents()
	l.badFraming(err)
	return l.found
}

// End returns what can only be said at the end of the stream. It is called once, after
// the last record.
func (l *Linter) End() []Finding {
	l.found = l.found[:0]
	if l.ended {
		return nil
	}
	l.ended = true
	l.letGo()
	l.noEvents()
	p := pass{Linter: l, place: l.last, index: -1}
	for _, r := range l.checks.end {
		p.rule = r
		r.end(&p)
	}
	for _, r := range Rules {
		if more := l.counts[r] - int64(l.most); more > 0 {
			l.found = append(l.found, Finding{
				Rule: r, Severity: l.worst[r], Line: l.last.line, Offset: l.last.offset,
				Message: "and " + thousands(more) + " more: " + r.Title, Fix: r.Fix,
			})
		}
	}
	l.forgotten()
	return l.found
}

// forgotten says, whatever else was found, of how many requests the end is not known.
func (l *Linter) forgotten() {
	n := l.ledger.Counts().Forgotten
	if n == 0 || l.checks.disabled[neverAnswered] {
		return
	}
	l.totals[Info]++
	l.found = append(l.found, Finding{
		Rule: neverAnswered, Severity: Info, Line: l.last.line, Offset: l.last.offset,
		Message: plural(n, "request") + " did not fit: more are open than lint follows, and whether the oldest of them were answered is not known",
		Fix:     neverAnswered.Fix,
	})
}

// Counts returns how many findings there were so far of each severity, those that were
// not returned included.
func (l *Linter) Counts() (errors, warnings, infos int64) {
	return l.totals[Error], l.totals[Warning], l.totals[Info]
}

// add notes a finding, unless its rule is disabled or has had enough.
func (l *Linter) add(f Finding) {
	l.tried++
	if l.mute || l.checks.disabled[f.Rule] {
		return
	}
	l.totals[f.Severity]++
	l.counts[f.Rule]++
	if l.counts[f.Rule] <= int64(l.most) {
		l.found = append(l.found, f)
		return
	}
	l.worst[f.Rule] = max(l.worst[f.Rule], f.Severity)
}

// first reports whether it is asked for the first time with this key. What it remembers
// is bounded; after that everything is news.
func (l *Linter) first(key string) bool {
	const most = 4096
	if l.once[key] {
		return false
	}
	if len(l.once) < most {
		l.once[key] = true
	}
	return true
}

// take reads a record. The ledger has it first: it parses the record, so that one that is
// in order costs no second look beyond a [scan], and says who owes whom.
func (l *Linter) take(rec recording.Record) {
	p := &l.pass // one for all records, since the rules make it escape
	*p = pass{Linter: l, place: placeOf(rec.Pos), text: rec.Raw, index: -1}
	l.last, l.bad = p.place, false
	if p.marked {
		p.marked = false
		p.wrongMarks()
	}
	p.enter(rec)
	switch {
	case rec.Process != "", p.entry.Kind == ledger.KindBlank:
	case rec.Err != nil, p.entry.Err != nil:
		l.bad = true
		if rec.From != parley.SideUnknown {
			p.spoken() // badly, but it is there
		}
		if rec.Err != nil {
			p.skipped(rec.Err)
		} else {
			p.refused(rec)
		}
	default:
		p.spoken()
		p.accepted()
	}
}

// enter gives a record to the ledger.
func (p *pass) enter(rec recording.Record) {
	in := ledger.Record{At: ledger.Untimed, From: rec.From, Raw: rec.Raw, Err: rec.Err, What: rec.Process}
	if rec.Timed {
		in.At = rec.Time
	}
	p.told = p.told || rec.From != parley.SideUnknown || rec.Process != ""
	p.outer = p.ledger.Add(in)
	p.entry = &p.outer
	at := p.place
	at.refused = at.refused || p.entry.Err != nil || p.entry.Kind == ledger.KindBatch && p.dialect.NoBatch
	p.places.put(p.entry, at)
}

// accepted reads a record that is a message, or several.
func (p *pass) accepted() {
	p.twice, p.deepest = p.scan.run(p.text)
	for _, r := range p.checks.record {
		p.rule = r
		r.record(p)
	}
	if p.entry.Kind == ledger.KindBatch {
		p.batch()
		return
	}
	p.message()
	if len(p.entry.Parts) > 0 {
		p.inside()
	}
}

// maxInBatch is how many findings of one batch are told. The place of each is looked for
// from the start of the batch, which may have tens of thousands of members.
const maxInBatch = 100

// batch reads the messages of a batch.
func (p *pass) batch() {
	whole, before := p.entry, p.tried
	for i := range whole.Parts {
		p.index, p.entry = i, &whole.Parts[i]
		switch {
		case p.tried-before >= maxInBatch:
			if p.first("batch of " + p.place.String()) {
				p.reportAs(notMessage, 0, "", "there is more to say about this batch: its members from here on were not looked at")
			}
			p.follow()
		case p.entry.Err != nil:
			p.badEnvelope()
		default:
			p.message()
		}
	}
	p.index, p.entry = -1, whole
}

// message reads one message: first by the rules, which see what was before it, and then
// for what later ones need to know of it.
func (p *pass) message() {
	for _, r := range p.checks.entry {
		p.rule = r
		r.entry(p)
	}
	switch m := p.entry.Message.(type) {
	case *message.Request:
		for _, r := range p.checks.request {
			p.rule = r
			r.request(p, m)
		}
	case *message.Response:
		for _, r := range p.checks.reply {
			p.rule = r
			r.reply(p, m)
		}
	}
	p.follow()
}

// quietly gives the text of a message that stands in a refused record to the ledger, so
// that its answer is not taken for an answer to nothing.
func (p *pass) quietly(rec recording.Record, text []byte) *ledger.Entry {
	inside := pass{Linter: p.Linter, place: p.place, text: text, index: -1}
	inside.place.refused = true
	rec.Raw, rec.Err = text, nil
	p.mute = true
	inside.enter(rec)
	if inside.entry.Err == nil {
		inside.spoken()
		inside.follow()
	}
	p.mute = false
	return inside.entry
}

// spoken notes who has said something: whoever has not is no part of the recording, and
// that nothing comes from there is no fault.
func (p *pass) spoken() { p.spoke[p.entry.From] = true }

// thousands writes a number as 1,234,567.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
