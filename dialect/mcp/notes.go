package mcp

import "github.com/parley-rpc/parley/message"

// CancelledParams are the params of notifications/cancelled.
type CancelledParams struct {
	RequestID message.ID  `json:"requestId"`
	Reason    string      `json:"reason,omitzero"` // for a log or a person
	Meta      message.Raw `json:"_meta,omitzero"`
}

// ProgressParams are the params of notifications/progress. A handler that reports with
// parley.Progress gives one without a token.
type ProgressParams struct {
	ProgressToken message.ID  `json:"progressToken,omitzero"`
	Progress      float64     `json:"progress"` // grows with every report
	Total         *float64    `json:"total,omitzero"`
	Message       string      `json:"message,omitzero"` // since 2025-03-26
	Meta          message.Raw `json:"_meta,omitzero"`
}

// LogParams are the params of notifications/message.
type LogParams struct {
	Level  Level       `json:"level"`
	Logger string      `json:"logger,omitzero"`
	Data   message.Raw `json:"data"` // any value; often a text
	Meta   message.Raw `json:"_meta,omitzero"`
}

// ResourceUpdatedParams are the params of notifications/resources/updated.
type ResourceUpdatedParams struct {
	URI  string      `json:"uri"` // of the resource, or of one inside it
	Meta message.Raw `json:"_meta,omitzero"`
}

// ElicitationCompletedParams are the params of notifications/elicitation/complete.
type ElicitationCompletedParams struct {
	ElicitationID string      `json:"elicitationId"`
	Meta          message.Raw `json:"_meta,omitzero"`
}

// AcknowledgedParams are the params of notifications/subscriptions/acknowledged: what
// the server agreed to send. The Meta names the subscription ([MetaSubscriptionID]).
type AcknowledgedParams struct {
	Notifications Subscription `json:"notifications"`
	Meta          message.Raw  `json:"_meta,omitzero"`
}
