package lint

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// The rules that need to know which dialect is spoken.
var dialectRules = []*Rule{
	unknownMethod, methodCase, methodKind, cancelWithoutID, beforeHandshake, secondHandshake, initializeCancelled, noBatch,
}

var beforeHandshake = &Rule{
	ID: "before-handshake", Severity: Warning, Title: "traffic before the handshake",
	Doc: sentence(
		"In MCP up to 2025-11-25, LSP, ACP and Codex the client first calls initialize and waits for the answer. What comes",
		"before it is refused (LSP -32002, Codex \"Not initialized\") or, if it is a notification, lost. MCP allows ping.",
		"If no initialize comes at all, the recording most likely began later, and it is an info."),
	Fix:    "call initialize first, and wait for its answer",
	Source: "LSP, initialize; MCP, lifecycle; ACP, initialization; Codex app-server, README",
	end: func(p *pass) {
		if f := p.shake.early; f != nil && !p.shake.begun {
			f.Severity = Info
			f.Message = "the recording has no initialize: it began later, or the handshake is missing"
			p.add(*f)
		}
	},
}

var secondHandshake = &Rule{
	ID: "second-handshake", Severity: Warning, Title: "a second initialize",
	Doc:    "initialize is called once for each connection. A second call is refused, or resets what was agreed on.",
	Fix:    "call initialize once, and again only after it has failed",
	Source: "LSP, initialize; Codex app-server, README",
}

var initializeCancelled = &Rule{
	ID: "initialize-cancelled", Severity: Error, Title: "initialize is cancelled",
	Doc:    "The client must not cancel its initialize. If it does not want the connection any more, it closes it.",
	Fix:    "close the connection instead",
	Source: "MCP, cancellation",
	entry: func(p *pass) {
		e := p.entry
		if e.Because == ledger.BecauseCancel && e.About == p.shake.n && p.isMCP() {
			p.report(0, "/params/"+p.dialect.Cancel.Member, "the initialize"+p.places.ofLine(e.About)+" is cancelled")
		}
	},
}

var noBatch = &Rule{
	ID: "no-batch", Severity: Error, Title: "a batch where there is none",
	Doc: sentence(
		"MCP since 2025-06-18, ACP version 1, LSP, Codex and Claude have no batches: an array is refused as a whole, and the",
		"requests in it are not answered. MCP 2025-03-26 had them, so that they are fine once initialize was answered with",
		"that version."),
	Fix:    "send each message by itself",
	Source: "the specification of the dialect",
	record: func(p *pass) {
		if p.entry.Kind == ledger.KindBatch && p.dialect.NoBatch {
			p.batched = true
			p.report(0, "", "the "+p.dialect.Name+" dialect has no batches"+p.unless())
		}
	},
}

// unless says which version of the dialect has batches, if one does.
func (p *pass) unless() string {
	if p.isMCP() && p.dialect.Name != mcp.Modern.Name && !p.shake.done {
		return " unless " + mcp.Version20250326 + " was agreed on"
	}
	return ""
}

// isMCP reports whether MCP is spoken, of whatever era.
func (l *Linter) isMCP() bool { return strings.HasPrefix(l.dialect.Name, mcp.Dialect.Name) }

// agreed notes the version that the answer to initialize names: one of MCP has batches.
func (p *pass) agreed(m *message.Response) {
	version, _ := m.Result.Member("protocolVersion")
	if p.isMCP() && string(version) == strconv.Quote(mcp.Version20250326) {
		p.dialect.NoBatch = false
	}
}

// A handshake follows how a stream begins.
type handshake struct {
	expected bool // the dialect has one
	begun    bool // initialize was called
	n        int64
	id       message.ID
	done     bool     // it was answered
	early    *Finding // the first thing that came before it, or before its answer
}

// handshakes are the dialects that begin with a call of initialize by the client. MCP of
// 2026 does not, and tells by what its requests carry.
var handshakes = map[string]bool{"lsp": true, "acp": true, "codex": true, "mcp": true, "mcp-legacy": true}

// beforeInitialize are what a client may send before it.
var beforeInitialize = map[string]bool{"ping": true, "exit": true, "server/discover": true}

// modernMark is what requests of MCP 2026 carry, which has no handshake.
var modernMark = []byte("io.modelcontextprotocol/protocolVersion")

// maxBelated bounds how many late answers are remembered.
const maxBelated = 4096

// follow notes what later records need to know of a message, whether or not any rule has
// looked at it.
func (p *pass) follow() {
	if p.entry.Because == ledger.BecauseLate && len(p.belated) < maxBelated {
		p.belated[p.entry.About] = true
	}
	if p.carried != "" {
		return // it is no part of the stream's own conversation
	}
	switch m := p.entry.Message.(type) {
	case *message.Request:
		if !m.IsNote() {
			p.asked[p.entry.From] = true
		}
		if m.Method == "session/cancel" {
			p.stop = p.entry.N
		}
		if p.shake.expected && p.entry.From != parley.SideServer {
			p.greets(m)
		}
	case *message.Response:
		p.answered = true
		if s := &p.shake; s.begun && !s.done && p.entry.About == s.n {
			s.done = true
			p.shakeSays("is sent before initialize was answered")
			s.begun = m.Error == nil // a refused one may be tried again
			p.agreed(m)
		} else if !s.begun && p.entry.Because == ledger.BecauseOrphan {
			p.agreed(m) // of a recording that has only answers
		}
	}
	if p.jsonrpc() && !p.lenient {
		p.versioned()
	}
}

// greets looks at a request of the client for where the handshake stands. What comes too
// early is kept until it is known to be: a recording that began in the middle has no
// handshake either, and one of the client alone has no answer to it. One is enough, as
// the others come from the same cause.
func (p *pass) greets(m *message.Request) {
	s := &p.shake
	switch {
	case m.Method == "initialize" && s.begun:
		p.reportAs(secondHandshake, 0, "", "initialize is called a second time; the first call is"+p.places.onLine(s.n))
	case m.Method == "initialize":
		p.shakeSays("is sent before initialize")
		s.begun, s.done, s.n, s.id = true, false, p.entry.N, m.ID
	case s.done || s.early != nil || beforeInitialize[m.Method]:
	case m.Method == "server/discover", bytes.Contains(m.Params, modernMark):
		s.expected = false
	case s.begun && m.IsNote() && p.dialect.Name != "lsp":
		// Of what a client may not send meanwhile, notes of the other dialects are the
		// one that ends the handshake, and cancellations.
	default:
		f := p.finding(beforeHandshake, offsetOf(p.text, p.whole("/method")), p.methodPointer(), quoted(m.Method))
		s.early = &f
	}
}

// shakeSays reports what came too early, now that it is known to have.
func (p *pass) shakeSays(what string) {
	if f := p.shake.early; f != nil {
		f.Message += " " + what
		p.add(*f)
		p.shake.early = nil
	}
}
