package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/term"
)

// app holds the ends of the process, in one place. Commands never reach past it to
// os.Stdin and the like; only serve does, because stdio.Claim takes the real ones.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string

	// Set by run.
	tell     *console // over stderr; everything that is no result is told here
	terminal bool     // stdout is one
	format   format   // of results and errors, as --format says

	guard   guard  // of the children that commands start
	closing func() // what is left to do when all is told
}

// run is the whole program: it returns the exit code.
func run(args []string, a *app) int {
	// Both streams are looked at once: what they are does not change.
	a.tell = newConsole(a.stderr, term.LookOf(a.stderr, a.getenv).Terminal)
	a.terminal = term.LookOf(a.stdout, a.getenv).Terminal
	ctx, stop := interruptible()
	defer stop()
	defer a.guard.end()
	a.closing = func() {}
	defer func() { a.closing() }()
	text := &sink{to: a.stdout}
	root := rootCommand(a)
	root.SetOut(text)
	adoptDefaults(root)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if text.broken != nil {
		err = outputError(text.broken)
	}
	return int(a.report(err))
}

// A sink is where cobra writes help and completions. It does not tell when that fails,
// or calls it a wrong usage.
type sink struct {
	to     io.Writer
	broken error // the first error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	if s.broken == nil {
		s.broken = err
	}
	return n, err
}

// adoptDefaults has the two commands that cobra adds itself refuse what they do not
// know, as ours do, rather than show some help and end with 0.
func adoptDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if _, _, err := root.Find(args); err != nil {
					return usagef("no help for %s: there is no such command", quoteArg(args[0])).withHint("parley --help shows what there is")
				}
				return nil
			}
		case "completion":
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(_ *cobra.Command, args []string) error {
				f := usagef("for which shell?")
				if len(args) > 0 {
					f = usagef("no completion for %s", quoteArg(args[0]))
				}
				return f.withHint("parley completion bash, or fish, powershell, zsh")
			}
		}
	}
}

// interruptible returns a ctx that ends at the first SIGINT, SIGTERM or SIGHUP. The
// second one ends the process at once, for whoever cannot wait until a child has gone.
// A hangup is left ignored where it is: nohup(1) asks for that.
//
// A write to a closed pipe is an error from now on and no signal, so that we can
// still stop the child. It is caught rather than ignored because a child would
// inherit that.
func interruptible() (context.Context, context.CancelFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func rootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "parley",
		Short: "Talk to JSON-RPC 2.0 peers over stdio",
		Long: `parley calls programs that speak JSON-RPC 2.0 over stdin and stdout, and is such
a program itself. Everything after -- is the command to run.`,
		Example: `  parley call add a:=3 b:=5 -- parley serve --reference`,

		// Errors are reported in one place, by report.
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.stdin)
	root.SetErr(a.tell)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v", err).withHint("%s --help shows what there is", cmd.CommandPath())
	})
	root.AddCommand(callCommand(a), serveCommand(a), demoCommand(a), benchCommand(a), versionCommand(a))
	root.AddCommand(listCommand(a), describeCommand(a), shellCommand(a))
	root.AddCommand(explainCommand(a))
	root.AddCommand(convertCommand(a))
	root.AddCommand(lintCommand(a))
	return root
}

// noArgs refuses arguments, which cobra would call an unknown command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q", cmd.Name(), args[0])
	}
	return nil
}

// format says how results and errors are written.
type format string

// The formats. For a person, text; for a program, one JSON value or one JSON object
// a line.
const (
	formatText  format = "text"
	formatJSON  format = "json"
	formatJSONL format = "jsonl"
)

// addFormat adds --format to a command that has these formats; the first one is the
// default.
func addFormat(cmd *cobra.Command, a *app, known ...format) {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = string(f)
	}
	a.format = known[0]
	cmd.Flags().Var(&choice[format]{"format", &a.format, known}, "format", "how results and errors are written: "+strings.Join(names, ", "))
	complete(cmd, "format", names...)
}

// A choice is a flag that takes one of a few words.
type choice[T ~string] struct {
	noun  string // what the words name
	value *T
	known []T
}

func (c *choice[T]) String() string { return string(*c.value) }

// Type is what help shows for the value.
func (c *choice[T]) Type() string { return "name" }

// Set takes one of the known words.
func (c *choice[T]) Set(text string) error {
	if !slices.Contains(c.known, T(text)) {
		return fmt.Errorf("unknown %s; known: %s", c.noun, list(c.known))
	}
	*c.value = T(text)
	return nil
}

// list names things in a sentence: "a, b, c".
func list[T ~string](things []T) string {
	names := make([]string, len(things))
	for i, t := range things {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// complete lets the shell complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist, or is completed twice
	}
}

// isGone reports whether err says that nobody reads our output any more. What the
// reader wanted it has, so that this is no failure.
func isGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	if errors.Is(err, syscall.EPIPE) {
		return true
	}
	return os.PathSeparator == '\\' && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}
