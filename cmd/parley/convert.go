package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/frame"
)

// What comes in are values in some framing or shape, and what goes out are the same
// values in another: no digit, escape or order of members changes. What is between
// values, or between the tokens of one, is not the value's.

// convertFlags are the flags of convert.
type convertFlags struct {
	from, to string
	encoding string
	side     string
	limit    byteSize
	skipBad  bool
	compact  bool
	output   string // "": stdout
}

// The words of --from and --to that are no framing.
const (
	wordArray      = "array"
	wordTranscript = "transcript"
	wordPretty     = "pretty"
)

// sideBoth is the --side that leaves nobody out.
const sideBoth = "both"

// The values of --from, --to and --side.
var (
	convertFrom = []string{"lines", "header", "concat", "seq", wordArray, wordTranscript, framingAuto}
	convertTo   = []string{"lines", "header", "concat", "seq", wordArray, wordPretty}
	convertSide = []string{"client", "server", sideBoth}
)

// convertCommand is "parley convert".
func convertCommand(a *app) *cobra.Command {
	f := convertFlags{from: framingAuto, to: "lines", encoding: encodingNames[0], side: sideBoth, limit: frame.DefaultLimit}
	cmd := &cobra.Command{
		Use:   "convert [FILE] [flags]",
		Short: "Turn JSON in one framing or shape into another",
		Long: `convert reads JSON values from FILE, or from stdin, in any framing: one a line, behind
a Content-Length header, end to end or over several lines, as a JSON text sequence (RFC
7464), as the elements of one array, or inside a transcript. It writes them in another
one as they come, and holds one value at a time.

A value keeps its digits, its escapes and the order of its members. As a line, the line
ends between its tokens become spaces; --compact drops all white space there.

--from auto goes by the first bytes. It takes an array over several lines for the values
in it, and one in a single line for a value (a batch): --from array says otherwise.

What is no JSON ends it, with the place; offsets count bytes of UTF-8. --skip-bad tells
of each on stderr and goes on. Bytes that mean nothing in --from-encoding become U+FFFD
and are told too. On stdout, what was converted before stays; a file of --output becomes
what was asked for, or stays as it was.

Exit codes: 0 ok, 1 cannot write, 2 usage, or FILE cannot be read, 5 something was no
JSON, or had no meaning in its encoding, 130 interrupted.`,
		Example: `  curl -s https://example.com/list.json | parley convert --from array
  parley convert --to array calls.jsonl -o calls.json
  parley convert --to header requests.jsonl | some-language-server
  parley convert --from-encoding utf-16 --skip-bad from-powershell.jsonl
  parley convert --side client transcript.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("convert takes one file, got %s too", quoteArg(args[1]))
			}
			if f.compact && f.to == wordPretty {
				return usagef("--compact and --to pretty: want one of them")
			}
			path := "-"
			if len(args) == 1 {
				path = args[0]
			}
			return f.run(cmd.Context(), a, path)
		},
	}
	flags := cmd.Flags()
	words := func(name string, value *string, known []string, text string) {
		flags.Var(&choice[string]{name, value, known}, name, text+": "+list(known))
		complete(cmd, name, known...)
	}
	words("from", &f.from, convertFrom, "how values are marked in the input")
	words("to", &f.to, convertTo, "how they are marked in the output")
	words("from-encoding", &f.encoding, encodingNames, "how the text of the input is encoded")
	words("side", &f.side, convertSide, "whose records of a transcript to take")
	flags.Var(&f.limit, "limit", "largest value that is read, as 65536, 64k or 64MiB")
	flags.BoolVar(&f.skipBad, "skip-bad", false, "tell of what is no JSON, and go on")
	flags.BoolVar(&f.compact, "compact", false, "drop the white space between the tokens of a value")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` rather than stdout")
	return cmd
}

// run converts path, "-" for stdin, until its end or the first failure.
func (f *convertFlags) run(ctx context.Context, a *app, path string) error {
	c := &conversion{convertFlags: f, tell: a.tell, name: path}
	in := a.stdin
	if path == "-" {
		c.name = "stdin"
	} else {
		file, err := os.Open(path)
		if err != nil {
			return usagef("%v", err)
		}
		defer func() { _ = file.Close() }() // it was read only
		in = file
	}
	// A pipe may have no reader yet, and is waited for.
	out, err := abandonable(ctx, func() (output, error) { return f.open(a, in) })
	if err != nil {
		return err
	}
	c.out = newValueWriter(out, f.to, f.compact)
	if f.output == "" && a.terminal {
		c.out.shown = a.shown
	}
	code, err := c.until(ctx, in)
	// Nobody can read a pipe again, so that an interrupt ends it as its end would. A file
	// has only been read in part.
	whole := err == nil && (ctx.Err() == nil || !isRegular(in))
	if failed := out.end(whole); failed != nil && err == nil {
		err = outputError(failed)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		code = exitInterrupted
	}
	return ended(code)
}
