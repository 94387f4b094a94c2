package parley

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

// A Correlation tells which requests belong together, however many programs they pass
// through. It is text that others made: parley makes no ids and no spans, and hands on
// byte for byte what it was given.
//
// What is malformed is ignored, never an error: a call must not fail because of what
// watches it. It counts as absent wherever a Correlation is put into a ctx or read from
// a request.
type Correlation struct {
	// TraceParent is the place in a trace, as in the header traceparent (W3C Trace
	// Context, section 3.2): four lowercase hexadecimal numbers of 2, 32, 16 and 2
	// digits with dashes between them. One of a later version than 00 may go on behind
	// a further dash, up to 256 bytes. The version ff, and ids of zeros only, are
	// malformed.
	TraceParent string

	// TraceState is what the tracers along the way noted for themselves, as in the
	// header tracestate (section 3.3): at most 512 bytes of printable ASCII. It does
	// not travel without a TraceParent.
	TraceState string

	// ID names the whole that the requests are part of, in the words of whoever began
	// it: at most 256 bytes of UTF-8 without control characters.
	ID string
}

// The most bytes of each. W3C Trace Context asks that 512 of a tracestate are passed on
// ("tracestate Limits"); for the others there is no number to keep to.
const (
	maxTraceParent   = 256
	maxTraceState    = 512
	maxCorrelationID = 256
)

// CorrelationKey is the member beside traceparent and tracestate that holds the ID. MCP
// wants such a name to begin with a domain in reverse, whose second part is neither mcp
// nor modelcontextprotocol (2026-07-28, "General fields: _meta"). It stands in the trace
// of Codex as well, whose readers pass over names that they do not know.
const CorrelationKey = "io.github.parley-rpc/correlationId"

// The members that MCP and ACP reserve in _meta, and Codex in trace.
const (
	traceParentKey = "traceparent"
	traceStateKey  = "tracestate"
)

// WithCorrelation returns a ctx under which calls, notes and the members of batches
// carry c, in the place that the dialect of their connection has for it
// ([Dialect.Meta]). The zero Correlation ends what the ctx carried until then, as one
// may want to towards strangers.
//
// A request goes out without it where there is no place: in a dialect that has none, in
// params that are an array, in a note if the place is in the envelope, and in plain
// JSON-RPC unless [Options.Correlate] asks for it. Params that hold a trace context or
// an ID already keep theirs.
func WithCorrelation(ctx context.Context, c Correlation) context.Context {
	c = c.sound()
	return context.WithValue(ctx, correlationKey, &c)
}

// CorrelationFrom returns what requests made under ctx carry. Inside a handler that is
// what its own request brought, unless [WithCorrelation] changed it: so it goes on from
// hop to hop by itself, from one dialect to another.
func CorrelationFrom(ctx context.Context) Correlation {
	if c, _ := ctx.Value(correlationKey).(*Correlation); c != nil {
		return *c
	}
	return Correlation{}
}

// correlation is what the request brought. It is looked for when somebody asks, since
// most handlers call nobody.
func (w *work) correlation() *Correlation {
	if c := w.brought.Load(); c != nil {
		return c
	}
	c := new(Correlation)
	*c = w.conn.set.dialect.Correlation(w.req)
	w.brought.Store(c)
	return c
}

// Correlation returns what req carries in the place that the dialect has for it. Most
// requests carry nothing, and cost no more than a search for a few words. A name that
// is written with escapes is not found.
func (d *Dialect) Correlation(req *message.Request) Correlation {
	var at message.Raw
	switch {
	case d.Meta.Extra != "":
		for _, m := range req.Extra {
			if m.Name == d.Meta.Extra {
				at = m.Value
				break
			}
		}
	case d.Meta.Params != "":
		if mayHold(req.Params, d.Meta.Params) {
			at, _ = req.Params.Member(d.Meta.Params)
		}
	}
	if !correlates(at) {
		return Correlation{}
	}
	return Correlation{
		TraceParent: textIn(at, traceParentKey),
		TraceState:  textIn(at, traceStateKey),
		ID:          textIn(at, CorrelationKey),
	}.sound()
}

// mayHold reports whether there can be something for us in a member of params. It spares
// the scan of params. Of large ones the member may be at the start, as some write them:
// then the scan is short, and a look at all that is behind would be the longer way.
func mayHold(params message.Raw, member string) bool {
	const large = 4 << 10 // bytes
	i := bytes.Index(params, []byte(member))
	return i >= 0 && (len(params) > large && i < len(params)/2 || correlates(params[i:]))
}

// correlates reports whether text has one of the words without which it is of no use to
// us.
func correlates(text []byte) bool {
	return bytes.Contains(text, []byte(traceParentKey)) || bytes.Contains(text, []byte(CorrelationKey))
}

// textIn is the string that a member of an object holds. One that is too long even if
// each of its characters is an escape is not looked into.
func textIn(object message.Raw, name string) string {
	quoted, _ := object.Member(name)
	if len(quoted) < 2 || quoted[0] != '"' || len(quoted) > len(`""`)+len(`\u0000`)*maxTraceState {
		return ""
	}
	text, err := jsonx.Unquote(quoted)
	if err != nil {
		return "" // half a surrogate pair, which is no text
	}
	return text
}

// correlate puts what ctx carries on a request of ours.
func (s *settings) correlate(ctx context.Context, req *message.Request, note bool) {
	if s.meta == (Meta{}) {
		return
	}
	c := CorrelationFrom(ctx)
	if c == (Correlation{}) {
		return
	}
	if s.meta.Params != "" {
		req.Params = c.inParams(req.Params, s.meta.Params, s.meta.Ask)
		return
	}
	if note {
		return // Codex has the member on its requests only
	}
	if extra, err := c.addTo(nil); err == nil {
		req.Extra = append(req.Extra, message.Member{Name: s.meta.Extra, Value: extra})
	}
}

// inParams returns params with c in the object that is their member, or as they are if
// there is no place for it. It touches no other byte. Where the place had to be asked for
// ([Meta.Ask]), params belong to the application alone, and absent ones stay so.
func (c Correlation) inParams(params message.Raw, member string, asked bool) message.Raw {
	object := params
	if absent(params) {
		if asked {
			return params
		}
		object = nil
	}
	held, _ := object.Member(member)
	meta, err := c.addTo(held)
	if err != nil || len(meta) == len(held) {
		return params // nothing can be added, or nothing is left to add
	}
	with, err := object.Set(meta, member)
	if err != nil {
		return params
	}
	return with
}

// absent reports whether params are none. The codecs leave null out, too.
func absent(params message.Raw) bool {
	return params.IsZero() || string(bytes.TrimSpace(params)) == "null"
}

// addTo returns an object with c in it. What it has already stays; a trace context is
// one thing, of which the halves of two hands would make nonsense.
func (c Correlation) addTo(object message.Raw) (message.Raw, error) {
	_, parent := object.Member(traceParentKey)
	_, state := object.Member(traceStateKey)
	if parent || state {
		c.TraceParent, c.TraceState = "", ""
	}
	if _, id := object.Member(CorrelationKey); id {
		c.ID = ""
	}
	for _, m := range [...]struct{ name, text string }{
		{traceParentKey, c.TraceParent}, {traceStateKey, c.TraceState}, {CorrelationKey, c.ID},
	} {
		if m.text == "" {
			continue
		}
		var err error
		if object, err = object.Set(jsonx.AppendQuote(nil, m.text), m.name); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// sound is c without what is malformed. A tracestate says nothing without its parent,
// though a parent does without it (W3C Trace Context, section 3.3).
func (c Correlation) sound() Correlation {
	if !isTraceParent(c.TraceParent) {
		c.TraceParent, c.TraceState = "", ""
	}
	if len(c.TraceState) > maxTraceState || !isPrintable(c.TraceState) {
		c.TraceState = ""
	}
	if len(c.ID) > maxCorrelationID || !utf8.ValidString(c.ID) || strings.ContainsFunc(c.ID, unicode.IsControl) {
		c.ID = ""
	}
	return c
}

// isTraceParent reports whether text is a traceparent of this version or a later one
// (W3C Trace Context, section 3.2, "Versioning of traceparent"):
//
//	00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
//	version  trace-id                  parent-id         flags
func isTraceParent(text string) bool {
	const size = 55 // without what a later version adds
	if len(text) < size || len(text) > maxTraceParent {
		return false
	}
	version, trace, parent, flags, rest := text[:2], text[3:35], text[36:52], text[53:size], text[size:]
	switch {
	case text[2] != '-' || text[35] != '-' || text[52] != '-':
		return false
	case !isLowerHex(version) || !isLowerHex(trace) || !isLowerHex(parent) || !isLowerHex(flags):
		return false
	case version == "ff" || strings.Trim(trace, "0") == "" || strings.Trim(parent, "0") == "":
		return false
	case rest == "":
		return true
	}
	return version != "00" && rest[0] == '-' && isPrintable(rest)
}

// isLowerHex reports whether text has hexadecimal digits only, none of them a capital.
func isLowerHex(text string) bool {
	return strings.Trim(text, "0123456789abcdef") == ""
}

// isPrintable reports whether text can stand in a header: ASCII without control
// characters.
func isPrintable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
