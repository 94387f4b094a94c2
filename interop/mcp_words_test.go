package interop

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// mcp is MCP 2025-11-25 as a dialect: "Cancellation" (a cancelled request is not answered), "Progress", and no batch.
var mcp = parley.Dialect{
	Name:     "mcp",
	NoBatch:  true,
	Cancel:   parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}},
	Progress: parley.ProgressWords{Method: "notifications/progress", Token: "progressToken", Ask: []string{"_meta", "progressToken"}},
}

// What the tests say of MCP 2025-11-25 (schema.ts), by its names.
type (
	object struct{} // nothing

	hello struct {
		ProtocolVersion string                 `json:"protocolVersion"`
		Capabilities    map[string]message.Raw `json:"capabilities"`
		ClientInfo      program                `json:"clientInfo"`
	}
	welcome struct {
		ProtocolVersion string                 `json:"protocolVersion"`
		Capabilities    map[string]message.Raw `json:"capabilities"`
		ServerInfo      program                `json:"serverInfo"`
	}
	program struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}

	toolList struct {
		Tools []struct {
			Name        string `json:"name"`
			InputSchema struct {
				Type     string   `json:"type"`
				Required []string `json:"required"`
			} `json:"inputSchema"`
		} `json:"tools"`
	}
	toolCall struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments"`
	}
	toolResult struct {
		Content []text `json:"content"`
		IsError bool   `json:"isError,omitempty"`
	}
	text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}

	sampling struct {
		Messages []struct {
			Role    string `json:"role"`
			Content text   `json:"content"`
		} `json:"messages"`
		MaxTokens int `json:"maxTokens"`
	}
	sample struct {
		Role       string `json:"role"`
		Content    text   `json:"content"`
		Model      string `json:"model"`
		StopReason string `json:"stopReason"`
	}

	progress struct {
		Token    message.Raw `json:"progressToken"`
		Progress float64     `json:"progress"`
		Total    float64     `json:"total"`
	}
	roots struct {
		Roots []root `json:"roots"`
	}
	root struct {
		URI  string `json:"uri"`
		Name string `json:"name"`
	}
	elicited struct {
		Action string `json:"action"`
	}
)

const (
	initialize    parley.Method[hello, welcome]        = "initialize"
	initialized   parley.Note[object]                  = "notifications/initialized"
	ping          parley.Method[object, object]        = "ping"
	listTools     parley.Method[object, toolList]      = "tools/list"
	callTool      parley.Method[toolCall, toolResult]  = "tools/call"
	createMessage parley.Method[sampling, sample]      = "sampling/createMessage"
	listRoots     parley.Method[object, roots]         = "roots/list"
	elicit        parley.Method[message.Raw, elicited] = "elicitation/create"
	progressed    parley.Note[progress]                = "notifications/progress"
	logged        parley.Note[message.Raw]             = "notifications/message"
	toolsChanged  parley.Note[message.Raw]             = "notifications/tools/list_changed"
)
