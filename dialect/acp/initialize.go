package acp

import "github.com/parley-rpc/parley/message"

// Empty is an object of which only _meta may matter: the params or the result of a call that
// has nothing to say, or a capability that is there or not.
type Empty struct {
	Meta message.Raw `json:"_meta,omitzero"`
}

// InitializeParams are the params of [Initialize].
type InitializeParams struct {
	ProtocolVersion    int                `json:"protocolVersion"` // the latest that the client speaks
	ClientCapabilities ClientCapabilities `json:"clientCapabilities"`
	ClientInfo         *Implementation    `json:"clientInfo,omitzero"`
	Meta               message.Raw        `json:"_meta,omitzero"`
}

// InitializeResult is the result of [Initialize].
type InitializeResult struct {
	ProtocolVersion   int               `json:"protocolVersion"` // the same, or the latest that the agent speaks
	AgentCapabilities AgentCapabilities `json:"agentCapabilities"`
	AgentInfo         *Implementation   `json:"agentInfo,omitzero"`
	AuthMethods       []AuthMethod      `json:"authMethods,omitzero"` // none: nobody has to log in
	Meta              message.Raw       `json:"_meta,omitzero"`
}

// An Implementation names a program.
type Implementation struct {
	Name    string      `json:"name"`
	Title   string      `json:"title,omitzero"` // for people
	Version string      `json:"version"`
	Meta    message.Raw `json:"_meta,omitzero"`
}

// ClientCapabilities say what the agent may ask of the client. What is left out it may not.
type ClientCapabilities struct {
	FS          FSCapabilities           `json:"fs,omitzero"`
	Terminal    bool                     `json:"terminal,omitzero"`    // all of terminal/*
	Elicitation *ElicitationCapabilities `json:"elicitation,omitzero"` // nil: none
	Auth        message.Raw              `json:"auth,omitzero"`
	Session     message.Raw              `json:"session,omitzero"`
	Meta        message.Raw              `json:"_meta,omitzero"`
}

// FSCapabilities say which files the agent may read and write through the client.
type FSCapabilities struct {
	ReadTextFile  bool        `json:"readTextFile"`
	WriteTextFile bool        `json:"writeTextFile"`
	Meta          message.Raw `json:"_meta,omitzero"`
}

// ElicitationCapabilities say in which ways the client can ask its user. A field that is nil
// is a way that it cannot.
type ElicitationCapabilities struct {
	Form *Empty      `json:"form,omitzero"`
	URL  *Empty      `json:"url,omitzero"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// AgentCapabilities say what the client may ask of the agent. Every agent takes session/new,
// session/prompt, session/cancel and text in prompts; what else is left out it does not.
type AgentCapabilities struct {
	LoadSession         bool                `json:"loadSession"`
	PromptCapabilities  PromptCapabilities  `json:"promptCapabilities,omitzero"`
	MCPCapabilities     MCPCapabilities     `json:"mcpCapabilities,omitzero"`
	SessionCapabilities SessionCapabilities `json:"sessionCapabilities,omitzero"`
	Auth                *AuthCapabilities   `json:"auth,omitzero"`
	Meta                message.Raw         `json:"_meta,omitzero"`
}

// PromptCapabilities say what a prompt may hold beside text and links.
type PromptCapabilities struct {
	Image           bool        `json:"image"`
	Audio           bool        `json:"audio"`
	EmbeddedContext bool        `json:"embeddedContext"` // blocks of the type resource
	Meta            message.Raw `json:"_meta,omitzero"`
}

// MCPCapabilities say which MCP servers the agent can reach beside those on stdio.
type MCPCapabilities struct {
	HTTP bool        `json:"http"`
	SSE  bool        `json:"sse"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// SessionCapabilities say which methods of session/ the agent has. A field that is nil is one
// that it has not.
type SessionCapabilities struct {
	List                  *Empty      `json:"list,omitzero"`
	Resume                *Empty      `json:"resume,omitzero"`
	Close                 *Empty      `json:"close,omitzero"`
	Delete                *Empty      `json:"delete,omitzero"`
	Fork                  *Empty      `json:"fork,omitzero"` // unstable
	AdditionalDirectories *Empty      `json:"additionalDirectories,omitzero"`
	Meta                  message.Raw `json:"_meta,omitzero"`
}

// AuthCapabilities say what the agent does about logging in beside [Authenticate].
type AuthCapabilities struct {
	Logout *Empty      `json:"logout,omitzero"`
	Meta   message.Raw `json:"_meta,omitzero"`
}

// An AuthMethod is a way to log in.
type AuthMethod struct {
	Type        string      `json:"type,omitzero"` // "" is agent: the agent sees to it
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitzero"`
	Vars        message.Raw `json:"vars,omitzero"` // variables of the environment to set (unstable)
	Args        []string    `json:"args,omitzero"` // terminal: for the agent's own command
	Env         message.Raw `json:"env,omitzero"`  // terminal: for the agent's own command
	Meta        message.Raw `json:"_meta,omitzero"`
}

// AuthenticateParams are the params of [Authenticate].
type AuthenticateParams struct {
	MethodID string      `json:"methodId"` // the ID of an [AuthMethod]
	Meta     message.Raw `json:"_meta,omitzero"`
}

// CancelRequestParams are the params of [CancelRequest].
type CancelRequestParams struct {
	RequestID message.ID  `json:"requestId"` // of a call of whoever sends this
	Meta      message.Raw `json:"_meta,omitzero"`
}
