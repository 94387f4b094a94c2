package main

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/dialect/stream"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// shellFlags are the flags of shell.
type shellFlags struct {
	callFlags

	noHistory bool
}

func shellCommand(a *app) *cobra.Command {
	var f shellFlags
	cmd := &cobra.Command{
		Use:   "shell [flags] -- CMD [ARGS]",
		Short: "Talk to a program: connect once, call many times",
		Long: `shell starts CMD once and makes the calls that you type, or that come from a pipe, one
after the other. CMD is an MCP server, unless --dialect or --init says otherwise.

  NAME key=value …     call a tool, as parley call --tool does; or, if CMD is no MCP
                       server, a method, as parley call does
  tools                list the tools; describe NAME tells all about one
  :call METHOD [ARGS]  call any method
  :help                show all commands

Quotes work as in a shell: key='two words'. A line that begins with # says nothing.

On a terminal TAB completes, the arrow keys bring lines back, and Ctrl-C takes the running
call back; a second Ctrl-C leaves, and so does Ctrl-D. Lines are kept for the next time in
$XDG_STATE_HOME/parley/history; not those that begin with a space.

Exit codes: on a terminal 0; from a pipe that of the worst line, as parley call has them.
In both, 3 if CMD cannot be started, 6 when CMD dies, 130 interrupted.`,
		Example: `  parley shell -- npx -y @modelcontextprotocol/server-everything
  echo 'get-sum a=3 b=5' | parley shell -- npx -y @modelcontextprotocol/server-everything
  parley shell --dialect jsonrpc -- parley serve --reference`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ours, command := atDash(cmd, args)
			if err := noArgs(cmd, ours); err != nil {
				return err
			}
			j, err := f.shellJob(a, command)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), j)
		},
	}
	addServerFlags(cmd, &f.callFlags)
	cmd.Flags().BoolVar(&f.noHistory, "no-history", false, "keep no lines for the next time, and bring none back")
	addFormat(cmd, a, formatText, formatJSONL)
	return cmd
}

// shellJob checks the flags.
func (f *callFlags) shellJob(a *app, command []string) (*job, error) {
	const usage = "parley shell -- CMD"
	if f.init == "mcp" {
		f.init = "" // it is implied
	}
	if f.isMCP() {
		return f.serverJob(a, command, usage)
	}
	switch d, _, _ := f.resolve(); {
	case len(command) == 0:
		return nil, usagef("which command? It comes after --").withHint(usage)
	case d.Name == stream.Dialect.Name:
		return nil, usagef("the dialect %s has no calls", d.Name)
	}
	if err := checkEnv(f.env); err != nil {
		return nil, err
	}
	j := &job{callFlags: f, app: a, command: command}
	var err error
	j.replies, err = parseAnswers(f.answers)
	return j, err
}

// A shell is one conversation with a person, or with a script, about a server. The lines
// are done one after the other by one goroutine; what is shared with others says so.
type shell struct {
	*toolClient // without an mcp where the server is not one of MCP

	patience time.Duration // with one call; 0: no end
	known    []mcp.Tool    // the tools of the server when they were last asked for
	stale    atomic.Bool   // they are other ones now; set by whoever takes notes
	notes    notes
	count    int64 // calls made, which number the answers with jsonl
	code     exitCode

	running atomic.Pointer[context.CancelCauseFunc] // takes the running call back; nil: none runs
}

var (
	// errLeave ends a shell in the way of :quit.
	errLeave = errors.New("leave")
	// errTakenBack is the cause of a ctx of a call that the user has taken back.
	errTakenBack = errors.New("taken back")
	// errGone says that the server has ended.
	errGone = errors.New("the server has gone")
)

// run is "parley shell".
func (f *shellFlags) run(ctx context.Context, j *job) error {
	c, err := j.start(ctx)
	if err != nil {
		return err
	}
	s := &shell{toolClient: &toolClient{client: c}, patience: j.timeout}
	c.standing.word = ":answer"
	c.noted = s.noted
	if err := s.connect(); err != nil {
		return err
	}
	defer s.close()
	// From here on a call that takes too long is taken back alone.
	s.debts.relent()
	read, interactive := s.script(), false
	if typed := s.openTerminal(!f.noHistory); typed != nil {
		defer typed.close()
		read, interactive = typed.line, true
		s.greeting()
	}
	err = s.loop(read)
	switch {
	case errors.Is(err, errGone):
		return s.told(s.gone())
	case s.ctx.Err() != nil:
		return s.told(s.gaveUp())
	case errors.Is(err, errTakenBack):
		return exited(exitInterrupted)
	case err != nil:
		return s.told(err)
	case interactive:
		return nil // a person has seen how each line went
	}
	return ended(s.code)
}

// connect opens the conversation, or closes the child.
func (s *shell) connect() error {
	if s.isMCP() {
		if err := s.open(true); err != nil {
			return err
		}
		// Which words are commands depends on the tools. Without them there is still :call.
		s.code = s.app.report(s.refresh())
		return nil
	}
	o := s.options()
	s.follow(o.Trace)
	s.conn = parley.Connect(s.child, s.handle, o)
	if err := s.greet(); err != nil {
		told := s.told(err)
		s.close()
		return told
	}
	return nil
}

// greeting tells a person who the server is.
func (s *shell) greeting() {
	if s.mcp == nil {
		s.app.tell.printf("parley: connected; :help shows what there is")
		return
	}
	server := s.mcp.Server()
	s.app.tell.printf("parley: connected to %s %s (MCP %s); tools lists its tools, :help shows what there is",
		server.Name, server.Version, s.mcp.Version())
}

// prompt is what stands before each line of a person.
func (s *shell) prompt() string {
	const most = 30
	name := "parley"
	if s.mcp != nil && s.mcp.Server().Name != "" {
		name = term.Escape(s.mcp.Server().Name)
	}
	return string([]rune(name)[:min(len([]rune(name)), most)]) + "> "
}

// loop does one line after the other. Nil is the end of the input, or :quit.
func (s *shell) loop(read func() (string, error)) error {
	for {
		line, err := s.next(read)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		err = s.do(line)
		if errors.Is(err, errLeave) {
			return nil
		}
		if f, ok := errors.AsType[*failure](err); ok && f.code == exitDied || s.ctx.Err() != nil {
			return errGone
		}
		s.code = worst(s.code, s.app.report(err))
		if isGone(err) {
			return nil // nobody reads what we print
		}
	}
}

// next waits for a line. A server that ends meanwhile is noticed at once; the read goes on
// then, since nothing can end it, and is left behind for the end of the process.
func (s *shell) next(read func() (string, error)) (string, error) {
	type outcome struct {
		line string
		err  error
	}
	got := make(chan outcome, 1)
	go func() {
		line, err := read()
		got <- outcome{line, err}
	}()
	select {
	case o := <-got:
		return o.line, o.err
	case <-s.conn.Done():
		return "", errGone
	case <-s.ctx.Done():
		return "", s.ctx.Err()
	}
}

// lastWords is how long the end of a server's process may come after the end of its
// stdout.
const lastWords = 500 * time.Millisecond

// gone says how the server ended. The tail of its stderr is not repeated: all of it was
// passed on as it came.
func (s *shell) gone() *failure {
	if s.ctx.Err() != nil {
		return s.gaveUp()
	}
	select {
	case <-s.child.Done():
	case <-time.After(lastWords):
	}
	<-s.conn.Done()
	err := s.conn.Wait()
	if err == nil {
		err = io.EOF
	}
	how, _ := s.howEnded(err)
	return failf(exitDied, "%s%s", how, s.owed())
}

// noted takes each note of the server.
func (s *shell) noted(method string, params message.Raw) {
	if method == string(mcp.ToolsChanged) {
		s.stale.Store(true)
	}
	s.notes.add(method, params)
}
