package main

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// contentTools need no arguments, and each says the same every time.
func contentTools() []parley.Route {
	picture := mcp.Content{Type: mcp.ContentImage, Data: redPixel(), MIMEType: "image/png"}
	return []parley.Route{
		says("test_simple_text", "Says a sentence.", mcp.Text("This is a simple text response for testing.")),
		says("test_image_content", "Shows a red pixel.", picture),
		says("test_audio_content", "Plays nothing.", mcp.Content{Type: mcp.ContentAudio, Data: []byte(silence), MIMEType: "audio/wav"}),
		says("test_embedded_resource", "Embeds a text.",
			embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
		says("test_multiple_content_types", "Says, shows and embeds.", mcp.Text("Multiple content types test:"), picture,
			embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)),
		tool("test_error_handling", "Fails.", func(context.Context, struct{}) (*mcp.CallToolResult, error) {
			return nil, errors.New("This tool intentionally returns an error for testing") //nolint:staticcheck // the suite wants this text
		}),
	}
}

// tool is one line of an author: a name, a sentence and a function with typed arguments.
func tool[P any](name, doc string, run func(context.Context, P) (*mcp.CallToolResult, error)) parley.Route {
	return parley.Method[P, *mcp.CallToolResult](name).Handle(run).Describe(doc)
}

func says(name, doc string, content ...mcp.Content) parley.Route {
	return tool(name, doc, func(context.Context, struct{}) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	})
}

func embedded(uri, mimeType, text string) mcp.Content {
	return mcp.Content{Type: mcp.ContentResource, Resource: &mcp.ResourceContents{URI: uri, MIMEType: mimeType, Text: text}}
}

func redPixel() []byte {
	dot := image.NewRGBA(image.Rect(0, 0, 1, 1))
	dot.Set(0, 0, color.RGBA{R: 255, A: 255})
	var out bytes.Buffer
	check(png.Encode(&out, dot))
	return out.Bytes()
}

// silence is a WAV file: one track of 16 bits at 8 kHz, and no samples.
const silence = "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"
