package main

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// A shellWord is a word that a shell knows. It may be written with a colon in any
// case, and without one if it is bare and the server has no tool of that name.
type shellWord struct {
	name  string
	args  string
	about string
	bare  bool
	tools bool // only for MCP servers
	run   func(s *shell, rest string) error
}

// shellWords are in the order in which :help shows them. It is a function because
// :help shows them.
func shellWords() []shellWord {
	return []shellWord{
		{"tools", "", "list the tools of the server", true, true, (*shell).showTools},
		{"list", "", "the same", true, true, (*shell).showTools},
		{"describe", "NAME", "tell all about a tool", true, true, (*shell).describe},
		{"call", "METHOD [ARGS]", "call any method", false, false, (*shell).callMethod},
		{"notify", "METHOD [ARGS]", "send a note", false, false, (*shell).notify},
		{"notes", "[N]", "show the notes that came, or the newest N", false, false, (*shell).showNotes},
		{"answer", "[METHOD=JSON]", "answer the server's calls so from now on, or show the answers", false, false, (*shell).setAnswer},
		{"timeout", "[DURATION]", "give calls up after so long; 0 never does", false, false, (*shell).setTimeout},
		{"help", "", "show this", true, false, (*shell).help},
		{"quit", "", "leave", true, false, func(*shell, string) error { return errLeave }},
		{"exit", "", "the same", true, false, func(*shell, string) error { return errLeave }},
	}
}

// do does one line.
func (s *shell) do(line string) error {
	name, rest := cutName(line)
	if name == "" || strings.HasPrefix(name, "#") {
		return nil
	}
	word, colon := strings.CutPrefix(name, ":")
	var names []string
	for _, c := range shellWords() {
		if c.tools && s.mcp == nil {
			continue
		}
		names = append(names, c.name)
		if c.name == word && (colon || c.bare && s.mcp != nil && !s.knows(word)) {
			return c.run(s, rest)
		}
	}
	switch {
	case colon:
		f := usagef("there is no command %s", quoteArg(name)).withHint(":help shows what there is")
		if similar := near(word, names); len(similar) > 0 {
			f = f.withHint("did you mean :%s?", strings.Join(similar, " or :"))
		}
		return f
	case s.mcp == nil:
		return s.callMethod(line)
	}
	return s.callTool(name, rest)
}

// wait makes a call that the user waits for: --timeout and Ctrl-C end it, and only it.
func (s *shell) wait(name string, call func(ctx context.Context, alive func()) (message.Raw, error)) (message.Raw, error) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	s.running.Store(&cancel)
	defer s.running.Store(nil)
	alive := func() {}
	if s.patience > 0 {
		timer := time.AfterFunc(s.patience, func() { cancel(errTimeout) })
		defer timer.Stop()
		alive = func() { timer.Reset(s.patience) }
	}
	s.count++
	result, err := call(ctx, alive)
	if err == nil {
		return result, nil
	}
	// An answer is an answer, even if the time was over in the same moment.
	if _, answered := errors.AsType[*message.Error](err); !answered && s.ctx.Err() == nil {
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errTimeout):
			return nil, failf(exitTimeout, "%s timed out after %v, and was taken back", name, s.patience)
		case errors.Is(cause, errTakenBack):
			return nil, failf(exitInterrupted, "%s was taken back", name)
		}
	}
	return nil, s.failure(name, err)
}

// takeBack takes the running call back, if there is one.
func (s *shell) takeBack() bool {
	cancel := s.running.Load()
	if cancel == nil {
		return false
	}
	(*cancel)(errTakenBack)
	return true
}

// callTool is "NAME key=value …".
func (s *shell) callTool(name, rest string) error {
	args, err := splitArgs(rest)
	if err != nil {
		return err
	}
	params, members, err := readToolArgs(args)
	if err != nil {
		return err
	}
	tool, err := s.find(name)
	if err != nil {
		return err
	}
	if params == nil {
		if params, err = toolArgs(tool, members); err != nil {
			return err
		}
	}
	result, err := s.wait(name, func(ctx context.Context, alive func()) (message.Raw, error) {
		return s.toolClient.run(ctx, name, params, alive)
	})
	if err != nil || s.app.format != formatText {
		return s.deliver(string(mcp.CallTool), result, err)
	}
	return s.app.printTool(name, result)
}

// callMethod is ":call METHOD [ARGS]" and, for a server that is not one of MCP, a line
// without a command.
func (s *shell) callMethod(rest string) error {
	r, err := parseCall(rest)
	if err != nil {
		return err
	}
	result, err := s.wait(r.method, func(ctx context.Context, alive func()) (result message.Raw, err error) {
		// Asking for progress changes the line that is sent, see client.progressing.
		if len(s.speak.Progress.Ask) == 0 || s.progressResets {
			ctx = parley.OnProgress(ctx, s.progressOf(r.method, alive))
		}
		if s.mcp != nil {
			err = s.mcp.Call(ctx, r.method, r.params, &result)
		} else {
			err = s.conn.Call(ctx, r.method, r.params, &result)
		}
		return result, err
	})
	return s.deliver(r.method, result, err)
}

// deliver prints an answer as call does.
func (s *shell) deliver(method string, result message.Raw, err error) error {
	f, failed := errors.AsType[*failure](err)
	switch {
	case s.app.format == formatText && err == nil:
		err = s.app.print(result)
	case s.app.format == formatText:
	case !failed:
		err = s.numbered(result, nil)
	case f.answer != nil:
		if err = s.numbered(nil, f.answer); err == nil {
			err = exited(f.code)
		}
	}
	if err != nil {
		return err
	}
	return s.judged(method, result)
}

// numbered prints one answer under its number.
func (s *shell) numbered(result message.Raw, fault *message.Error) error {
	out := s.app.answers()
	if err := out.add(s.count, result, fault); err != nil {
		return err
	}
	return out.end()
}

// parseCall reads a method and its params.
func parseCall(text string) (request, error) {
	name, rest := cutName(text)
	if name == "" {
		return request{}, usagef("which method?")
	}
	args, err := splitArgs(rest)
	if err != nil {
		return request{}, err
	}
	params, err := parseArgs(args)
	return request{method: name, params: params}, err
}

// notify is ":notify METHOD [ARGS]".
func (s *shell) notify(rest string) error {
	r, err := parseCall(rest)
	if err != nil {
		return err
	}
	_, err = s.wait(r.method, func(ctx context.Context, _ func()) (message.Raw, error) {
		return nil, errors.Join(s.conn.Notify(ctx, r.method, r.params), s.conn.Flush(ctx))
	})
	return err
}

// refresh asks for the tools.
func (s *shell) refresh() error {
	s.stale.Store(false)
	_, err := s.wait(string(mcp.ListTools), func(ctx context.Context, _ func()) (message.Raw, error) {
		known, err := s.listTools(ctx)
		if err == nil {
			s.known = known
		}
		return nil, err
	})
	if err != nil {
		s.stale.Store(true)
	}
	s.count-- // nobody asked for it
	return err
}

// knows reports whether the server has a tool of that name, as far as that is known.
func (s *shell) knows(name string) bool {
	_, err := pick(s.known, name)
	return err == nil
}

// find returns the tool of that name, and looks again if there was none the last time.
func (s *shell) find(name string) (*mcp.Tool, error) {
	if s.stale.Load() || !s.knows(name) {
		if err := s.refresh(); err != nil {
			return nil, err
		}
	}
	return pick(s.known, name)
}

// showTools is ":tools".
func (s *shell) showTools(string) error {
	if err := s.refresh(); err != nil {
		return err
	}
	l := newListing(s.app)
	if err := addAll(l, s.known, toolLine); err != nil {
		return err
	}
	return l.end()
}

// describe is ":describe NAME".
func (s *shell) describe(rest string) error {
	if rest == "" {
		return usagef("which tool?")
	}
	tool, err := s.find(rest)
	if err != nil {
		return err
	}
	return s.app.describe(tool)
}

// showNotes is ":notes".
func (s *shell) showNotes(rest string) error {
	most := mostNotes
	if rest != "" {
		var err error
		if most, err = strconv.Atoi(rest); err != nil || most < 1 {
			return usagef(":notes %s: want a number of them", rest)
		}
	}
	seen, before := s.notes.last(most)
	l := newListing(s.app)
	for _, n := range seen {
		if err := l.add(term.Escape(n.String()), n); err != nil {
			return err
		}
	}
	if before > 0 {
		s.app.tell.printf("parley: older notes that are not shown: %d", before)
	}
	return l.end()
}

// setAnswer is ":answer METHOD=JSON".
func (s *shell) setAnswer(rest string) error {
	if rest == "" {
		l := newListing(s.app)
		for _, line := range s.standing.lines() {
			if err := l.add(term.Escape(line), line); err != nil {
				return err
			}
		}
		return l.end()
	}
	// The JSON may have been quoted, as for --answer, or not.
	if unquoted, err := words(rest); err == nil && len(unquoted) == 1 && strings.ContainsAny(rest, `'\`) {
		if _, err := parseAnswers(unquoted); err == nil {
			rest = unquoted[0]
		}
	}
	answers, err := parseAnswers([]string{rest})
	if err != nil {
		return err
	}
	if s.mcp != nil {
		if err := checkMCPAnswers(answers); err != nil {
			return err
		}
	}
	s.standing.add(answers)
	return nil
}

// setTimeout is ":timeout 5s".
func (s *shell) setTimeout(rest string) error {
	p := (*patience)(&s.patience)
	if rest == "" {
		l := newListing(s.app)
		if err := l.add(p.String(), p.String()); err != nil {
			return err
		}
		return l.end()
	}
	if err := p.Set(rest); err != nil {
		return usagef(":timeout %s: %v", rest, err)
	}
	return nil
}

// help is ":help". It goes to stderr, as everything that is no result.
func (s *shell) help(string) error {
	rows := [][]string{{"METHOD [ARGS]", "call a method"}}
	if s.mcp != nil {
		rows = [][]string{{"NAME key=value …", "call a tool; key:=JSON, key=@FILE, or one JSON object"}}
	}
	for _, c := range shellWords() {
		if s.mcp == nil && c.tools {
			continue
		}
		colon := ":"
		if c.bare && s.mcp != nil {
			colon = ""
		}
		rows = append(rows, []string{colon + strings.TrimSpace(c.name+" "+c.args), c.about})
	}
	for line := range strings.Lines(table(rows)) {
		s.app.tell.printf("%s", strings.TrimRight(line, "\n"))
	}
	return nil
}
