package lint

import (
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A vocabulary is the words of a dialect as the rules look them up.
type vocabulary struct {
	dialect *parley.Dialect
	words   map[string]parley.Word // by method; nil: any method is as good as another
	folded  map[string]string      // the methods by their lower case
}

// newVocabulary returns the vocabulary of a dialect.
func newVocabulary(d *parley.Dialect) *vocabulary {
	v := &vocabulary{dialect: d}
	if d.Words == nil {
		return v
	}
	v.words = make(map[string]parley.Word, len(d.Words))
	v.folded = make(map[string]string, len(d.Words))
	for _, w := range d.Words {
		v.words[w.Method] = w
		v.folded[strings.ToLower(w.Method)] = w.Method
	}
	return v
}

// carriedWords are those of the messages inside messages, which are MCP's.
var carriedWords = newVocabulary(&mcp.Dialect)

// vocabulary returns the words of the message.
func (p *pass) vocabulary() *vocabulary {
	if p.carried != "" {
		return carriedWords
	}
	return p.words
}

// like returns the method that somebody may have meant who left out what stands before
// its last part, as in initialized for notifications/initialized.
func (v *vocabulary) like(method string) string {
	for _, w := range v.dialect.Words {
		if strings.HasSuffix(w.Method, "/"+method) {
			return w.Method
		}
	}
	return ""
}

var unknownMethod = &Rule{
	ID: "unknown-method", Severity: Warning, Title: "a method that the dialect does not have",
	Doc: sentence(
		"A request is answered -32601, and a notification is ignored without a word. Names that a dialect leaves to its users",
		"are fine: those with _ in ACP, those with $/ in LSP. Each name is reported once, and none where the dialect has",
		"no list of methods."),
	Fix:    "check the name, and that --dialect is the right one",
	Source: "the methods of the dialect, as parley knows them",
	request: func(p *pass, m *message.Request) {
		v := p.vocabulary()
		if v.words == nil || m.Method == "" {
			return
		}
		if _, known := v.words[m.Method]; known || ownMethod(v.dialect.Name, m.Method) {
			return
		}
		if _, other := v.folded[strings.ToLower(m.Method)]; other || !p.first("method "+v.dialect.Name+" "+m.Method) {
			return
		}
		text := "the " + v.dialect.Name + " dialect has no " + quoted(m.Method)
		if like := v.like(m.Method); like != "" {
			text += "; it has " + quoted(like)
		}
		p.report(offsetOf(p.text, p.whole("/method")), p.methodPointer(), text)
	},
}

// ownMethod reports whether a name is one of those that a dialect leaves to its users.
func ownMethod(dialect, method string) bool {
	switch dialect {
	case "acp":
		return strings.HasPrefix(method, "_")
	case "lsp":
		return strings.HasPrefix(method, "$/")
	}
	return false
}

var methodCase = &Rule{
	ID: "method-case", Severity: Warning, Title: "a method in the wrong case",
	Doc:    "The names of methods match exactly. One that differs in upper and lower case only is unknown to the other side.",
	Fix:    "write the name as the dialect does",
	Source: "JSON-RPC 2.0, section 3",
	request: func(p *pass, m *message.Request) {
		v := p.vocabulary()
		if v.words == nil {
			return
		}
		if _, known := v.words[m.Method]; known {
			return
		}
		if right, ok := v.folded[strings.ToLower(m.Method)]; ok {
			p.report(offsetOf(p.text, p.whole("/method")), p.methodPointer(), quoted(m.Method)+" is not "+quoted(right)+": names match exactly")
		}
	},
}

var methodKind = &Rule{
	ID: "method-kind", Severity: Warning, Title: "a notification with an id, or a request without one",
	Doc: sentence(
		"Which methods want an answer is the dialect's to say, and an id asks for one. Whoever sends a notification with an id",
		"waits for what nobody owes; a request without an id is taken for a notification: it is dropped, or done and never",
		"answered."),
	Fix:    "give an id to requests, and to nothing else",
	Source: "JSON-RPC 2.0, section 4.1; the methods of the dialect, as parley knows them",
	request: func(p *pass, m *message.Request) {
		w, known := p.vocabulary().words[m.Method]
		switch {
		case !known || w.Note == m.IsNote():
		case w.Note:
			p.member(p.idPointer(), quoted(m.Method)+" is a notification, and has an id: no answer is due")
		default:
			p.report(0, p.methodPointer(), quoted(m.Method)+" is a request, and has no id: nobody will answer it")
		}
	},
}

var cancelWithoutID = &Rule{
	ID: "cancel-without-id", Severity: Warning, Title: "a cancellation that names no request",
	Doc: sentence(
		"A cancellation takes back the request whose id it names. Without one, or with what is no id, it takes back nothing:",
		"the other side works on, and answers."),
	Fix:    "name the request by its id, as it was sent: params.requestId in MCP and ACP, params.id in LSP",
	Source: "MCP, cancellation; LSP, $/cancelRequest",
	request: func(p *pass, m *message.Request) {
		cancel := p.vocabulary().dialect.Cancel
		if m.Method != cancel.Method || m.Method == "" {
			return
		}
		id, ok := m.Params.Member(cancel.Member)
		switch _, err := message.ParseID(id); {
		case !ok:
			p.report(0, "", quoted(m.Method)+" has no "+cancel.Member+", and takes nothing back")
		case err != nil || string(id) == "null":
			p.member(p.params()+cancel.Member, cancel.Member+" is no id of a request, and nothing is taken back")
		}
	},
}

// params is where the members of the params of a note are, which in another envelope are
// those of the record.
func (p *pass) params() string {
	if p.jsonrpc() {
		return "/params/"
	}
	return "/"
}

// methodPointer is where JSON-RPC has the method. Other envelopes have it in several
// places.
func (p *pass) methodPointer() string {
	if p.jsonrpc() {
		return "/method"
	}
	return ""
}
