package main

import (
	"bufio"
	"context"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// listFlags are the flags of list.
type listFlags struct {
	callFlags

	resources bool
	prompts   bool
}

func listCommand(a *app) *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "list [flags] -- CMD [ARGS]",
		Short: "List the tools of an MCP server, each on a line",
		Long: `list starts CMD, an MCP server of either era, and prints what it offers: its tools, or
with --resources or --prompts those. A ? marks what may be left out.

--format json prints one array of what the server said of each, jsonl one object a line.

Exit codes: 0 ok, also when there is nothing, 1 answered with an error, 2 usage, 3 CMD
cannot be started, 4 timed out, 6 CMD died, 7 an answer broke the protocol, 130
interrupted.`,
		Example: `  parley list -- npx -y @modelcontextprotocol/server-everything
  parley list --resources --format jsonl -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ours, command := atDash(cmd, args)
			if err := noArgs(cmd, ours); err != nil {
				return err
			}
			if f.resources && f.prompts {
				return usagef("--resources and --prompts: want one of them")
			}
			j, err := f.serverJob(a, command, "parley list -- CMD")
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), j)
		},
	}
	addServerFlags(cmd, &f.callFlags, "init") // its handshake is implied
	cmd.Flags().BoolVar(&f.resources, "resources", false, "list the resources, and the families of them")
	cmd.Flags().BoolVar(&f.prompts, "prompts", false, "list the prompts")
	addFormat(cmd, a, formatText, formatJSON, formatJSONL)
	return cmd
}

// run connects, lists and leaves.
func (f *listFlags) run(ctx context.Context, j *job) error {
	t, err := j.openMCP(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	l := newListing(j.app)
	what := "tools"
	switch {
	case f.resources:
		what = "resources"
		err = l.resources(t)
	case f.prompts:
		what = "prompts"
		err = l.prompts(t)
	default:
		err = l.tools(t)
	}
	if err == nil {
		err = l.end()
	}
	if err == nil && l.count == 0 {
		t.app.tell.printf("parley: the server has no %s", what)
	}
	return t.told(err)
}

// A listing writes things in a list: as lines for a person, as one JSON array, or as one
// JSON object a line. The JSON is what the server said, as far as MCP has words for it.
type listing struct {
	app   *app
	out   *bufio.Writer
	count int
}

func newListing(a *app) *listing { return &listing{app: a, out: bufio.NewWriter(a.stdout)} }

// add adds one thing.
func (l *listing) add(line string, thing any) error {
	text, before := []byte(line), ""
	if l.app.format != formatText {
		raw, err := message.Encode(thing)
		if err != nil {
			return err
		}
		text = l.app.shown(raw)
	}
	if l.app.format == formatJSON {
		before = "["
		if l.count > 0 {
			before = ",\n"
		}
	} else {
		text = append(text, '\n')
	}
	l.count++
	_, _ = l.out.WriteString(before)
	_, err := l.out.Write(text)
	return outputError(err)
}

// end ends the list.
func (l *listing) end() error {
	if l.app.format == formatJSON {
		if l.count == 0 {
			_ = l.out.WriteByte('[') // the error comes again with Flush
		}
		_, _ = l.out.WriteString("]\n")
	}
	return outputError(l.out.Flush())
}

// addAll adds many things of one type.
func addAll[T any](l *listing, things []T, line func(T) string) error {
	for _, thing := range things {
		if err := l.add(line(thing), thing); err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) tools(t *toolClient) error {
	tools, err := t.listTools(t.ctx)
	if err != nil {
		return t.failure(t.lastAsked(), err)
	}
	return addAll(l, tools, toolLine)
}

func (l *listing) prompts(t *toolClient) error {
	prompts, err := offers(t.ctx, t.mcp.Capabilities().Prompts != nil, t.mcp.Prompts)
	if err != nil {
		return t.failure(t.lastAsked(), err)
	}
	return addAll(l, prompts, promptLine)
}

// resources lists the families behind the resources. Servers without families often do
// not know the method, although they announce resources.
func (l *listing) resources(t *toolClient) error {
	found, err := offers(t.ctx, t.mcp.Capabilities().Resources != nil, t.mcp.Resources)
	var families []mcp.ResourceTemplate
	if err == nil {
		families, err = offers(t.ctx, false, t.mcp.Templates)
	}
	if err != nil {
		return t.failure(t.lastAsked(), err)
	}
	if err := addAll(l, found, resourceLine); err != nil {
		return err
	}
	return addAll(l, families, templateLine)
}
