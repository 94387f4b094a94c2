package main

import (
	"context"
	"fmt"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// addResources adds three resources and a family of them.
func addResources(server *mcp.Server) {
	add := func(about mcp.Resource, contents mcp.ResourceContents) {
		contents.URI, contents.MIMEType = about.URI, about.MIMEType
		server.AddResource(about, func(context.Context, string) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{contents}}, nil
		})
	}
	add(mcp.Resource{
		URI: "test://static-text", Name: "Static text", Description: "A text that never changes.", MIMEType: "text/plain",
	}, mcp.ResourceContents{Text: "This is the content of the static text resource."})
	add(mcp.Resource{
		URI: "test://static-binary", Name: "Static picture", Description: "A red pixel.", MIMEType: "image/png",
	}, mcp.ResourceContents{Blob: redPixel()})
	add(mcp.Resource{
		URI: watched, Name: "Watched text", Description: "Changes when somebody asks for it.", MIMEType: "text/plain",
	}, mcp.ResourceContents{Text: "Watch me."})

	server.AddTemplate(mcp.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "Data", Description: "The data of an id.", MIMEType: "application/json",
	}, func(_ context.Context, uri string, vars map[string]string) (*mcp.ReadResourceResult, error) {
		said := fmt.Sprintf(`{"id":%[1]q,"templateTest":true,"data":"Data for ID: %[1]s"}`, vars["id"])
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{
			{URI: uri, MIMEType: "application/json", Text: said},
		}}, nil
	})
}

// watched is the resource that a client may subscribe to.
const watched = "test://watched-resource"
