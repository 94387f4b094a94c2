package lint

import (
	"slices"
	"strings"

	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// Severity says how bad a fault is.
type Severity uint8

// The severities, from the least one.
const (
	Info    Severity = iota // worth to know; nothing is wrong yet
	Warning                 // breaks some peers, or is most likely not what was meant
	Error                   // breaks a peer that keeps to the specification
)

// String returns "info", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
	}
	return "info"
}

// A Rule is one thing that can be wrong. Rules are shared, so nobody may change them.
type Rule struct {
	ID       string   // in kebab case, for --disable and reports
	Severity Severity // of a finding, unless that has its own reason for another
	Title    string   // what is wrong, in a few words
	Doc      string   // what it means, and who stumbles over it
	Fix      string   // what to do about it
	Source   string   // where the rule is from, such as "JSON-RPC 2.0, section 4"

	// A rule looks at what it has a function for; the others are reported by the readers
	// of bad text (badtext.go) and of bad envelopes (badenvelope.go), which choose one
	// rule of many, and by that of headers (headers.go).
	record  func(*pass)                    // each record that was read
	entry   func(*pass)                    // each message of it: one, or those of a batch
	request func(*pass, *message.Request)  // each call and note
	reply   func(*pass, *message.Response) // each answer
	end     func(*pass)                    // the end of the stream
}

// Rules are all rules, by subject: the text, the envelope, calls and their answers, and
// the dialects.
var Rules = slices.Concat(textRules, envelopeRules, answerRules, dialectRules)

// Lookup returns the rule with the given ID.
func Lookup(id string) (*Rule, bool) {
	i := slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return Rules[i], true
}

// A Finding is a fault and its place.
type Finding struct {
	Rule     *Rule
	Severity Severity

	// Line is the line of the input, from 1, in a stream of lines and in a transcript,
	// and the number of the record, from 1, in everything else.
	Line int64

	// Offset is the place of the fault in the input, in bytes from its start. In a
	// transcript, whose records are escaped, it is where the line begins.
	Offset int64

	// Pointer is the member at fault, as a JSON pointer (RFC 6901); "" if it is the
	// record as a whole, or its text.
	Pointer string

	Message string // what is wrong here
	Fix     string // what to do about it: the rule's advice, or a better one for this case
}

// checks are the functions of the rules that are not disabled.
type checks struct {
	record, entry, request, reply, end []*Rule
	disabled                           map[*Rule]bool
}

// choose returns the checks without those of the disabled rules.
func choose(disabled []string) checks {
	c := checks{disabled: make(map[*Rule]bool)}
	for _, r := range Rules {
		if slices.Contains(disabled, r.ID) {
			c.disabled[r] = true
			continue
		}
		if r.record != nil {
			c.record = append(c.record, r)
		}
		if r.entry != nil {
			c.entry = append(c.entry, r)
		}
		if r.request != nil {
			c.request = append(c.request, r)
		}
		if r.reply != nil {
			c.reply = append(c.reply, r)
		}
		if r.end != nil {
			c.end = append(c.end, r)
		}
	}
	return c
}

// A pass is what a rule sees: one message, and the linter for all that was before.
type pass struct {
	*Linter
	rule  *Rule // whose turn it is
	place place // of the record
	text  []byte
	entry *ledger.Entry
	outer ledger.Entry // of the record; entry points to it, or to a part of it

	twice   bool // an object seems to have a name twice
	deepest int  // how many arrays and objects are open at once

	// index is the place of the message in a batch, -1 if it is no part of one.
	index int
	// carried is the pointer of the message inside another one, "" if it is in none.
	carried string
}

// report notes a finding of the rule whose turn it is: at the offset in the text, and
// about the member that pointer names within the message.
func (p *pass) report(at int, pointer, text string) { p.reportAs(p.rule, at, pointer, text) }

// reportAs is report for another rule.
func (p *pass) reportAs(r *Rule, at int, pointer, text string) {
	p.add(p.finding(r, at, pointer, text))
}

// finding makes a finding that is not reported yet.
func (p *pass) finding(r *Rule, at int, pointer, text string) Finding {
	if prefix := p.prefix(); prefix != "" {
		if at == 0 {
			at = offsetOf(p.text, prefix)
		}
		pointer = prefix + pointer
	}
	f := Finding{Rule: r, Severity: r.Severity, Line: p.place.line, Offset: p.place.offset, Pointer: pointer, Message: text, Fix: r.Fix}
	if !p.transcript {
		f.Offset += int64(at)
	}
	return f
}

// prefix is the pointer of the message, "" if it is the record itself.
func (p *pass) prefix() string {
	if p.index >= 0 {
		return elementPointer(p.index)
	}
	return p.carried
}

// whole returns the pointer within the record for one within the message.
func (p *pass) whole(pointer string) string { return p.prefix() + pointer }

// member reports a member of the message by its pointer, and finds the offset.
func (p *pass) member(pointer, text string) {
	p.report(offsetOf(p.text, p.whole(pointer)), pointer, text)
}

// as returns the finding with a severity of its own.
func (f Finding) as(s Severity) Finding {
	f.Severity = s
	return f
}

// advise returns the finding with advice of its own.
func (f Finding) advise(text string) Finding {
	f.Fix = text
	return f
}

// sentence joins the parts of a text that a rule is written in over several lines.
func sentence(parts ...string) string { return strings.Join(parts, " ") }
