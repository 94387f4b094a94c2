package main

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// toolJob checks a call by the name of a tool before anything is started.
func (f *callFlags) toolJob(a *app, args, command []string) (*job, error) {
	switch {
	case f.tool == "":
		return nil, usagef("the tool's name is empty")
	case f.notify || f.file != "" || f.batch || f.window != 0:
		return nil, usagef("--tool is one call: no place for --notify, --file, --batch, --window")
	case f.print:
		return nil, usagef("--print starts nothing, and --tool needs the tool's schema from the server")
	}
	j, err := f.serverJob(a, command, "parley call --tool NAME key=value -- CMD")
	if err != nil {
		return nil, err
	}
	j.one.params, j.members, err = readToolArgs(args)
	return j, err
}

// runTool calls one tool.
func (j *job) runTool(ctx context.Context) error {
	t, err := j.openMCP(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	tool, err := t.tool(j.tool)
	if err != nil {
		return t.told(err)
	}
	args := j.one.params
	if args == nil {
		if args, err = toolArgs(tool, j.members); err != nil {
			return t.told(err)
		}
	}
	result, err := t.run(t.ctx, tool.Name, args, t.debts.renew)
	if err != nil {
		return t.told(j.undelivered(t.failure(tool.Name, err)))
	}
	if j.app.format == formatJSONL {
		err = j.deliver(result, nil)
	} else {
		err = j.app.printTool(tool.Name, result)
	}
	if err == nil {
		err = j.judged(string(mcp.CallTool), result)
	}
	return t.told(err)
}

// run runs a tool and returns its result as it came.
func (t *toolClient) run(ctx context.Context, name string, args message.Raw, alive func()) (message.Raw, error) {
	var result message.Raw
	ctx = parley.OnProgress(ctx, t.progressOf(name, alive))
	err := t.mcp.Call(ctx, string(mcp.CallTool), mcp.CallToolParams{Name: name, Arguments: args}, &result)
	return result, err
}

// progressOf tells of the progress of a call, but not of every step that comes at once
// with the one before. With --progress-resets any is a sign of life.
func (t *toolClient) progressOf(name string, alive func()) func(message.Raw) {
	var shown atomic.Pointer[time.Time]
	return func(value message.Raw) {
		if t.progressResets {
			alive()
		}
		now := time.Now()
		if last := shown.Load(); last != nil && now.Sub(*last) < progressPause {
			return
		}
		shown.Store(&now)
		t.app.tell.printf("parley: %s: progress %s", name, stepText(value))
	}
}

// stepText is "3/10 text", or the value as it came if it is no progress of MCP.
func stepText(value message.Raw) string {
	var p mcp.ProgressParams
	if _, ok := value.Member("progress"); !ok || value.Decode(&p) != nil {
		return excerpt(value)
	}
	text := decimal(p.Progress)
	if p.Total != nil {
		text += "/" + decimal(*p.Total)
	}
	if p.Message != "" {
		text += " " + p.Message
	}
	return text
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// toolFailed reports whether the result of a method is that of a tool which says that it
// has failed.
func toolFailed(method string, result message.Raw) bool {
	if method != string(mcp.CallTool) {
		return false
	}
	var failed bool
	text, _ := result.Member("isError")
	return text.Decode(&failed) == nil && failed
}

// printTool prints what a tool said: the whole of the result with --format json, else
// its text. What a tool says about its own failure is told on stderr, since a script
// that reads stdout takes what is there for what it asked for.
func (a *app) printTool(name string, result message.Raw) error {
	if a.format != formatText {
		return a.print(result)
	}
	var said mcp.CallToolResult
	if err := result.Decode(&said); err != nil {
		return failf(exitProtocol, "the answer to %s is no result of a tool: %v", name, err).withHint("--format json prints it as it is")
	}
	text := toolText(&said)
	if !said.IsError {
		if text == "" {
			return nil
		}
		_, err := a.stdout.Write(a.shown([]byte(text)))
		return outputError(err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if first == "" {
		first = "it did not say why"
	}
	f := failf(exitAnswer, "%s failed: %s", name, first)
	f.word = "tool"
	code := a.report(f)
	for line := range strings.Lines(rest) {
		a.tell.printf("  %s", strings.TrimRight(line, "\r\n"))
	}
	return exited(code)
}

// toolText is what a tool said, one block after the other, each with a newline at its
// end. The structured content is shown only if there is no text: with text it says the
// same once more ("Tools", structured content).
func toolText(said *mcp.CallToolResult) string {
	var b strings.Builder
	add := func(text string) {
		b.WriteString(text)
		if !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
	}
	hasText := false
	for i := range said.Content {
		block := &said.Content[i]
		hasText = hasText || block.Type == mcp.ContentText
		add(blockText(block))
	}
	if !hasText && !said.StructuredContent.IsZero() {
		add(said.StructuredContent.String())
	}
	if said.Task != nil {
		add("[task " + said.Task.TaskID + " " + string(said.Task.Status) + "]")
	}
	return b.String()
}

// blockText is a text, or a line in brackets about what is none.
func blockText(c *mcp.Content) string {
	sized := func(words ...string) string {
		return "[" + strings.Join(words, " ") + " bytes]"
	}
	switch c.Type {
	case mcp.ContentText:
		return c.Text
	case mcp.ContentImage, mcp.ContentAudio:
		return sized(c.Type, c.MIMEType, strconv.Itoa(len(c.Data)))
	case mcp.ContentResourceLink:
		return "[resource_link " + c.URI + kind(c.MIMEType) + dash(c.Description, c.Title, c.Name) + "]"
	case mcp.ContentResource:
		switch r := c.Resource; {
		case r == nil:
		case r.Blob != nil:
			return sized(c.Type, r.URI, r.MIMEType, strconv.Itoa(len(r.Blob)))
		default:
			return r.Text
		}
	}
	return "[" + c.Type + "]"
}
