package dialect

import (
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/dialect/lsp"
	mcp "github.com/parley-rpc/parley/dialect/mcp/words"
	"github.com/parley-rpc/parley/dialect/stream"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A Guess is a dialect, and why it is that one.
type Guess struct {
	// Dialect has the framing that was found. If no dialect is known it is
	// [parley.JSONRPC], with [message.Bare] for peers that leave jsonrpc out.
	Dialect parley.Dialect

	// Why says what was seen and what it means, in words for a person:
	// "control_request and stream_event records: Claude's stream-json". No text of the
	// stream is in it that the dialects do not name themselves, but for dates and
	// numbers of versions.
	Why string

	// Sure says that a record was seen which only this dialect has. Records that come
	// later do not change the guess then, but for the era of MCP.
	Sure bool
}

// Sniff tells by the first records of a stream, in their order and from either side or
// both, which dialect is spoken. Records that are no JSON are passed over, and without
// any other the guess is plain JSON-RPC. More than a few dozen records are never needed.
func Sniff(f frame.Framing, records [][]byte) Guess {
	var s seen
	for _, rec := range records {
		s.record(rec)
	}
	g := s.guess(f)
	g.Dialect.Framing = f
	return g
}

// A family is a dialect with its eras, if it has some.
type family struct {
	dialect *parley.Dialect
	title   string // what a person calls it
}

var (
	ofMCP    = &family{&mcp.Dialect, "MCP"}
	ofLSP    = &family{&lsp.Dialect, "LSP"}
	ofACP    = &family{&acp.Dialect, "ACP"}
	ofCodex  = &family{&codex.Dialect, "Codex app-server"}
	ofClaude = &family{&claude.Dialect, "Claude's stream-json"}
)

// A clue is what one record tells.
type clue struct {
	of   *family
	sure bool
	era  mcp.Era
	says string // what it is that tells: a method, a type, a phrase
}

// seen is what a number of records tell.
type seen struct {
	clues  []clue // each at most once
	first  shape  // of the first message, as JSON-RPC has them
	events int    // objects that are no messages
	values int    // other JSON values
}

// A shape says what an object is by its envelope alone.
type shape uint8

const (
	noMessage shape = iota
	versioned       // a message with the member jsonrpc
	bare            // a message without it
)

// record notes what one record tells. A batch is the messages in it, of which the first
// few will do.
func (s *seen) record(rec []byte) {
	const few = 16
	o, refused := read(rec)
	switch {
	case refused == nil:
		s.object(o)
	case refused.Kind == message.KindBatch && refused.Err.Data.IsZero(): // it is not too deep
		var members []message.Raw
		if err := message.Raw(rec).Decode(&members); err != nil {
			return
		}
		// What is no message makes the array a value like any other.
		for _, m := range members[:min(len(members), few)] {
			if o, refused := read(m); refused == nil && o.shape() != noMessage {
				s.object(o)
			}
		}
		s.values++
	case refused.Err.Code == message.CodeInvalidRequest: // JSON, and no object
		s.values++
	}
}

// object notes what an object tells.
func (s *seen) object(o *object) {
	if shape := o.shape(); shape == noMessage {
		s.events++
	} else if s.first == noMessage {
		s.first = shape
	}
	if c, ok := o.clue(); ok && !slices.Contains(s.clues, c) {
		s.clues = append(s.clues, c)
	}
}

// guess goes by the first clue that is sure, else by the first of all, else by the shape
// of the records.
func (s *seen) guess(f frame.Framing) Guess {
	if len(s.clues) == 0 {
		return s.plain(f)
	}
	// The first that is sure, and not the most: so a guess that is sure stays.
	i := max(0, slices.IndexFunc(s.clues, func(c clue) bool { return c.sure }))
	c := s.clues[i]
	says := s.says(c)
	switch c.of {
	case ofMCP:
		return s.mcp(says, c.sure)
	case ofClaude:
		says += " records"
	case ofCodex:
		if s.first == bare {
			says = "messages without the member jsonrpc, and " + says
		}
	case ofLSP:
		if headed(f) {
			says = "Content-Length framing and " + says
		}
	}
	return Guess{Dialect: *c.of.dialect, Why: says + ": " + c.of.title, Sure: c.sure}
}

// says lists up to two things that tell the same as the clue, which is the first.
func (s *seen) says(c clue) string {
	says := []string{c.says}
	for _, other := range s.clues {
		if other.of == c.of && other.sure == c.sure && other.says != c.says {
			says = append(says, other.says)
			break
		}
	}
	return strings.Join(says, " and ")
}

// mcp guesses the era as well, if all clues to it agree. A client of both eras first asks
// as in the modern one, and then goes on as in the legacy one.
func (s *seen) mcp(says string, sure bool) Guess {
	eras := map[mcp.Era]bool{}
	for _, c := range s.clues {
		if c.of == ofMCP && c.era != 0 {
			eras[c.era] = true
		}
	}
	g := Guess{Dialect: mcp.Dialect, Why: says + ": MCP", Sure: sure}
	switch legacy, modern := eras[mcp.EraLegacy], eras[mcp.EraModern]; {
	case legacy && modern:
		g.Why += ", both eras"
	case legacy:
		g.Dialect, g.Why = mcp.Legacy, g.Why+", legacy era"
	case modern:
		g.Dialect, g.Why = mcp.Modern, g.Why+", modern era"
	}
	return g
}

// plain is the guess where no clue is. It is never sure, since the next record may be
// one.
func (s *seen) plain(f frame.Framing) Guess {
	switch {
	case s.first != noMessage && headed(f):
		return Guess{Dialect: lsp.Dialect, Why: "Content-Length framing, and no method that a dialect knows: perhaps LSP"}
	case s.first == versioned:
		return Guess{Dialect: parley.JSONRPC, Why: "JSON-RPC 2.0 messages and no method that a dialect knows: plain JSON-RPC"}
	case s.first == bare:
		d := parley.JSONRPC
		d.Codec = message.Bare
		return Guess{Dialect: d, Why: "messages without the member jsonrpc, and no method that a dialect knows: plain JSON-RPC, as version 1.0 has it"}
	case s.events > 0:
		return Guess{Dialect: stream.Dialect, Why: "objects without id, method, result or error: a stream of events"}
	case s.values > 0:
		return Guess{Dialect: stream.Dialect, Why: "JSON values that are no objects: a stream of events"}
	}
	return Guess{Dialect: parley.JSONRPC, Why: "no record that is JSON: nothing is known, so plain JSON-RPC"}
}

// headed reports whether the framing is that of LSP, whatever its limit.
func headed(f frame.Framing) bool { return f.Limit(0) == frame.Header }
