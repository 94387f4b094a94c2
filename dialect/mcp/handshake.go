package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// ErrVersion says that the server answered initialize with a revision that is not one
// of the legacy era.
var ErrVersion = errors.New("mcp: the server speaks no version that this client knows")

// Handshake opens a conversation of the legacy era as the client: it sends initialize,
// waits for the answer, and sends notifications/initialized ("Lifecycle"). An empty
// ProtocolVersion in params asks for [LatestLegacy].
//
// If the server answers with a version that is not known here, the result comes with an
// error that wraps [ErrVersion] and nothing more is sent: the protocol wants the client
// to hang up. One that goes on nevertheless sends [Initialized] by itself.
//
// When ctx ends first, initialize stays open, because it must not be cancelled
// ("Cancellation"). There is nothing left to do then but to close c.
func Handshake(ctx context.Context, c *parley.Conn, params InitializeParams) (*InitializeResult, error) {
	if params.ProtocolVersion == "" {
		params.ProtocolVersion = LatestLegacy
	}
	var result *InitializeResult
	err := Initialize.Start(context.WithoutCancel(ctx), c, params).Wait(ctx, &result)
	if err != nil {
		return nil, fmt.Errorf("mcp: handshake: %w", err)
	}
	if result == nil {
		return nil, errors.New("mcp: handshake: the server answered initialize with null")
	}
	if era, ok := EraOfVersion(result.ProtocolVersion); !ok || era != EraLegacy {
		return result, fmt.Errorf("%w: it answered %q to %q", ErrVersion, brief(result.ProtocolVersion), params.ProtocolVersion)
	}
	if err := Initialized.Send(ctx, c, EmptyParams{}); err != nil {
		return nil, fmt.Errorf("mcp: handshake: %w", err)
	}
	return result, nil
}

// ClientCapabilitiesFor returns what a client has to announce so that a server asks it
// anything: a capability for each method that answers has. What answers it is the
// caller's business; other methods need no capability.
func ClientCapabilitiesFor[V any](answers map[string]V) ClientCapabilities {
	var can ClientCapabilities
	if _, ok := answers[string(CreateMessage)]; ok {
		can.Sampling = &SamplingCapability{}
	}
	if _, ok := answers[string(Elicit)]; ok {
		can.Elicitation = &ElicitationCapability{}
	}
	if _, ok := answers[string(ListRoots)]; ok {
		can.Roots = &ListCapability{}
	}
	return can
}

// InitializeParams are the params of initialize.
type InitializeParams struct {
	ProtocolVersion string             `json:"protocolVersion"`
	Capabilities    ClientCapabilities `json:"capabilities"`
	ClientInfo      Implementation     `json:"clientInfo"`
	Meta            message.Raw        `json:"_meta,omitzero"`
}

// InitializeResult is the answer to initialize.
type InitializeResult struct {
	ProtocolVersion string             `json:"protocolVersion"`
	Capabilities    ServerCapabilities `json:"capabilities"`
	ServerInfo      Implementation     `json:"serverInfo"`
	Instructions    string             `json:"instructions,omitzero"` // for a model, how to use the server
	Meta            message.Raw        `json:"_meta,omitzero"`
}

// DiscoverResult is the answer to server/discover. The server names itself in the
// Meta, under [MetaServerInfo].
type DiscoverResult struct {
	ResultType        string             `json:"resultType,omitzero"`
	SupportedVersions []string           `json:"supportedVersions"`
	Capabilities      ServerCapabilities `json:"capabilities"`
	Instructions      string             `json:"instructions,omitzero"`
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// Implementation names a program.
type Implementation struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Title       string `json:"title,omitzero"`       // for people, since 2025-06-18
	Description string `json:"description,omitzero"` // since 2025-11-25, as the two below
	WebsiteURL  string `json:"websiteUrl,omitzero"`
	Icons       []Icon `json:"icons,omitzero"`
}

// Icon is a picture of something, for a user interface.
type Icon struct {
	Src      string   `json:"src"` // an https or data URL
	MIMEType string   `json:"mimeType,omitzero"`
	Sizes    []string `json:"sizes,omitzero"` // "48x48", or "any"
	Theme    string   `json:"theme,omitzero"` // light or dark
}

// Empty is the object of a capability that has nothing to set.
type Empty struct{}

// ListCapability is that of something that is listed, and whose list may change.
type ListCapability struct {
	ListChanged bool `json:"listChanged,omitzero"` // a note tells of changes
}

// ClientCapabilities are what a client can do. A nil field means that it cannot.
type ClientCapabilities struct {
	Roots        *ListCapability        `json:"roots,omitzero"`
	Sampling     *SamplingCapability    `json:"sampling,omitzero"`
	Elicitation  *ElicitationCapability `json:"elicitation,omitzero"`
	Tasks        message.Raw            `json:"tasks,omitzero"`      // 2025-11-25
	Extensions   map[string]message.Raw `json:"extensions,omitzero"` // 2026-07-28, by name
	Experimental map[string]message.Raw `json:"experimental,omitzero"`
}

// SamplingCapability says what a client that samples takes into account.
type SamplingCapability struct {
	Context *Empty `json:"context,omitzero"` // includeContext
	Tools   *Empty `json:"tools,omitzero"`   // tools and toolChoice
}

// ElicitationCapability says in which modes a client asks its user. Neither means the
// form alone.
type ElicitationCapability struct {
	Form *Empty `json:"form,omitzero"`
	URL  *Empty `json:"url,omitzero"`
}

// ServerCapabilities are what a server can do. A nil field means that it cannot.
type ServerCapabilities struct {
	Tools        *ListCapability        `json:"tools,omitzero"`
	Prompts      *ListCapability        `json:"prompts,omitzero"`
	Resources    *ResourcesCapability   `json:"resources,omitzero"`
	Completions  *Empty                 `json:"completions,omitzero"`
	Logging      *Empty                 `json:"logging,omitzero"`
	Tasks        message.Raw            `json:"tasks,omitzero"`      // 2025-11-25
	Extensions   map[string]message.Raw `json:"extensions,omitzero"` // 2026-07-28, by name
	Experimental map[string]message.Raw `json:"experimental,omitzero"`
}

// ResourcesCapability says what a server tells about its resources.
type ResourcesCapability struct {
	Subscribe   bool `json:"subscribe,omitzero"`   // changes of one resource
	ListChanged bool `json:"listChanged,omitzero"` // changes of the list
}
