package toolbox

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// CodeFailed is the code of the error that a plain call is answered with if the tool
// failed, and not the call. The data is a [Failure]. It is positive because the
// specification leaves those numbers to applications.
const CodeFailed message.Code = 1

// A Failure says how a tool failed.
type Failure struct {
	Exit    *int   `json:"exit,omitzero"`    // the exit code; nil if there was none
	Signal  string `json:"signal,omitzero"`  // the signal that ended it, such as "SIGKILL"
	Timeout string `json:"timeout,omitzero"` // the time that it was given, if that ran out
	Stderr  string `json:"stderr,omitzero"`  // the last 4 KiB that it wrote there
	Output  string `json:"output,omitzero"`  // what it wrote to stdout, up to its max_output
}

// A watcher is told what happens in a run.
type watcher struct {
	line    func(text string)                   // a line of stderr
	started func(pid int, gone <-chan struct{}) // nil: not told
}

// call runs the tool with the arguments, once wait lets it, and returns what it wrote to
// stdout; as JSON on one line if that is what it writes. Who watches is told what
// happens. The error is a *refusal, a *failedError, or that of wait or ctx.
func (t *tool) call(ctx context.Context, args message.Raw, wait func() (leave func(), err error), who watcher) (string, error) {
	values, err := t.values(args)
	if err != nil {
		return "", err
	}
	cmd, err := t.command(values)
	if err != nil {
		return "", err
	}
	var stdin *string
	if t.stdin != nil {
		stdin = new(t.stdin.text(values))
	}
	leave, err := wait()
	if err != nil {
		return "", err
	}
	defer leave()
	return t.execute(ctx, job{cmd: cmd, stdin: stdin, started: who.started}, who.line)
}

// command is the program with its arguments and environment filled in. An argument or a
// variable whose input has no value is left out.
func (t *tool) command(values map[string]string) (*exec.Cmd, error) {
	cmd := &exec.Cmd{Path: t.program, Dir: t.dir, Env: slices.Clip(t.kept)}
	for _, template := range t.run {
		word, ok, err := template.word(values, t.allowDash)
		if err != nil {
			return nil, err
		}
		if ok {
			cmd.Args = append(cmd.Args, word)
		}
	}
	for _, v := range t.env {
		word, ok, err := v.value.word(values, true)
		if err != nil {
			return nil, err
		}
		if ok {
			cmd.Env = append(cmd.Env, v.name+"="+word)
		}
	}
	return cmd, nil
}

// execute runs the command and judges what came of it.
func (t *tool) execute(ctx context.Context, j job, line func(text string)) (string, error) {
	limited, stop := context.WithTimeout(ctx, t.timeout)
	defer stop()
	out := &stdout{limit: t.maxOutput}
	errs := &stderr{line: line}
	if t.progress {
		// Once the run is over, nobody waits for room to tell how far it is.
		errs.progress = func(report mcp.ProgressParams) { _ = parley.Progress(limited, report) }
	}
	j.stdout, j.stderr = out, errs
	end, err := execute(limited, j)
	tail := errs.end()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", t.failed("cannot be started: "+explain(j.cmd, err), Failure{})
	}
	if end == (ending{}) {
		return t.result(out, tail)
	}
	f := Failure{Stderr: tail, Output: out.text()}
	switch {
	case end.cut:
		f.Timeout = t.timeout.String()
		return "", t.failed("was ended, as it ran longer than its timeout of "+f.Timeout, f)
	case end.stuck || end.code < 0:
		return "", t.failed("ended, and how is not known", f)
	case end.signal != "":
		f.Signal = end.signal
		return "", t.failed("was ended by "+end.signal, f)
	}
	f.Exit = &end.code
	return "", t.failed(fmt.Sprintf("exited with code %d", end.code), f)
}

// result is what a tool that succeeded has written.
func (t *tool) result(out *stdout, tail string) (string, error) {
	if !t.json {
		return out.text(), nil
	}
	// Some programs write a byte order mark, which a reader may pass over (RFC 8259, section 8.1).
	text := message.Raw(strings.TrimSpace(strings.TrimPrefix(out.kept.String(), "\uFEFF")))
	problem := t.wrong(text, out.over)
	if problem != "" {
		return "", t.failed(problem, Failure{Stderr: tail, Output: shorten(out.text(), shownReason)})
	}
	return string(message.OneLine(nil, text)), nil
}

// wrong says what is wrong with what should be JSON, of which over bytes are missing; ""
// if nothing is.
func (t *tool) wrong(text message.Raw, over int64) string {
	switch {
	case over > 0:
		return fmt.Sprintf("wrote more than its max_output of %s, and JSON cannot be cut", bytesText(t.maxOutput))
	case len(text) == 0:
		return "wrote no JSON"
	}
	var v any
	if err := text.Decode(&v); err != nil {
		return shorten(fmt.Sprintf("wrote no JSON: %v", err), shownReason)
	}
	if t.schema != nil {
		if err := t.schema.Check(text); err != nil {
			return fmt.Sprintf("wrote JSON that its output_schema does not allow: %v", err)
		}
	}
	return ""
}

// failed is the error of a tool that failed.
func (t *tool) failed(problem string, f Failure) error {
	return &failedError{t.Name + " " + problem, f}
}

// A failedError is a Failure of a tool, with a sentence that says it.
type failedError struct {
	text    string
	failure Failure
}

func (e *failedError) Error() string { return e.text }

// plain is what a plain call is answered with for an error of call.
func plain(err error) error {
	if refused, ok := errors.AsType[*refusal](err); ok {
		return message.InvalidParams.Withf("%v", refused).With(refused)
	}
	if failed, ok := errors.AsType[*failedError](err); ok {
		return message.NewError(CodeFailed, failed.Error()).With(failed.failure)
	}
	return err
}

// told is what the caller of an MCP tool gets for an error of call: a model reads the
// text, and tries again.
func told(err error) (*mcp.CallToolResult, error) {
	result := &mcp.CallToolResult{IsError: true}
	if failed, ok := errors.AsType[*failedError](err); ok {
		text := failed.Error()
		if failed.failure.Stderr != "" {
			text += "; its stderr ended with:\n" + failed.failure.Stderr
		}
		if failed.failure.Output != "" {
			result.Content = append(result.Content, mcp.Text(failed.failure.Output))
		}
		result.Content = append(result.Content, mcp.Text(text))
		return result, nil
	}
	return nil, plain(err)
}
