package main

import (
	"bufio"
	"io"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// An explained is the JSON of one record, or of a message in it. What does not apply is
// null.
type explained struct {
	N          int64       `json:"n"`
	TMs        *float64    `json:"t_ms"`
	From       string      `json:"from"`
	Kind       string      `json:"kind"`
	ID         message.ID  `json:"id"` // its exact text; null also for the id null
	Method     *string     `json:"method"`
	MustAnswer bool        `json:"must_answer"`
	OwedBy     *string     `json:"owed_by"`
	Answers    *int64      `json:"answers"`
	AnsweredBy *int64      `json:"answered_by"`
	State      *string     `json:"state"`
	LatencyMs  *float64    `json:"latency_ms"`
	Why        string      `json:"why"`
	Summary    string      `json:"summary"`
	About      *int64      `json:"about"` // what it takes back or reports on
	EndedBy    *int64      `json:"ended_by"`
	Inferred   bool        `json:"inferred"` // nobody said who wrote it
	Agent      string      `json:"agent,omitempty"`
	Process    string      `json:"process,omitempty"`
	Inner      []explained `json:"inner,omitempty"`
	Batch      []explained `json:"batch,omitempty"`
}

// explain returns the JSON of an entry, which is the record or a message in it.
func (a *account) explain(e *ledger.Entry, dialect string, raw []byte) explained {
	is := a.fate(e)
	x := explained{
		N: e.N, TMs: milliseconds(e.At), From: e.From.String(), Kind: e.Kind.String(), ID: e.ID, Method: word(e.Method),
		MustAnswer: e.MustAnswer, AnsweredBy: number(is.by), State: word(is.state.String()), LatencyMs: milliseconds(is.took),
		Why: e.Why(), Summary: summarize(dialect, e, raw), EndedBy: number(is.endedBy), Inferred: e.Inferred, Process: e.What,
	}
	if e.MustAnswer {
		x.OwedBy = word(e.OwedBy.String())
	}
	if e.Answers {
		x.Answers = number(e.About)
	} else {
		x.About = number(e.About)
	}
	for i := range e.Parts {
		part := a.explain(&e.Parts[i], innerDialect(dialect, e.Kind), nil)
		if e.Kind == ledger.KindBatch {
			x.Batch = append(x.Batch, part)
		} else {
			x.Inner = append(x.Inner, part)
		}
	}
	return x
}

func word(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func number(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func milliseconds(d time.Duration) *float64 {
	if d < 0 {
		return nil
	}
	ms := float64(d.Microseconds()) / 1000
	return &ms
}

// A jsonView shows accounts to a program: as one object a line and nothing else, or all
// of them in one value together with what is left at the end.
type jsonView struct {
	app   *app
	out   *bufio.Writer
	whole bool // one value
	count int
}

func (v *jsonView) begin(of *origin) error {
	if !v.whole {
		return nil
	}
	head, err := message.Encode(struct {
		Dialect string `json:"dialect"`
		Why     string `json:"dialect_why"`
		Shape   string `json:"shape"`
		Framing string `json:"framing"`
	}{of.dialect, of.why, string(of.shape), of.framing.String()})
	if err != nil {
		return err
	}
	_, _ = v.out.Write(v.app.shown(head[:len(head)-1])) // the error comes again with Flush
	_, _ = v.out.WriteString(`,"records":[`)
	return nil
}

func (v *jsonView) show(a *account) error {
	x := a.explain(&a.Entry, a.dialect.Name, a.raw)
	x.Agent = a.Agent.String()
	text, err := message.Encode(x)
	if err != nil {
		return err
	}
	if v.whole && v.count > 0 {
		_, _ = v.out.WriteString(",\n")
	}
	v.count++
	if _, err = v.out.Write(v.app.shown(text)); err == nil && !v.whole {
		err = v.out.WriteByte('\n')
	}
	return err
}

func (v *jsonView) idle() error { return v.out.Flush() }

// A left is the JSON of an open debt.
type left struct {
	N      int64      `json:"n"`
	ID     message.ID `json:"id"`
	Method string     `json:"method"`
	From   string     `json:"from"`
	OwedBy string     `json:"owed_by"`
	ForMs  *float64   `json:"for_ms"`
	What   *string    `json:"what"`
	Waits  *string    `json:"waits_for"` // of a person
	Stream bool       `json:"stream"`    // it is meant to stay open
	Chain  string     `json:"chain"`
}

// waitWords are the names of what a debt waits for.
var waitWords = map[parley.Wait]string{parley.WaitApproval: "approval", parley.WaitInput: "input"}

func (v *jsonView) end(of *ending) error {
	if v.whole {
		if err := v.tail(of); err != nil {
			return err
		}
	}
	return v.out.Flush()
}

// tail closes the list of records and writes what is left.
func (v *jsonView) tail(of *ending) error {
	type agent struct {
		State  string   `json:"state"`
		Since  *int64   `json:"since"`
		SinceM *float64 `json:"since_ms"`
		Reason *string  `json:"reason"`
	}
	type tail struct {
		Open     []left           `json:"open"`
		Agent    agent            `json:"agent"`
		Counts   map[string]int64 `json:"counts"`
		Inferred int64            `json:"inferred"`
		Notes    []string         `json:"notes"`
	}
	t := tail{
		Open:     []left{},
		Agent:    agent{of.agent.State.String(), number(of.agent.Since), milliseconds(of.agent.At), word(of.agent.Reason)},
		Counts:   counted(&of.counts),
		Inferred: of.inferred,
		Notes:    of.notes,
	}
	for i := range of.open {
		d := &of.open[i]
		x := left{
			N: d.N, ID: d.ID, Method: d.Method, From: d.From.String(), OwedBy: d.Owes.String(), What: word(d.What),
			Waits: word(waitWords[d.Wait]), Stream: d.Stream, Chain: of.chain(d.Serial),
		}
		if d.At != ledger.Untimed && of.last != ledger.Untimed {
			x.ForMs = milliseconds(of.last - d.At)
		}
		t.Open = append(t.Open, x)
	}
	text, err := message.Encode(t)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(v.out, "],")
	_, _ = v.out.Write(v.app.shown(text[1:]))
	_, _ = io.WriteString(v.out, "\n") // the error comes again with Flush
	return nil
}

// counted are the counts by their names.
func counted(c *ledger.Counts) map[string]int64 {
	return map[string]int64{
		"records": c.Records, "calls": c.Calls, "notes": c.Notes, "answered": c.Answered, "failed": c.Failed,
		"cancelled": c.Cancelled, "withdrawn": c.Withdrawn, "late": c.Late, "orphans": c.Orphans,
		"duplicates": c.Duplicates, "invalid": c.Invalid, "reused": c.Reused, "forgotten": c.Forgotten,
	}
}
