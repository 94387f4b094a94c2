package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/dialect/mcp"
)

func describeCommand(a *app) *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "describe TOOL [flags] -- CMD [ARGS]",
		Short: "Describe a tool of an MCP server: what it takes and gives",
		Long: `describe starts CMD, an MCP server of either era, and prints what it says about one of
its tools: what the tool does, each input with its type and limits, the output, and what
the server promises about it, which nobody has checked.

--format json prints what the server said, schemas and all.

Exit codes: 0 ok, 1 there is no such tool, 2 usage, 3 CMD cannot be started, 4 timed out,
6 CMD died, 7 an answer broke the protocol, 130 interrupted.`,
		Example: `  parley describe get-sum -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const usage = "parley describe TOOL -- CMD"
			ours, command := atDash(cmd, args)
			switch {
			case len(ours) == 0:
				return usagef("which tool?").withHint(usage + "; parley list -- CMD shows the tools")
			case len(ours) > 1:
				return usagef("describe takes one tool, got %q as well", ours[1])
			}
			j, err := f.serverJob(a, command, usage)
			if err != nil {
				return err
			}
			return j.describe(cmd.Context(), ours[0])
		},
	}
	addServerFlags(cmd, &f, "init") // its handshake is implied
	addFormat(cmd, a, formatText, formatJSON, formatJSONL)
	return cmd
}

// describe connects, describes one tool and leaves.
func (j *job) describe(ctx context.Context, name string) error {
	t, err := j.openMCP(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	tool, err := t.tool(name)
	if err != nil {
		return t.told(err)
	}
	return t.told(j.app.describe(tool))
}

// describe prints what there is to know about a tool.
func (a *app) describe(tool *mcp.Tool) error {
	if a.format == formatText {
		_, err := a.stdout.Write([]byte(description(tool)))
		return outputError(err)
	}
	return a.value(tool)
}
