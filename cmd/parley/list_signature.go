package main

import (
	"strings"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/term"
)

// A line of a list is about one thing that a server offers. All text in it is the
// server's, so that it is escaped wherever it goes: a line stays one.

// toolLine is "git_log(n?: int) - The newest commits".
func toolLine(t mcp.Tool) string {
	return term.Escape(signature(t) + dash(t.Description, t.Title))
}

// signature is "git_log(n?: int)". A ? marks what may be left out.
func signature(t mcp.Tool) string {
	fields := schemaOf(t.InputSchema).resolved().fields()
	params := make([]string, len(fields))
	for i, f := range fields {
		params[i] = f.name + optional(f.required) + ": " + f.schema.String()
	}
	return t.Name + "(" + strings.Join(params, ", ") + ")"
}

func optional(required bool) string {
	if required {
		return ""
	}
	return "?"
}

// promptLine is "review(code, language?) - Reviews code". All arguments are text.
func promptLine(p mcp.Prompt) string {
	params := make([]string, len(p.Arguments))
	for i, a := range p.Arguments {
		params[i] = a.Name + optional(a.Required)
	}
	return term.Escape(p.Name + "(" + strings.Join(params, ", ") + ")" + dash(p.Description, p.Title))
}

// resourceLine is "file:///notes.txt (text/plain) - Notes".
func resourceLine(r mcp.Resource) string {
	return term.Escape(r.URI + kind(r.MIMEType) + dash(r.Description, r.Title, r.Name))
}

// templateLine is resourceLine for a family of resources.
func templateLine(r mcp.ResourceTemplate) string {
	return term.Escape(r.URITemplate + kind(r.MIMEType) + dash(r.Description, r.Title, r.Name))
}

func kind(mimeType string) string {
	if mimeType == "" {
		return ""
	}
	return " (" + mimeType + ")"
}

// dash is the first line of the first text that says something, behind a dash.
func dash(texts ...string) string {
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if line, _, _ := strings.Cut(text, "\n"); line != "" {
			return " - " + strings.TrimSpace(line)
		}
	}
	return ""
}
