package lint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// jsonrpc reports whether the message has the envelope of JSON-RPC, and not one of the
// dialect's own. What such an envelope carries is JSON-RPC.
func (p *pass) jsonrpc() bool {
	c := p.dialect.Codec
	return c == nil || c == message.Strict || c == message.Bare || p.carried != ""
}

// own returns the text from the start of the message on: of the record, or of the
// message in it.
func (p *pass) own() message.Raw {
	prefix := p.prefix()
	if prefix == "" {
		return p.text
	}
	return p.text[offsetOf(p.text, prefix):]
}

// badEnvelope reports JSON that is no message, for the member that it is refused for. The
// codec's reason is a good message: it says what is there and what is wanted.
func (p *pass) badEnvelope() {
	bad, ok := errors.AsType[*message.ParseError](p.entry.Err)
	if !ok {
		p.reportAs(notMessage, 0, "", "no message: "+p.entry.Err.Error())
		return
	}
	// No codec names a place beyond the record; a dialect of somebody else's might. That of
	// a message inside another one counts from where it begins.
	at := int(bad.Offset)
	if p.carried != "" {
		at += offsetOf(p.text, p.carried)
	}
	at = min(max(at, 0), len(p.text)-1)
	if isTooDeep(bad) { // in the words of any dialect; its pointer would be as long as it is deep
		p.add(p.finding(deepNesting, at, "", bad.Reason).as(Error))
		return
	}
	pointer := strings.TrimPrefix(pointerAt(p.text, at), p.prefix())
	if !p.jsonrpc() {
		p.reportAs(notMessage, at, pointer, "no message of the "+p.dialect.Name+" dialect: "+bad.Reason)
		return
	}
	rule := p.ruleOf(bad, at, pointer)
	switch {
	case p.carried != "":
		if !p.isOwnFault(rule) {
			return
		}
	case rule == jsonrpcMissing:
		p.unversioned(rule, at)
		return
	case rule == jsonrpcWrong:
		p.versioned()
	case rule == neitherResult:
		if len(p.emptied) < maxEmptied {
			p.emptied[bad.ID] = true
		}
	}
	f := p.finding(rule, at, pointer, bad.Reason).as(Error)
	if p.carried != "" && rule == jsonrpcMissing {
		f = f.advise(jsonrpcWrong.Fix) // no dialect leaves it out there
	}
	if object := p.text[at] == '{'; object && (rule == neitherResult || rule == notMessage) && len(bad.Err.Data) == 0 {
		f.Message = "the object has no method, result or error" + p.capitals()
	}
	p.add(f)
}

// maxEmptied bounds how many ids of answers without a result are kept.
const maxEmptied = 1024

// ruleOf returns the rule that a refusal is about. The codec refuses a message for the
// first fault in an order of its own, and says where it is: that, and what the message
// claims to be, is enough to tell which.
func (p *pass) ruleOf(bad *message.ParseError, at int, pointer string) *Rule {
	own := p.own()
	has := func(name string) bool { _, ok := own.Member(name); return ok }
	// First what makes the whole object doubtful, in the order of the codec.
	switch {
	case len(bad.Err.Data) > 0:
		return notMessage
	case bad.Kind == message.KindHybrid:
		return methodAndResult
	case isName(p.text, at):
		return duplicateMember
	}
	// Then the member that the refusal points at,
	switch pointer {
	case "/jsonrpc":
		return jsonrpcWrong
	case "/method":
		return methodType
	case "/params":
		return paramsType
	case "/id":
		return idType
	case "/error":
		if has("result") && bad.Kind == message.KindReply {
			return resultAndError
		}
		return errorShape
	}
	// and where it points at the object, what that has not.
	switch {
	case bad.Kind == message.KindBatch || p.text[at] != '{':
		return notMessage
	case !has("jsonrpc") && (p.carried != "" || p.codec() == message.Strict) && (has("method") || has("result") || has("error")):
		return jsonrpcMissing
	case bad.Kind == message.KindReply && !has("id"):
		return answerWithoutID
	case has("id"):
		return neitherResult
	}
	return notMessage
}

// isTooDeep reports whether a record is refused for its depth.
func isTooDeep(bad *message.ParseError) bool {
	return strings.Contains(string(bad.Err.Data), `"depth"`)
}

// isName reports whether the string at an offset is a name, and not a value.
func isName(text []byte, at int) bool {
	if at >= len(text) || text[at] != '"' {
		return false
	}
	for t := (tour{text: text}); ; {
		s, ok := t.next()
		if !ok || s.at >= at {
			return ok && s.at == at && s.name
		}
	}
}

// capitals is a hint for an object that has the members of a message in another case.
func (p *pass) capitals() string {
	for _, name := range envelopeNames {
		for t := (tour{text: p.own()}); ; {
			s, ok := t.next()
			if !ok || len(t.path) == 0 && s.at > 0 {
				break
			}
			if top := t.top(); s.name && len(t.path) == 1 && top.name != name && strings.EqualFold(top.name, name) {
				return " (" + quoted(top.name) + " is not " + name + ": names match exactly)"
			}
		}
	}
	return ""
}

// maxMissing bounds how many messages of a side without jsonrpc are kept until there is
// one with it.
const maxMissing = 64

// versions are the messages of one side that lack jsonrpc.
type versions struct {
	with  bool      // there was one that has it
	total int64     // of those that lack it
	held  []Finding // the first of them, as long as none has it
}

// unversioned notes a message without jsonrpc.
func (p *pass) unversioned(r *Rule, at int) {
	v := &p.version[p.entry.From]
	v.total++
	f := p.finding(r, at, "", `jsonrpc is missing, want "2.0" (only the codex dialect leaves it out)`)
	switch {
	case v.with:
		p.add(f)
	case len(v.held) < maxMissing:
		v.held = append(v.held, f)
	}
}

// versioned notes a message with jsonrpc. Those before it that lack it do so one by one.
func (p *pass) versioned() {
	v := &p.version[p.entry.From]
	if v.with {
		return
	}
	v.with = true
	for _, f := range v.held {
		p.add(f)
	}
	v.held = nil
}

// leftOut reports sides of which all messages lack jsonrpc: all at once, if that is true
// of everybody, else each side at its first message.
func (p *pass) leftOut() {
	everybody := true
	total := int64(0)
	for _, v := range p.version {
		everybody = everybody && !v.with
		total += v.total
	}
	for side, v := range p.version {
		if len(v.held) == 0 {
			continue
		}
		f, whose, n := v.held[0], " of the "+parley.Side(side).String(), v.total
		if everybody {
			f, whose, n = p.firstMissing(), "", total
		}
		f.Message = fmt.Sprintf("every message%s leaves jsonrpc out (%s): this is the codex dialect; run with --dialect codex", whose, plural(n, "message"))
		p.add(f)
		if everybody {
			return
		}
	}
}

// firstMissing returns the first of all messages without jsonrpc.
func (p *pass) firstMissing() (first Finding) {
	for _, v := range p.version {
		if len(v.held) > 0 && (first.Rule == nil || v.held[0].Line < first.Line) {
			first = v.held[0]
		}
	}
	return first
}
