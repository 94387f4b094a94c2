package parleytest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// checkWrites pairs the JSON lines of the expectation with lines that we wrote, in any
// order. Each expected line wants one of its own. A server writes nothing else, unless
// the case counts its lines.
func (c *Case) checkWrites(t *testing.T, out *outcome) {
	t.Helper()
	left := slices.Clone(out.out)
	for _, want := range c.writes {
		i := slices.IndexFunc(left, func(w written) bool { return pattern(want).MatchString(w.line) })
		if i < 0 {
			t.Errorf("we did not write\n%s\nbut:\n%s", want, out.text())
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	if c.server && len(left) > 0 {
		t.Errorf("we wrote lines that are not expected: %v", left)
	}
}

// pattern is an expected text in which the string "*" stands for any JSON string.
func pattern(want string) *regexp.Regexp {
	parts := strings.Split(want, `"*"`)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`^` + strings.Join(parts, `"(?:[^"\\]|\\.)*"`) + `$`)
}

// expect checks one expectation that is no JSON line, and says what is wrong.
func (c *Case) expect(line string, out *outcome) string {
	what, want, _ := strings.Cut(line, " -> ")
	switch name, arg, _ := strings.Cut(what, " "); {
	case what == "lines":
		return differ(strconv.Itoa(len(out.out)), want)
	case what == "order":
		return differ(strings.Join(out.ids(time.Hour), ","), want)
	case name == "within":
		return out.within(arg, want)
	case name == "call":
		return out.call(arg, want)
	case what == "conn":
		return differ(map[bool]string{true: "open", false: "closed"}[out.open], want)
	case what == "reported":
		return differ(strings.Trim(strings.ReplaceAll(fmt.Sprint(out.log), " ", ","), "[]"), want)
	case what == "notes":
		return differ(strconv.Itoa(out.notes), want)
	case strings.HasPrefix(line, "no byte 0x"):
		return out.without(strings.TrimPrefix(line, "no byte 0x"))
	}
	return "parleytest does not know this kind of expectation"
}

func differ(got, want string) string {
	if got == want {
		return ""
	}
	return "got " + got
}

// ids are the ids of our replies so far, in the order in which we wrote them.
func (o *outcome) ids(upTo time.Duration) []string {
	var ids []string
	for _, w := range o.out {
		msg, err := message.Strict.Parse([]byte(w.line))
		if reply, ok := msg.(*message.Response); ok && err == nil && w.at <= upTo {
			ids = append(ids, reply.ID.String())
		}
	}
	return ids
}

func (o *outcome) within(bound, want string) string {
	upTo, err := time.ParseDuration(bound)
	if err != nil {
		return err.Error()
	}
	ids := o.ids(upTo)
	for id := range strings.SplitSeq(want, ",") {
		if !slices.Contains(ids, id) {
			return fmt.Sprintf("only %v are answered", ids)
		}
	}
	return ""
}

// call checks what became of one of our calls.
func (o *outcome) call(number, want string) string {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(o.calls) {
		return "there is no such call"
	}
	var result message.Raw
	err = o.calls[n-1].Wait(context.Background(), &result)
	kind, rest, _ := strings.Cut(want, " ")
	if kind == "result" {
		if err != nil {
			return "it failed: " + err.Error()
		}
		return differ(string(result), rest)
	}
	if err == nil {
		return "it has the result " + string(result)
	}
	code, text, _ := strings.Cut(rest, " ")
	var remote *message.Error
	if code != "*" && (!errors.As(err, &remote) || strconv.Itoa(int(remote.Code)) != code) {
		return "it failed otherwise: " + err.Error()
	}
	if !strings.Contains(err.Error(), text) {
		return "its error does not show the text: " + err.Error()
	}
	if errors.Is(err, parley.ErrClosed) {
		return "it failed only because the connection ended: " + err.Error()
	}
	return ""
}

func (o *outcome) without(hex string) string {
	b, err := strconv.ParseUint(hex, 16, 8)
	if err != nil {
		return err.Error()
	}
	for _, w := range o.out {
		if strings.IndexByte(w.line, byte(b)) >= 0 {
			return "it is in " + strconv.Quote(w.line)
		}
	}
	return ""
}

// countNotes is the handler of a client: it answers no call and counts the notes.
func (o *outcome) countNotes(ctx context.Context, _ string, _ message.Raw) (any, error) {
	if !parley.RequestFrom(ctx).IsNote() {
		return nil, message.MethodNotFound
	}
	o.notes++
	return nil, nil
}

// lineLog keeps the line numbers of what is logged as a warning.
type lineLog struct {
	mu    sync.Mutex
	lines []int
}

func (l *lineLog) logger() *slog.Logger { return slog.New(lineHandler{l}) }

type lineHandler struct{ log *lineLog }

func (h lineHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}
func (h lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h lineHandler) WithGroup(string) slog.Handler      { return h }

// Handle keeps the line number of a record that has one.
func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "line" {
			h.log.mu.Lock()
			h.log.lines = append(h.log.lines, int(a.Value.Int64()))
			h.log.mu.Unlock()
		}
		return true
	})
	return nil
}
