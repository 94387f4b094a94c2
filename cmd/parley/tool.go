package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// mcpFlags say how to talk to an MCP server, beside what any server needs.
type mcpFlags struct {
	era      string
	logLevel string
	named    func() bool // whether the flag was given: then a server that has no levels is an error
}

// The values of --era and --log-level.
var (
	eras      = []string{mcp.EraLegacy.String(), mcp.EraModern.String(), eraAuto}
	logLevels = []string{
		string(mcp.LevelDebug), string(mcp.LevelInfo), string(mcp.LevelNotice), string(mcp.LevelWarning), string(mcp.LevelError),
		string(mcp.LevelCritical), string(mcp.LevelAlert), string(mcp.LevelEmergency), logNone,
	}
)

const (
	// eraAuto leaves the era to the probe.
	eraAuto = "auto"
	// logNone asks for no log notes.
	logNone = "none"
)

func (f *mcpFlags) addTo(cmd *cobra.Command) {
	f.era, f.logLevel = eraAuto, string(mcp.LevelInfo)
	flags := cmd.Flags()
	flags.Var(&choice[string]{"era", &f.era, eras}, "era", "which MCP the server speaks: "+list(eras)+", which asks it")
	flags.Var(&choice[string]{"level", &f.logLevel, logLevels}, "log-level", "the least level of the MCP server's log notes: "+list(logLevels))
	f.named = func() bool { return flags.Changed("log-level") }
	complete(cmd, "era", eras...)
	complete(cmd, "log-level", logLevels...)
}

// addServerFlags adds the flags that say how to talk to an MCP server, but for those named.
func addServerFlags(cmd *cobra.Command, f *callFlags, but ...string) {
	call := new(cobra.Command)
	f.addFlags(call)
	for _, name := range slices.Concat(clientFlags, []string{"era", "log-level"}) {
		if !slices.Contains(but, name) {
			cmd.Flags().AddFlag(call.Flags().Lookup(name))
		}
	}
}

// serverJob checks the flags of a command that talks to an MCP server by what it offers.
func (f *callFlags) serverJob(a *app, command []string, usage string) (*job, error) {
	switch {
	case len(command) == 0:
		return nil, usagef("which command? It comes after --").withHint("%s", usage)
	case f.init != "":
		return nil, usagef("--init: the handshake of MCP is implied here").withHint("--era legacy does without the probe before it")
	}
	if err := checkEnv(f.env); err != nil {
		return nil, err
	}
	f.init = "mcp" // for the dialect and its framing
	j := &job{callFlags: f, app: a, command: command}
	if _, err := f.version(); err != nil {
		return nil, err
	}
	var err error
	if j.replies, err = parseAnswers(f.answers); err == nil {
		err = checkMCPAnswers(j.replies)
	}
	return j, err
}

// isMCP reports whether the flags let the server be one of MCP.
func (f *callFlags) isMCP() bool {
	return (f.init == "" || f.init == "mcp") && (f.dialect == dialectAuto || strings.HasPrefix(f.dialect, mcp.Dialect.Name))
}

// version is the revision of MCP to speak; "" leaves it to the probe.
func (f *callFlags) version() (string, error) {
	if !f.isMCP() {
		return "", usagef("--dialect %s: only MCP has tools", f.dialect)
	}
	era := f.era
	if of, ok := strings.CutPrefix(f.dialect, mcp.Dialect.Name+"-"); ok {
		if era != eraAuto && era != of {
			return "", usagef("--dialect %s and --era %s: want one of them", f.dialect, era)
		}
		era = of
	}
	switch era {
	case mcp.EraLegacy.String():
		return mcp.LatestLegacy, nil
	case mcp.EraModern.String():
		return mcp.Latest, nil
	}
	return "", nil
}

// A toolClient is a client of an MCP server of either era. Its calls are made by package
// mcp, so that what the server owes is read off the wire.
type toolClient struct {
	*client
	mcp    *mcp.Client
	called atomic.Pointer[string] // the method that was called last
}

// probePatience is how long a server may leave the probe without an answer, unless
// --timeout is shorter than twice that.
const probePatience = 5 * time.Second

// openMCP starts the child and opens a conversation with it.
func (j *job) openMCP(ctx context.Context) (*toolClient, error) {
	c, err := j.start(ctx)
	if err != nil {
		return nil, err
	}
	t := &toolClient{client: c}
	if err := t.open(false); err != nil {
		return nil, err
	}
	return t, nil
}

// open opens the conversation, or closes the child. If later, it announces that
// the server may ask anything.
func (t *toolClient) open(later bool) error {
	version, _ := t.version() // serverJob has refused what may be wrong with it
	o := &mcp.ClientOptions{
		Info:         mcp.Implementation{Name: "parley", Version: versionName()},
		Version:      version,
		ProbeTimeout: probePatience,
		OnNote:       func(_ context.Context, method string, params message.Raw) { t.note(method, params) },
		Parley:       t.options(),
	}
	if t.timeout > 0 {
		o.ProbeTimeout = min(probePatience, t.timeout/2)
	}
	if t.logLevel != logNone && (t.flagged() || version == mcp.Latest) {
		o.LogLevel = mcp.Level(t.logLevel)
	}
	first := string(mcp.Discover)
	if version == mcp.LatestLegacy {
		first = string(mcp.Initialize)
	}
	t.called.Store(&first) // a server may have ended before anything is written
	t.announce(o, later)
	t.follow(o.Parley.Trace)
	var err error
	t.mcp, err = mcp.Connect(t.ctx, t.child, o)
	if err == nil {
		t.conn = t.mcp.Conn()
		err = t.askForLogs()
	}
	if err == nil {
		// A modern server that was not asked has yet to say what it offers.
		if version == mcp.Latest {
			_, err = t.mcp.Discover(t.ctx)
		}
	}
	if err == nil {
		return nil
	}
	f := t.failure(t.lastAsked(), err)
	if f.code == exitUsage && !errors.Is(err, mcp.ErrEra) {
		// What was sent is ours, and good: what came back was not.
		f = failf(exitProtocol, "%s", strings.ReplaceAll(err.Error(), "mcp: ", ""))
	}
	f.text = "the handshake failed: " + f.text
	told := t.told(f)
	t.close()
	return told
}

// askForLogs asks for the logs that nobody has named a level for, and can do without them.
func (t *toolClient) askForLogs() error {
	if t.logLevel == logNone || t.flagged() || t.mcp.Era() == mcp.EraLegacy && t.mcp.Capabilities().Logging == nil {
		return nil
	}
	err := t.mcp.SetLevel(t.ctx, mcp.Level(t.logLevel))
	if refused, ok := errors.AsType[*message.Error](err); ok {
		t.app.tell.printf("parley: the server announces logs and refuses to set their level: %v", refused)
		return nil
	}
	return err
}

// flagged reports whether --log-level was given.
func (f *mcpFlags) flagged() bool { return f.named != nil && f.named() }

// follow keeps the debts by what goes over the wire: calls that package mcp makes have
// no other sign.
func (t *toolClient) follow(trace *parley.Trace) {
	show, settle := trace.Record, trace.Call
	trace.Record = func(dir parley.Direction, rec []byte) {
		if dir == parley.Outbound {
			t.sending(rec)
		}
		show(dir, rec)
	}
	trace.Call = func(end parley.CallEnd) {
		settle(end)
		switch id, ok := end.ID.Integer(); {
		case end.Dir == parley.Inbound:
			if errors.Is(end.Err, message.MethodNotFound) {
				t.unanswered(end.Method)
			}
		case ok && t.ctx.Err() == nil && errors.Is(end.Err, context.Canceled):
			t.debts.forget(id) // we have taken it back, and go on
		case end.Method == string(mcp.Discover) && errors.Is(end.Err, context.DeadlineExceeded):
			t.app.tell.printf("parley: the server did not answer %s; --era legacy does not ask", mcp.Discover)
		}
	}
}

// sending notes the debt of a call that is about to be written.
func (t *toolClient) sending(rec []byte) {
	codec := t.speak.Codec
	if codec == nil {
		codec = message.Strict
	}
	m, _ := codec.Parse(rec)
	req, ok := m.(*message.Request)
	if !ok || req.IsNote() {
		return
	}
	t.called.Store(&req.Method)
	if id, ok := req.ID.Integer(); ok {
		t.debts.owe(id, named(req.Method, id))
	}
}

// lastAsked is the method that was called last.
func (t *toolClient) lastAsked() string {
	if method := t.called.Load(); method != nil {
		return *method
	}
	return "the first call"
}

// note takes a note of the server. What it logs is told; whoever wants to know of the
// others sets noted.
func (t *toolClient) note(method string, params message.Raw) {
	if t.noted != nil {
		t.noted(method, params)
	}
	var said mcp.LogParams
	if method != string(mcp.LogMessage) || params.Decode(&said) != nil {
		return
	}
	text := said.Data.String()
	_ = said.Data.Decode(&text) // which is often a string, and else shown as JSON
	if said.Logger != "" {
		text = said.Logger + ": " + text
	}
	t.app.tell.printf("parley: the server logs %s: %s", said.Level, text)
}

// failure is that of a client, with the errors that package mcp adds.
func (t *toolClient) failure(what string, err error) *failure {
	for _, broken := range []error{mcp.ErrResult, mcp.ErrRounds, mcp.ErrVersion} {
		if errors.Is(err, broken) {
			return failf(exitProtocol, "%s", strings.ReplaceAll(err.Error(), "mcp: ", ""))
		}
	}
	switch {
	case errors.Is(err, errNobody):
		return failf(exitAnswer, "%s was not answered: %v", what, errNobody)
	case errors.Is(err, mcp.ErrEra):
		return usagef("%s: %s", what, strings.ReplaceAll(err.Error(), "mcp: ", ""))
	}
	f := t.client.failure(what, err)
	if f.code == exitDied {
		// Other calls of the conversation may be open, or none yet: this one failed.
		how, _ := t.howEnded(err)
		f.text = what + " was not answered: " + how
	}
	return f
}

// offers calls one of the lists of the server. One that does not know the method has
// nothing of the kind, unless it has announced it.
func offers[T any](ctx context.Context, announced bool, ask func(context.Context) ([]T, error)) ([]T, error) {
	found, err := ask(ctx)
	if !announced && errors.Is(err, message.MethodNotFound) {
		return nil, nil
	}
	return found, err
}

// listTools asks for the tools of the server.
func (t *toolClient) listTools(ctx context.Context) ([]mcp.Tool, error) {
	return offers(ctx, t.mcp.Capabilities().Tools != nil, t.mcp.Tools)
}

// tool returns the tool of that name.
func (t *toolClient) tool(name string) (*mcp.Tool, error) {
	tools, err := t.listTools(t.ctx)
	if err != nil {
		return nil, t.failure(t.lastAsked(), err)
	}
	return pick(tools, name)
}

// pick returns the tool of that name. The failure for another name has those that look
// like it.
func pick(tools []mcp.Tool, name string) (*mcp.Tool, error) {
	names := make([]string, len(tools))
	for i, tool := range tools {
		if tool.Name == name {
			return &tools[i], nil
		}
		names[i] = tool.Name
	}
	f := failf(exitAnswer, "the server has no tool %s", quoteArg(name))
	f.word = "unknown_tool"
	switch similar := near(name, names); {
	case len(similar) > 0:
		return nil, f.withHint("did you mean %s?", strings.Join(similar, " or "))
	case len(names) == 0:
		return nil, f.withHint("it has no tools at all")
	}
	return nil, f.withHint("it has %s", few(names))
}
