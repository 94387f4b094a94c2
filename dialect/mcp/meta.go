package mcp

import (
	"github.com/parley-rpc/parley/dialect/mcp/words"
	"github.com/parley-rpc/parley/message"
)

// AnswerVersion is the revision with which a server of the legacy era answers
// initialize: the one that was asked for, or else its latest ("Lifecycle", version
// negotiation).
func AnswerVersion(asked string) string {
	if era, ok := EraOfVersion(asked); ok && era == EraLegacy {
		return asked
	}
	return LatestLegacy
}

// The codes that MCP adds to those of JSON-RPC. The first three are of 2026-07-28; the
// last two are of older revisions, must not be sent by a modern peer, and are never
// given another meaning ("Errors"). LSP uses -32002 for something else.
const (
	CodeHeaderMismatch         message.Code = -32020 // HTTP headers that contradict the body
	CodeMissingCapability      message.Code = -32021 // data: [MissingCapability]
	CodeUnsupportedVersion     message.Code = -32022 // data: [UnsupportedVersion]
	CodeResourceNotFound       message.Code = -32002 // until 2025-11-25; since then -32602
	CodeURLElicitationRequired message.Code = -32042 // 2025-11-25 only; data: [URLElicitationRequired]
)

// MissingCapability is the data of [CodeMissingCapability].
type MissingCapability struct {
	RequiredCapabilities ClientCapabilities `json:"requiredCapabilities"`
}

// UnsupportedVersion is the data of [CodeUnsupportedVersion]. The client picks one of
// Supported and asks again.
type UnsupportedVersion struct {
	Supported []string `json:"supported"`
	Requested string   `json:"requested"`
}

// URLElicitationRequired is the data of [CodeURLElicitationRequired]: the pages that a
// person has to visit before the request can succeed.
type URLElicitationRequired struct {
	Elicitations []ElicitParams `json:"elicitations"`
}

// metaMember is the member of params, results and many other objects that holds what
// is about them; its keys are [prefix/]name ("General fields", _meta).
const metaMember = "_meta"

// The keys of _meta that the protocol reserves. The first four are of a request in the
// modern era, where the version and the capabilities are required.
const (
	MetaProtocolVersion    = words.MetaProtocolVersion
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel           = "io.modelcontextprotocol/logLevel"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"     // of a modern result
	MetaSubscriptionID     = "io.modelcontextprotocol/subscriptionId" // of all that answers subscriptions/listen: its id
	MetaRelatedTask        = "io.modelcontextprotocol/related-task"   // 2025-11-25
	MetaRelatedTaskIDs     = "io.modelcontextprotocol/relatedTaskIds" // extension tasks
)

// ExtensionTasks is the name under which both sides declare tasks in the modern era.
const ExtensionTasks = "io.modelcontextprotocol/tasks"

// RequestMeta are the members of a request's _meta that the protocol names. Encode one
// for the Meta of params, or decode the Meta of params into one; other keys are not
// kept, so a relay leaves the [message.Raw] alone.
type RequestMeta struct {
	ProtocolVersion    string             `json:"io.modelcontextprotocol/protocolVersion"`
	ClientCapabilities ClientCapabilities `json:"io.modelcontextprotocol/clientCapabilities"`
	ClientInfo         *Implementation    `json:"io.modelcontextprotocol/clientInfo,omitzero"`

	// LogLevel allows log notes on this request, from this level on. Empty: none may
	// be sent.
	LogLevel Level `json:"io.modelcontextprotocol/logLevel,omitzero"`

	// ProgressToken asks for progress. Leave it to parley.OnProgress, which knows
	// the id that it has to be.
	ProgressToken message.ID `json:"progressToken,omitzero"`

	// The W3C trace context ("General fields", _meta; SEP-414).
	TraceParent string `json:"traceparent,omitzero"`
	TraceState  string `json:"tracestate,omitzero"`
	Baggage     string `json:"baggage,omitzero"`
}
