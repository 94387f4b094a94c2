package acp

import "github.com/parley-rpc/parley/message"

// A ContentType says what a [ContentBlock] holds.
type ContentType string

// The types of version 1, which are those of MCP.
const (
	ContentText         ContentType = "text"
	ContentImage        ContentType = "image"
	ContentAudio        ContentType = "audio"
	ContentResourceLink ContentType = "resource_link"
	ContentResource     ContentType = "resource" // with what it holds
)

// A ContentBlock is a piece of what the user or the agent says ("Content").
type ContentBlock struct {
	Type ContentType `json:"type"`

	Text string `json:"text,omitzero"` // text

	Data     string `json:"data,omitzero"`     // image, audio: in base64
	MIMEType string `json:"mimeType,omitzero"` // image, audio, resource_link
	URI      string `json:"uri,omitzero"`      // image, resource_link

	Name        string `json:"name,omitzero"`        // resource_link
	Title       string `json:"title,omitzero"`       // resource_link
	Description string `json:"description,omitzero"` // resource_link
	Size        *int64 `json:"size,omitzero"`        // resource_link: in bytes

	Resource *Resource `json:"resource,omitzero"` // resource

	Annotations message.Raw `json:"annotations,omitzero"`
	Meta        message.Raw `json:"_meta,omitzero"`
}

// Text is a block of text.
func Text(text string) ContentBlock { return ContentBlock{Type: ContentText, Text: text} }

// MarshalJSON writes the text of a text block even if it is empty, as the protocol wants
// it. No other member is missed when it is empty.
func (b ContentBlock) MarshalJSON() ([]byte, error) {
	type plain ContentBlock
	if b.Type != ContentText || b.Text != "" {
		return message.Encode(plain(b))
	}
	return message.Encode(struct {
		plain
		Text string `json:"text"`
	}{plain(b), b.Text})
}

// A Resource is a file or the like with what it holds: text or bytes, the other is nil.
type Resource struct {
	URI      string      `json:"uri"`
	MIMEType string      `json:"mimeType,omitzero"`
	Text     *string     `json:"text,omitzero"`
	Blob     *string     `json:"blob,omitzero"` // in base64
	Meta     message.Raw `json:"_meta,omitzero"`
}
