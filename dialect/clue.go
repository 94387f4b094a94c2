package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	mcp "github.com/parley-rpc/parley/dialect/mcp/words"
	"github.com/parley-rpc/parley/message"
)

// An object is the members of a record that may tell something; absent ones are nil.
type object struct {
	jsonrpc, id, method, params, result, failure         message.Raw
	kind, subtype, request, response, requestID, session message.Raw
	message, event, emittedAt                            message.Raw
}

// read finds them; of a name that is given twice the first value counts, since this is a
// guess and no check. The refusal says what the record is if it is no object.
func read(rec []byte) (*object, *message.ParseError) {
	o := new(object)
	fields := map[string]*message.Raw{
		"jsonrpc": &o.jsonrpc, "id": &o.id, "method": &o.method, "params": &o.params, "result": &o.result,
		"error": &o.failure, "type": &o.kind, "subtype": &o.subtype, "request": &o.request, "response": &o.response,
		"request_id": &o.requestID, "session_id": &o.session, "message": &o.message, "event": &o.event,
		"emittedAtMs": &o.emittedAt,
	}
	refused := message.EachMember(rec, func(_ int, name []byte, value message.Raw) {
		if field := fields[string(name)]; field != nil && *field == nil {
			*field = value
		}
	})
	return o, refused
}

// shape says whether the object is a message of JSON-RPC, of either version.
func (o *object) shape() shape {
	switch {
	case o.jsonrpc != nil: // whatever else is wrong with it
		return versioned
	// An id alone is a member of many events, so it takes an answer beside it.
	case isString(o.method), o.id != nil && (o.result != nil || o.failure != nil):
		return bare
	}
	return noMessage
}

// clue returns what the object tells, if it tells anything.
func (o *object) clue() (clue, bool) {
	switch {
	case o.shape() == noMessage:
		return o.typed()
	case isString(o.method):
		return o.asks()
	case o.result != nil:
		return o.reply()
	case o.failure != nil:
		return o.fault()
	}
	return clue{}, false
}

// typed looks for Claude's records. Those of the control protocol have a form that
// nothing else has; the others do if they also name the conversation.
func (o *object) typed() (clue, bool) {
	kind, ok := text(o.kind)
	if !ok {
		return clue{}, false
	}
	named := false // by what it holds, as a type alone may be anybody's
	switch kind {
	case "control_request":
		return clue{of: ofClaude, sure: has(o.request, "subtype"), says: kind}, true
	case "control_response":
		return clue{of: ofClaude, sure: has(o.response, "request_id"), says: kind}, true
	case string(claude.ControlCancelRequest):
		return clue{of: ofClaude, sure: isString(o.requestID), says: kind}, true
	case "keep_alive":
		return clue{of: ofClaude, says: kind}, true
	case string(claude.User), string(claude.Assistant):
		named = has(o.message, "role")
	case string(claude.System), string(claude.Result):
		named = isString(o.subtype)
	case string(claude.StreamEvent):
		named = has(o.event, "type")
	}
	return clue{of: ofClaude, sure: isString(o.session), says: kind}, named
}

// asks looks at a call or a note: at its method, and for the handshake, which all
// call alike, at its params.
func (o *object) asks() (clue, bool) {
	method, _ := text(o.method)
	if c, ok := o.handshake(method); ok {
		return c, true
	}
	c := clue{says: method}
	switch named := o.namedBy(method); {
	case len(named) == 1:
		c.of = named[0]
		// Codex leaves jsonrpc out and the others do not, and a method without a slash is a
		// word that anybody may use.
		c.sure = strings.Contains(method, "/") && (o.jsonrpc == nil) == (c.of == ofCodex)
	default:
		// What is shown is a name of ours and not the method, which may hold anything.
		space, _, _ := strings.Cut(method, "/")
		c.of, c.says = spaces[space], "methods of "+space+"/…"
		if c.of == nil || space == method || (o.jsonrpc == nil) != (c.of == ofCodex) {
			return o.stamped()
		}
	}
	if c.of == ofMCP {
		c.era, _ = mcp.EraOf(&message.Request{Method: method, Params: o.params})
	}
	return c, true
}

// spaces are the first halves of methods that stand for a dialect even if the whole is
// not known, as in the next version of it.
var spaces = map[string]*family{
	"tools": ofMCP, "resources": ofMCP, "prompts": ofMCP, "notifications": ofMCP,
	"textDocument": ofLSP, "workspace": ofLSP, "window": ofLSP, "notebookDocument": ofLSP,
	"session": ofACP,
	"thread":  ofCodex, "turn": ofCodex, "item": ofCodex,
}

// namedBy returns the dialects that have the method among their words. A word that
// several have goes to Codex if jsonrpc is missing, and else to the others. The words of
// plain JSON-RPC are nobody's.
func (o *object) namedBy(method string) (by []*family) {
	// LSP has these words too, and they say as little there as here.
	plain := &parley.JSONRPC
	if slices.Contains([]string{plain.Cancel.Method, plain.Progress.Method, plain.Log.Method}, method) {
		return nil
	}
	for _, f := range []*family{ofMCP, ofLSP, ofACP, ofCodex} {
		if slices.ContainsFunc(f.dialect.Words, func(w parley.Word) bool { return w.Method == method }) {
			by = append(by, f)
		}
	}
	if len(by) > 1 {
		by = slices.DeleteFunc(by, func(f *family) bool { return (o.jsonrpc == nil) != (f == ofCodex) })
	}
	return by
}

// handshake tells the dialects apart that begin with initialize, and the modern era of
// MCP, which begins with anything.
func (o *object) handshake(method string) (clue, bool) {
	if meta, _ := o.params.Member("_meta"); has(meta, mcp.MetaProtocolVersion) {
		return clue{of: ofMCP, sure: true, era: mcp.EraModern, says: "_meta with " + mcp.MetaProtocolVersion}, true
	}
	if method != "initialize" {
		return clue{}, false
	}
	if c, ok := versionOf(o.params); ok {
		c.says = method + " with " + c.says
		return c, true
	}
	switch {
	case o.jsonrpc == nil && has(o.params, "clientInfo"):
		return clue{of: ofCodex, sure: true, says: "initialize with clientInfo"}, true
	case has(o.params, "processId"), has(o.params, "rootUri"), has(o.params, "workspaceFolders"):
		return clue{of: ofLSP, sure: has(o.params, "capabilities"), says: "initialize with an editor's process or folders"}, true
	case has(o.params, "capabilities"):
		return clue{of: ofLSP, says: "initialize with capabilities and no protocolVersion"}, true
	}
	return clue{}, false
}

// versionOf goes by protocolVersion, which is a date in MCP and a number in ACP.
func versionOf(value message.Raw) (clue, bool) {
	version, ok := value.Member("protocolVersion")
	if !ok {
		return clue{}, false
	}
	// The version is shown if it can be nothing but one: the text is a peer's.
	const longest = len(`"2025-06-18"`)
	says := "protocolVersion"
	if len(version) <= longest && strings.Trim(version.String(), `"0123456789-`) == "" {
		says = fmt.Sprintf("protocolVersion %s", version)
	}
	switch c := version[0]; {
	case c == '"':
		return clue{of: ofMCP, sure: len(version) == longest, era: mcp.EraLegacy, says: says}, true
	case '0' <= c && c <= '9':
		return clue{of: ofACP, sure: true, says: says}, true
	}
	return clue{}, false
}

// stamped looks for the time that Codex puts beside its notes.
func (o *object) stamped() (clue, bool) {
	return clue{of: ofCodex, says: "the member emittedAtMs"}, o.jsonrpc == nil && o.emittedAt != nil
}

// reply looks at what calls are answered with, for streams of which only that half is
// known.
func (o *object) reply() (clue, bool) {
	r := o.result
	if c, ok := versionOf(r); ok {
		c.says = "a result with " + c.says
		return c, true
	}
	if o.jsonrpc == nil {
		// Only Codex is without it, and its handshake is answered with no version.
		switch {
		case has(r, "userAgent") && (has(r, "codexHome") || has(r, "platformFamily")):
			return clue{of: ofCodex, sure: true, says: "a result with userAgent and codexHome"}, true
		case has(r, "thread"), has(r, "turn"):
			return clue{of: ofCodex, says: "a result with a thread or a turn"}, true
		}
		return clue{}, false
	}
	// Members that other protocols may have as well are no proof; they tell until the
	// first request is heard.
	capabilities, _ := r.Member("capabilities")
	switch {
	case has(r, "supportedVersions"):
		return clue{of: ofMCP, sure: true, era: mcp.EraModern, says: "a result with supportedVersions"}, true
	case has(r, "resultType"):
		return clue{of: ofMCP, era: mcp.EraModern, says: "a result with resultType"}, true
	case isObject(capabilities):
		return clue{of: ofLSP, sure: edits(capabilities), says: "a result with a language server's capabilities"}, true
	case has(r, "stopReason"), has(r, "sessionId"):
		return clue{of: ofACP, says: "a result with a stopReason or a sessionId"}, true
	}
	return clue{}, false
}

// edits reports whether capabilities are those of a language server.
func edits(capabilities message.Raw) (found bool) {
	_ = message.EachMember(capabilities, func(_ int, name []byte, _ message.Raw) {
		n := string(name)
		found = found || n == "textDocumentSync" || strings.HasSuffix(n, "Provider")
	})
	return found
}

// fault looks at an error. An agent of ACP that is not initialized has no other way to
// say what it is.
func (o *object) fault() (clue, bool) {
	why, _ := o.failure.Member("message")
	says, _ := text(why)
	return clue{of: ofACP, says: "an error that speaks of an ACP connection"}, strings.Contains(says, "ACP connection")
}

func isString(value message.Raw) bool { return len(value) > 0 && value[0] == '"' }

func isObject(value message.Raw) bool { return len(value) > 0 && value[0] == '{' }

// has reports whether value is an object with the member.
func has(value message.Raw, member string) bool {
	_, ok := value.Member(member)
	return ok
}

// text returns what a JSON string says.
func text(value message.Raw) (string, bool) {
	var s string
	if !isString(value) || value.Decode(&s) != nil {
		return "", false
	}
	return s, true
}
