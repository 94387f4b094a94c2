package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-rpc/parley/message"
)

// The rules about the members of a message. A refused one gets one of them, by
// [pass.badEnvelope]; those with a function look at messages that were accepted.
var envelopeRules = []*Rule{
	notMessage, jsonrpcMissing, jsonrpcWrong, methodAndResult, resultAndError, neitherResult, answerWithoutID,
	errorShape, errorCode, methodType, paramsType, idType, idNull, idFraction, idTooBig, unknownMember,
}

var notMessage = &Rule{
	ID: "not-a-message", Severity: Error, Title: "JSON that is no message",
	Doc: sentence(
		"The record is JSON, and neither a request, a notification, an answer nor a batch: a number, a string, an empty",
		"array, or an object with none of the members of a message. A peer answers -32600 with id null."),
	Fix:    "send objects with a method, or with an id and a result or an error",
	Source: "JSON-RPC 2.0, sections 4 to 6",
}

var jsonrpcMissing = &Rule{
	ID: "jsonrpc-missing", Severity: Error, Title: "no member jsonrpc",
	Doc: sentence(
		`A message without "jsonrpc":"2.0" is one of JSON-RPC 1.0, or of the Codex app-server, whose dialect leaves the`,
		"member out. Strict peers refuse it. If all messages of one side lack it, that is reported once, with the dialect."),
	Fix:    `write "jsonrpc":"2.0" in each message, or run with --dialect codex if none of them has it`,
	Source: "JSON-RPC 2.0, section 4",
	entry: func(p *pass) {
		if !p.lenient {
			return
		}
		if _, ok := p.own().Member("jsonrpc"); ok {
			p.versioned()
		} else {
			p.unversioned(p.rule, 0)
		}
	},
	end: func(p *pass) { p.leftOut() },
}

var jsonrpcWrong = &Rule{
	ID: "jsonrpc-wrong", Severity: Error, Title: "another version than 2.0",
	Doc:    `The member jsonrpc must be exactly the string "2.0": not the number 2.0, and not "1.0".`,
	Fix:    `write "jsonrpc":"2.0"`,
	Source: "JSON-RPC 2.0, section 4",
}

var methodAndResult = &Rule{
	ID: "method-and-result", Severity: Error, Title: "a request that is an answer as well",
	Doc: sentence(
		"The object has a method and also a result or an error. Some peers take it for a request and some for an answer,",
		"so that it could settle a call that it does not belong to."),
	Fix:    "write a method in requests only, and result or error in answers only",
	Source: "JSON-RPC 2.0, sections 4 and 5",
}

var resultAndError = &Rule{
	ID: "result-and-error", Severity: Error, Title: "an answer with both result and error",
	Doc: sentence(
		"An answer has exactly one of the two, and leaves the other out: null counts as there. JSON-RPC 1.0 wants both, and",
		"libraries that write every field of a struct send them."),
	Fix:    "leave the member out that does not apply",
	Source: "JSON-RPC 2.0, section 5",
}

var neitherResult = &Rule{
	ID: "neither-result-nor-error", Severity: Error, Title: "an id, and nothing else of a message",
	Doc: sentence(
		"The object has an id and neither a method, a result nor an error. Most often it is an answer whose result was null",
		"and was left out by omitempty or its like: the caller waits on."),
	Fix:    `write "result":null where there is nothing to return`,
	Source: "JSON-RPC 2.0, section 5",
}

var answerWithoutID = &Rule{
	ID: "answer-without-id", Severity: Error, Title: "an answer without an id",
	Doc: sentence(
		"Nobody can tell which call it settles. It may be an answer to a notification, which wants none; where an id could",
		"not be read, the answer has id null."),
	Fix:    "repeat the id of the request, and do not answer notifications",
	Source: "JSON-RPC 2.0, section 5",
}

var errorShape = &Rule{
	ID: "error-shape", Severity: Error, Title: "an error of the wrong shape",
	Doc: sentence(
		"An error is an object with an integer code and a string message. Clients crash, hang or report success where it",
		"is a string, a boolean, or lacks one of the two."),
	Fix:    `write {"code":-32000,"message":"what failed"}, and details in data`,
	Source: "JSON-RPC 2.0, section 5.1",
	reply: func(p *pass, m *message.Response) {
		if m.Error == nil || m.Error.Message != "" || !p.jsonrpc() {
			return
		}
		e, _ := p.own().Member("error")
		switch text, ok := e.Member("message"); {
		case !ok:
			p.member("/error", "the error has no message")
		case string(text) == "null":
			p.member("/error/message", "the message of the error is null, want a string")
		}
	},
}

var errorCode = &Rule{
	ID: "error-code", Severity: Error, Title: "a code that is reserved",
	Doc: sentence(
		"Codes from -32768 to -32000 belong to the specification. Of these it defines -32700 and -32600 to -32603, and",
		"leaves -32099 to -32000 to servers; the others are kept for later. Codes of an application lie outside."),
	Fix:    "choose a code outside of -32768 to -32000, or one of -32099 to -32000",
	Source: "JSON-RPC 2.0, section 5.1",
	reply: func(p *pass, m *message.Response) {
		if m.Error == nil || !m.Error.Code.Reserved() || m.Error.Code.Server() || !p.jsonrpc() {
			return
		}
		switch m.Error.Code {
		case message.CodeParseError, message.CodeInvalidRequest, message.CodeMethodNotFound, message.CodeInvalidParams, message.CodeInternalError:
		default:
			p.member("/error/code", fmt.Sprintf("code %d is reserved by the specification and means nothing yet", m.Error.Code))
		}
	},
}

var methodType = &Rule{
	ID: "method-type", Severity: Error, Title: "a method that is not a string",
	Doc:    "The name of a method is a string. Anything else is refused, and answered -32600 with the id if there is one.",
	Fix:    "write the name of the method in quotes",
	Source: "JSON-RPC 2.0, section 4",
}

var paramsType = &Rule{
	ID: "params-type", Severity: Error, Title: "params that are no array and no object",
	Doc: sentence(
		"params, if they are there, are an array or an object. A string, a number or a boolean is refused. null, which many",
		"clients write for no params, is refused by some peers and taken for none by others, parley among them: that is a",
		"warning."),
	Fix:    "leave params out if there are none, and wrap a single value in an array",
	Source: "JSON-RPC 2.0, section 4.2",
	request: func(p *pass, m *message.Request) {
		if !m.Params.IsZero() || !p.jsonrpc() || !bytes.Contains(p.text, []byte(`"params"`)) {
			return
		}
		if text, ok := p.own().Member("params"); ok && string(text) == "null" {
			const text = "params is null, want an array or an object, or no params at all"
			p.add(p.finding(p.rule, offsetOf(p.text, p.whole("/params")), "/params", text).as(Warning))
		}
	},
}

var idType = &Rule{
	ID: "id-type", Severity: Error, Title: "an id that is no string, number or null",
	Doc:    "Objects, arrays and booleans cannot be ids. The request is refused, and as its id cannot be read, the refusal names none.",
	Fix:    "number requests with integers from 1, or name them with strings",
	Source: "JSON-RPC 2.0, section 4",
}

var idNull = &Rule{
	ID: "id-null", Severity: Warning, Title: "a request with id null",
	Doc: sentence(
		"It is a request and not a notification, and an answer with id null is due. Such an answer also says that an id could",
		"not be read, and many libraries take null for no id at all, so that none comes."),
	Fix:    "leave the id out of a notification, and give a request an integer or a string",
	Source: "JSON-RPC 2.0, section 4",
	request: func(p *pass, m *message.Request) {
		if m.ID.IsNull() && p.jsonrpc() {
			p.member("/id", "the id of a request is null")
		}
	},
}

var idFraction = &Rule{
	ID: "id-fraction", Severity: Warning, Title: "an id with a fraction, an exponent or a sign on zero",
	Doc: sentence(
		"Numbers that are not written as integers, 1.5, 4.0 or 1e3, come back rounded or in other digits from many peers, so",
		"that the answer matches no call. Languages with one type of number write 4.0 for 4, and JavaScript 0 for -0."),
	Fix:    "write ids as integers or as strings",
	Source: "JSON-RPC 2.0, section 4",
	request: func(p *pass, m *message.Request) {
		if n, ok := m.ID.Integer(); ok && m.ID == message.IntID(n) {
			return // as nearly all are
		}
		switch id := p.oddNumber(m.ID); {
		case strings.ContainsAny(id, ".eE"):
			p.member("/id", "id "+id+" is not written as an integer")
		case id == "-0":
			p.member("/id", "id -0 comes back as 0 from JavaScript")
		}
	},
}

// mostExact is the largest integer that a float64 has all neighbours of.
const mostExact = 1<<53 - 1

var idTooBig = &Rule{
	ID: "id-beyond-2-53", Severity: Warning, Title: "an id at or beyond 2^53",
	Doc: sentence(
		"JavaScript and many JSON libraries read numbers as float64, in which integers up to 9007199254740991 are exact and",
		"from 2^53 on share their value with a neighbour. The id may come back as that, and the answer matches no call."),
	Fix:    "use smaller integers, or strings",
	Source: "RFC 8259, section 6; RFC 7493, section 2.2",
	request: func(p *pass, m *message.Request) {
		if n, ok := m.ID.Integer(); ok && -mostExact <= n && n <= mostExact {
			return
		}
		if id := p.oddNumber(m.ID); id != "" && !strings.ContainsAny(id, ".eE") {
			p.member("/id", "id "+id+" is at or beyond 2^53, where integers are not exact in a float64")
		}
	},
}

// oddNumber returns the text of an id that is a number, and "" for any other.
func (p *pass) oddNumber(id message.ID) string {
	if id.IsZero() || id.IsString() || id.IsNull() || !p.jsonrpc() {
		return ""
	}
	return id.String()
}

// envelopeNames are the members of JSON-RPC.
var envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// extraNames are members that a dialect has beside them.
var extraNames = map[string][]string{"codex": {"trace", "emittedAtMs"}}

var unknownMember = &Rule{
	ID: "unknown-member", Severity: Info, Title: "a member that the envelope does not have",
	Doc: sentence(
		"Names match exactly, so that Method and ID are not method and id: that is a warning. Any other name is ignored by",
		"most peers and refused by some. Each name is reported once."),
	Fix:    "put data of your own into params or result; many dialects have _meta for it",
	Source: "JSON-RPC 2.0, section 3 (case), sections 4 and 5 (members)",
	request: func(p *pass, m *message.Request) {
		p.extra(m.Extra)
	},
	reply: func(p *pass, m *message.Response) {
		p.extra(m.Extra)
	},
}

// extra looks at the members that are not of the envelope.
func (p *pass) extra(members []message.Member) {
	if len(members) == 0 || !p.jsonrpc() {
		return
	}
	for _, m := range members {
		if slices.Contains(extraNames[p.dialect.Name], m.Name) || !p.first("member "+m.Name) {
			continue
		}
		pointer := "/" + escapeToken(m.Name)
		if i := slices.IndexFunc(envelopeNames, func(name string) bool { return strings.EqualFold(name, m.Name) }); i >= 0 && m.Name != envelopeNames[i] {
			f := p.finding(p.rule, offsetOf(p.text, p.whole(pointer)), pointer, quoted(m.Name)+" is not "+envelopeNames[i]+": names match exactly, and it is ignored")
			p.add(f.as(Warning))
			continue
		}
		p.member(pointer, quoted(m.Name)+" is no member of a message")
	}
}
