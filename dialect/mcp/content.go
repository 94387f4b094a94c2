package mcp

import "github.com/parley-rpc/parley/message"

// The types of content. The last two occur in sampling only.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio" // since 2025-03-26
	ContentResource     = "resource"
	ContentResourceLink = "resource_link" // since 2025-06-18
	ContentToolUse      = "tool_use"      // since 2025-11-25
	ContentToolResult   = "tool_result"
)

// Content is one block of what a tool, a prompt or a model says. Type says which of
// the other fields count; they are listed with it. A type that is not known here keeps
// only the members that have a field.
type Content struct {
	Type string `json:"type"`

	// text
	Text string `json:"text,omitzero"`

	// image and audio. The bytes are base64 on the wire.
	Data     []byte `json:"data,omitzero"`
	MIMEType string `json:"mimeType,omitzero"` // also of a resource_link

	// resource: its contents, embedded.
	Resource *ResourceContents `json:"resource,omitzero"`

	// resource_link: what a [Resource] has.
	URI         string `json:"uri,omitzero"`
	Name        string `json:"name,omitzero"` // also of a tool_use: the tool
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	Size        *int64 `json:"size,omitzero"`
	Icons       []Icon `json:"icons,omitzero"`

	// tool_use: a model wants a tool run.
	ID    string      `json:"id,omitzero"`
	Input message.Raw `json:"input,omitzero"`

	// tool_result: what came of it.
	ToolUseID         string      `json:"toolUseId,omitzero"`
	Content           []Content   `json:"content,omitzero"`
	StructuredContent message.Raw `json:"structuredContent,omitzero"`
	IsError           bool        `json:"isError,omitzero"`

	Annotations *Annotations `json:"annotations,omitzero"`
	Meta        message.Raw  `json:"_meta,omitzero"`
}

// Text returns a block of text.
func Text(text string) Content { return Content{Type: ContentText, Text: text} }

// required are the members that a type of content cannot be without, though they may be
// empty.
var required = map[string][]string{
	ContentText:         {"text"},
	ContentImage:        {"data", "mimeType"},
	ContentAudio:        {"data", "mimeType"},
	ContentResourceLink: {"uri", "name"},
}

// MarshalJSON writes the members that the type of the content requires even if they
// are empty.
func (c Content) MarshalJSON() ([]byte, error) {
	type fields Content
	text, err := message.Encode(fields(c))
	if err != nil {
		return nil, err
	}
	for _, name := range required[c.Type] {
		if text, err = orElse(text, name, `""`); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// orElse returns the object with value as a member of that name, unless it has one.
func orElse(object message.Raw, name, value string) (message.Raw, error) {
	if _, ok := object.Member(name); ok {
		return object, nil
	}
	return object.Set(message.Raw(value), name)
}

// Contents is one block of content or several. One alone is written as an object, as
// revisions before 2025-11-25 require; both an object and an array are read.
type Contents []Content

// MarshalJSON writes one block as an object, and any other number as an array.
func (c Contents) MarshalJSON() ([]byte, error) {
	if len(c) == 1 {
		return c[0].MarshalJSON()
	}
	return message.Encode([]Content(c))
}

// UnmarshalJSON reads an object or an array.
func (c *Contents) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		*c = make(Contents, 1)
		return message.Raw(text).Decode(&(*c)[0])
	}
	return message.Raw(text).Decode((*[]Content)(c))
}

// ResourceContents is what a resource holds: text, or bytes if Blob is not nil.
type ResourceContents struct {
	URI      string      `json:"uri"`
	MIMEType string      `json:"mimeType,omitzero"`
	Text     string      `json:"text,omitzero"`
	Blob     []byte      `json:"blob,omitzero"` // base64 on the wire
	Meta     message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the text also if it is empty, unless there is a Blob.
func (r ResourceContents) MarshalJSON() ([]byte, error) {
	type fields ResourceContents
	text, err := message.Encode(fields(r))
	if err != nil || r.Blob != nil {
		return text, err
	}
	return orElse(text, "text", `""`)
}

// Annotations say for whom something is, and how much it matters.
type Annotations struct {
	Audience     []Role   `json:"audience,omitzero"`
	Priority     *float64 `json:"priority,omitzero"`     // 0, optional, to 1, required
	LastModified string   `json:"lastModified,omitzero"` // ISO 8601, since 2025-06-18
}

// A Role is who speaks in a conversation with a model.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)
