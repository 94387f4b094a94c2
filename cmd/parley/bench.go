package main

import (
	"os"
	"runtime"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// The commands below bench measure, and show what they found as a table for a person or
// as one JSON value, in which the name of each number says its unit. What was measured
// before a failure or an interrupt is shown all the same; the failure comes after it, on
// stderr.

// benchCommand is "parley bench".
func benchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench COMMAND",
		Short: "Measure what each layer costs, and what a server can do",
		Long: `bench layers measures what each layer of parley costs, from the raw pipe to the answer.
bench call measures any server over stdio: calls per second and how long answers take.
bench cold measures how long a server takes from its start to its first answer.`,
		Example: `  parley bench layers --size 4k
  parley bench call add a:=3 b:=5 -- parley serve --reference
  parley bench cold --init mcp -- npx -y @modelcontextprotocol/server-everything`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			f := usagef("bench what?")
			if len(args) > 0 {
				f = usagef("bench has no command %s", quoteArg(args[0]))
			}
			return f.withHint("parley bench layers, parley bench call METHOD -- CMD, parley bench cold -- CMD")
		},
	}
	cmd.AddCommand(benchLayersCommand(a), benchCallCommand(a), benchColdCommand(a))
	return cmd
}

// clientFlags are the flags of call that say how to talk to CMD. The others say what to
// send and what to do with answers, and bench has its own words for that.
var clientFlags = []string{
	"dialect", "framing", "limit", "strict-id", "verbose", "timeout", "progress-resets",
	"init", "env", "clear-env", "cwd", "answer",
}

// addClientFlags adds the clientFlags to cmd, as call has them.
func addClientFlags(cmd *cobra.Command, f *callFlags) {
	call := new(cobra.Command)
	f.addFlags(call)
	for _, name := range clientFlags {
		cmd.Flags().AddFlag(call.Flags().Lookup(name))
	}
}

// atDash splits arguments into those of ours and the command behind "--".
func atDash(cmd *cobra.Command, args []string) (ours, command []string) {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash], args[dash:]
	}
	return args, nil
}

// machine is what the numbers depend on, beside the program.
type machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"` // that Go uses
	Go    string `json:"go"`
}

func thisMachine() machine {
	return machine{runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version()}
}

// String returns it as the end of a sentence.
func (m machine) String() string {
	cores := measure.Count(int64(m.Cores)) + " cores"
	if m.Cores == 1 {
		cores = "one core"
	}
	return m.OS + "/" + m.Arch + ", " + cores + ", " + m.Go
}

// page returns a stage to show tables on.
func (a *app) page() *stage {
	if f, ok := a.stdout.(*os.File); ok {
		lipgloss.EnableLegacyWindowsANSI(f)
	}
	return &stage{out: a.stdout, look: term.LookOf(a.stdout, a.getenv)}
}

// headline begins a page: what was measured, of which command, and how.
func (s *stage) headline(name string, command []string, how string) {
	s.printf("%s", s.paint(partStyle, "parley bench "+name))
	if len(command) > 0 {
		s.printf("%s", s.paint(faintStyle, ": "+term.Escape(strings.Join(command, " "))))
	}
	s.printf("\n")
	s.text(how, faintStyle)
}

// table shows a table, its heads in the style of titles.
func (s *stage) table(t measure.Table) {
	s.printf("\n")
	for i, line := range t.Lines() {
		if i == 0 {
			line = s.paint(titleStyle, line)
		}
		s.printf("  %s\n", line)
	}
}

// value prints what was measured as JSON.
func (a *app) value(v any) error {
	text, err := message.Encode(v)
	if err != nil {
		return err
	}
	return a.print(text)
}
