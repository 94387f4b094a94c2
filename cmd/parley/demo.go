package main

import (
	"context"
	"errors"
	"os"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/spawn"
)

// A section of the demo shows one thing and checks that it is so.
type section struct {
	part   string // heading of the part that begins here; "" goes on with the last
	title  string
	lesson string         // in a sentence
	speaks parley.Dialect // by which its lines are read
	owing  int            // how many answers are owed at its end
	run    func(context.Context, *stage) error
}

// demoTimeout bounds the demo, which takes a fraction of a second. Past it something
// is stuck, and an error is better than a silent terminal.
const demoTimeout = 20 * time.Second

const demoIntro = `Two programs talk over a pipe, one JSON text a line. → is what we, the client, send; ← is what comes back. ` +
	`No line below is written for show: each was on the wire, and is shown and counted as it passes.`

// demoCommand is "parley demo".
func demoCommand(a *app) *cobra.Command {
	only := 0
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show what parley does, in memory and against a real child process",
		Long: `Demo explains JSON-RPC 2.0 over lines, and the lines that are no calls, by running them. Client and
server are joined by two buffers in memory; the last section makes its calls once more to a real child
process. The end is a sum of what was sent, answered and is still owed.

Each section checks what it says. If something differs the exit code is 1.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return failf(exitStart, "demo: cannot find this program, which is the child of the last section: %v", err)
			}
			sections := demoSections(spawn.Command{Path: self, Args: []string{"serve", "--reference"}})
			if cmd.Flags().Changed("section") && (only < 1 || only > len(sections)) {
				return usagef("there is no section %d; they are numbered 1 to %d", only, len(sections))
			}
			if f, ok := a.stdout.(*os.File); ok {
				lipgloss.EnableLegacyWindowsANSI(f)
			}
			s := &stage{out: a.stdout, look: term.LookOf(a.stdout, a.getenv)}
			return runDemo(cmd.Context(), s, sections, only)
		},
	}
	cmd.Flags().IntVar(&only, "section", 0, "show only section `N`")
	return cmd
}

// demoSections returns the sections in order. The last one starts child.
func demoSections(child spawn.Command) []section {
	sections := append(callSections(), lineSections()...)
	return append(sections, childSection(child), hungSection())
}

// runDemo runs all sections, or only the one with the given number, and sums up. A
// section that fails does not keep the others from running.
func runDemo(ctx context.Context, s *stage, sections []section, only int) error {
	interrupted := ctx
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	s.printf("%s\n", s.paint(partStyle, "parley demo"))
	s.text(demoIntro, faintStyle)
	failed := 0
	for i, sec := range sections {
		if only != 0 && only != i+1 {
			continue
		}
		s.begin(i+1, sec)
		if err := errors.Join(sec.run(ctx, s), s.end()); err != nil {
			s.fault(err)
			failed++
		}
		if s.broken != nil {
			return outputError(s.broken)
		}
		if interrupted.Err() != nil {
			return failf(exitInterrupted, "demo: interrupted in section %d", i+1)
		}
	}
	s.sum()
	if failed > 0 {
		return failf(exitAnswer, "demo: %d of its sections did not go as they say; the lines marked DIFFERS tell how", failed)
	}
	return nil
}
