package main

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/stream"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// maxWindow is how many calls are open at once at most, so that a file of any length
// takes bounded memory.
const maxWindow = 1024

// defaultTimeout is how long no answer may come while one is owed.
const defaultTimeout = 60 * time.Second

// callFlags are the flags of call. Those of the first block say how to talk to CMD and are
// shared with bench and the commands for MCP servers; see clientFlags.
type callFlags struct {
	peerFlags
	mcpFlags

	timeout        time.Duration
	progressResets bool
	init           string
	env            []string
	clearEnv       bool
	cwd            string

	tool    string
	byTool  bool // --tool was given
	notify  bool
	print   bool
	answers []string
	file    string
	batch   bool
	window  int
}

func callCommand(a *app) *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "call METHOD [ARGS] [flags] -- CMD [ARGS]",
		Short: "Call a method of a program over its stdin and stdout",
		Long: `call starts CMD, calls METHOD, prints the result exactly as it came, and ends CMD.

Params are members, key=text key=@FILE key:=JSON key:=@FILE, or one JSON array or
object. With -f there are many calls, one {"method","params","notify"} a line; the
answers are printed as they come, one {"id","result"} or {"id","error"} a line, and
numbered 1, 2, 3 over the calls.

With --tool CMD is an MCP server, whose handshake is implied, and the arguments are those
of the tool: a text is made into what the tool's schema wants, n=5 into a number. Printed
is the text of the result, or with --format json all of it; a tool that failed says why
on stderr.

Exit codes: 0 ok, 1 answered with an error, or a tool failed, 2 usage, 3 CMD cannot be
started, 4 timed out, 6 CMD died before it answered, 7 the answer broke the protocol or a
limit, 130 interrupted.`,
		Example: `  parley call add a:=3 b:=5 -- parley serve --reference
  parley call --init mcp tools/list -- npx -y @modelcontextprotocol/server-everything
  parley call --tool get-sum a=3 b=5 -- npx -y @modelcontextprotocol/server-everything
  parley call -f calls.jsonl --window 8 -- parley serve --reference
  parley call --print add '[3,5]'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if dash < 0 {
				dash = len(args)
			}
			changed := cmd.Flags().Changed
			if f.byTool = changed("tool"); !f.byTool && (changed("era") || changed("log-level")) {
				return usagef("--era and --log-level go with --tool").withHint("--init mcp is the handshake of the legacy era")
			}
			j, err := abandonable(cmd.Context(), func() (*job, error) { return f.job(a, args[:dash], args[dash:]) })
			if err != nil {
				return err
			}
			return j.run(cmd.Context())
		},
	}
	addFormat(cmd, a, formatText, formatJSON, formatJSONL)
	f.addFlags(cmd)
	return cmd
}

// addFlags adds all flags but --format, whose values differ from command to command.
func (f *callFlags) addFlags(cmd *cobra.Command) {
	f.add(cmd, "the dialect or --init has it")
	flags := cmd.Flags()
	f.timeout = defaultTimeout
	flags.Var((*patience)(&f.timeout), "timeout", "give up when an answer is owed and none comes for so long; 0 never does")
	flags.BoolVar(&f.progressResets, "progress-resets", false, "let progress on a call count as a sign of life for --timeout")
	flags.Var(&choice[string]{"handshake", &f.init, handshakeNames}, "init", "do a handshake first: "+list(handshakeNames))
	flags.StringArrayVar(&f.env, "env", nil, "set a variable `K=V` for CMD; repeatable")
	flags.BoolVar(&f.clearEnv, "clear-env", false, "let CMD see no variable of ours")
	flags.StringVar(&f.cwd, "cwd", "", "start CMD in `folder`")
	f.mcpFlags.addTo(cmd)
	flags.StringVar(&f.tool, "tool", "", "call the tool `NAME` of an MCP server, rather than a method")
	flags.BoolVar(&f.notify, "notify", false, "send a note, which nobody answers, and leave")
	flags.BoolVar(&f.print, "print", false, "show what would be sent, byte for byte, and start nothing")
	flags.StringArrayVar(&f.answers, "answer", nil, "answer calls of the server: `METHOD=JSON`; repeatable")
	flags.StringVarP(&f.file, "file", "f", "", "send the calls in `file`, one JSON object a line; - is stdin")
	flags.BoolVar(&f.batch, "batch", false, "send what is in --file as one JSON array")
	flags.IntVar(&f.window, "window", 0, "with --file, keep at most `N` calls open; 0 is 1024")
	complete(cmd, "init", handshakeNames...)
}

// A job is what one run of call is to do: one request, or those in a file, and the
// command to start for it.
type job struct {
	*callFlags
	app     *app
	one     request                // without a file
	members []argument             // of --tool, if one has no params yet
	replies map[string]message.Raw // to calls of the server
	command []string
}

// A request is a call or a note to send. Its params are on one line.
type request struct {
	method string
	params message.Raw
	note   bool
	line   int64 // of the file it comes from; 0 for none
}

// job checks what was asked for before anything is started.
func (f *callFlags) job(a *app, args, command []string) (*job, error) {
	if f.byTool {
		return f.toolJob(a, args, command)
	}
	j := &job{callFlags: f, app: a, command: command}
	d, _, _ := f.resolve()
	switch {
	case d.Name == stream.Dialect.Name:
		return nil, usagef("the dialect %s has no calls", d.Name)
	case f.batch && d.NoBatch:
		return nil, usagef("the dialect %s has no batches", d.Name)
	case f.file != "" && len(args) > 0:
		return nil, usagef("--file has the methods: no place for %q", args[0])
	case f.file != "" && f.notify:
		return nil, usagef(`--notify goes with one method; in a file a line says "notify":true`)
	case f.file == "" && f.batch, f.file == "" && f.window != 0:
		return nil, usagef("--batch and --window go with --file")
	case f.batch && f.window != 0:
		return nil, usagef("--window has no meaning for a batch, which is sent whole")
	case f.batch && f.progressResets:
		return nil, usagef("--progress-resets has no meaning for a batch: nobody asks for progress on one")
	case f.window < 0 || f.window > maxWindow:
		return nil, usagef("--window %d: want 0 to %d", f.window, maxWindow)
	case f.file == "" && len(args) == 0:
		return nil, usagef("which method?").withHint("parley call METHOD [ARGS] -- CMD")
	case len(command) == 0 && !f.print:
		return nil, usagef("which command? It comes after --").withHint("parley call METHOD [ARGS] -- CMD; --print needs none")
	}
	err := checkEnv(f.env)
	if err != nil {
		return nil, err
	}
	if j.replies, err = parseAnswers(f.answers); err != nil || f.file != "" {
		return j, err
	}
	switch {
	case args[0] == "":
		return nil, usagef("the method is empty")
	case !utf8.ValidString(args[0]):
		return nil, usagef("%s: the method is not UTF-8", quoteArg(args[0]))
	}
	j.one = request{method: args[0], note: f.notify}
	j.one.params, err = parseArgs(args[1:])
	return j, err
}

// checkEnv checks the K=V of --env.
func checkEnv(entries []string) error {
	for _, entry := range entries {
		if name, _, ok := strings.Cut(entry, "="); !ok || name == "" {
			return usagef("--env %s: want K=V", quoteArg(entry))
		}
	}
	return nil
}

// run does one of the five things that call is for. Only --print starts nothing.
func (j *job) run(ctx context.Context) error {
	switch {
	case j.byTool:
		return j.runTool(ctx)
	case j.print:
		_, err := abandonable(ctx, func() (any, error) { return nil, j.printAll() })
		return err
	case j.batch:
		return j.runBatch(ctx)
	case j.file != "":
		return j.runMany(ctx)
	}
	return j.runOne(ctx)
}

// resolve turns names into a dialect, a framing and a handshake. As a client we say
// nothing to bad input, whatever the dialect has for servers: what comes from a child
// may be any text, and an error in answer to it would only confuse the child.
func (f *callFlags) resolve() (parley.Dialect, frame.Framing, *handshake) {
	shake, auto := handshakes[f.init], parley.JSONRPC
	if shake != nil {
		auto = shake.dialect
	}
	d := f.spoken(auto)
	framing := d.Framing
	if shake != nil {
		framing = shake.dialect.Framing
	}
	d.BadInput = parley.SilentOnBadInput
	return d, f.framed(framing), shake
}

// runOne sends one call or note.
func (j *job) runOne(ctx context.Context) error {
	c, err := j.connect(ctx, nil)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.greet(); err != nil {
		return j.told(err)
	}
	if j.one.note {
		return j.told(c.send(j.one))
	}
	result, err := c.call(j.one.method, j.one.params)
	if err != nil {
		return j.told(j.undelivered(c.failure(j.one.method, err)))
	}
	show := j.app.print
	if j.app.format == formatJSONL {
		show = func(result []byte) error { return j.deliver(result, nil) }
	}
	if err := show(result); err != nil {
		return j.told(err)
	}
	return j.judged(j.one.method, result)
}

// judged is how a call ends whose result was printed: a tool of MCP that failed says so
// in its result.
func (j *job) judged(method string, result message.Raw) error {
	failed := toolFailed(method, result)
	if failed && j.app.format == formatText {
		j.app.tell.printf("parley: %s: the tool failed: its result has isError", method)
	}
	if failed {
		return exited(exitAnswer)
	}
	return nil
}

// deliver prints the one answer as those of many are printed.
func (j *job) deliver(result message.Raw, fault *message.Error) error {
	out := j.app.answers()
	if err := out.add(1, result, fault); err != nil {
		return err
	}
	return out.end()
}

// undelivered is what is left to tell of a failure. With jsonl, an error that was
// answered is an answer, and goes to stdout like any other.
func (j *job) undelivered(f *failure) error {
	if f.answer == nil || j.app.format != formatJSONL {
		return f
	}
	if err := j.deliver(nil, f.answer); err != nil {
		return err
	}
	return exited(f.code)
}

// send sends a note and waits until it has left.
func (c *client) send(r request) error {
	err := c.patient(func(ctx context.Context) error {
		return errors.Join(c.conn.Notify(ctx, r.method, r.params), c.conn.Flush(ctx))
	})
	if err == nil {
		return nil
	}
	return c.failure(r.method, err)
}

// told tells of an error at once, before the child is ended, which can take a while.
func (j *job) told(err error) error { return ended(j.app.report(err)) }
