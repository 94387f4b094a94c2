package toolbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// gather returns a stderr and what it tells.
func gather(progress bool) (e *stderr, told *[]string) {
	told = new([]string)
	e = &stderr{line: func(text string) { *told = append(*told, text) }}
	if progress {
		e.progress = func(p mcp.ProgressParams) {
			total := "?"
			if p.Total != nil {
				total = fmt.Sprint(*p.Total)
			}
			*told = append(*told, fmt.Sprintf("%v of %s %q", p.Progress, total, p.Message))
		}
	}
	return e, told
}

// Lines are lines however the bytes come; those that report progress are told as such.
func TestStderr(t *testing.T) {
	text := "one\r\n\n  \ntwo\xff\nprogress 1/10 begun\nprogress 1 again\nprogress 2.5 more\nprogress x\nprogress 3/10\nlast"
	want := []string{
		"one", "two\uFFFD", `1 of 10 "begun"`, `2.5 of ? "more"`, "progress x", `3 of 10 ""`, "last",
	}
	for _, size := range []int{1, 7, len(text)} {
		e, told := gather(true)
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			e.Write([]byte(rest[:min(size, len(rest))]))
		}
		if tail := e.end(); !strings.HasSuffix(tail, "3/10\nlast") || !strings.HasPrefix(tail, "one") {
			t.Errorf("the tail is %q", tail)
		}
		if diff := cmp.Diff(want, *told); diff != "" {
			t.Errorf("in pieces of %d (-want +got):\n%s", size, diff)
		}
	}
	e, told := gather(false)
	e.Write([]byte("progress 1/10 x\n"))
	if diff := cmp.Diff([]string{"progress 1/10 x"}, *told); diff != "" {
		t.Errorf("without progress (-want +got):\n%s", diff)
	}
}

// A line, all lines and the tail are bounded.
func TestStderrIsBounded(t *testing.T) {
	e, told := gather(false)
	long := strings.Repeat("x", lineSize)
	for range 3 {
		e.Write([]byte(long))
	}
	e.Write([]byte("\n" + long + "\n"))
	if want := []string{long + "…", long}; !cmp.Equal(want, *told) {
		t.Errorf("got %d lines: %.50q", len(*told), *told)
	}
	for range 3 * maxLines {
		e.Write([]byte("a line\n"))
	}
	if last := (*told)[len(*told)-1]; len(*told) != maxLines || last != "there were 1000 lines; no more of them are passed on" {
		t.Errorf("got %d lines, the last %q", len(*told), last)
	}
	if tail := e.end(); len(tail) > tailSize || cap(e.tail) > 4*tailSize {
		t.Errorf("the tail has %d bytes, and room for %d", len(tail), cap(e.tail))
	}
}

// FuzzStdout holds that what is kept and what the mark counts is all that was written.
func FuzzStdout(f *testing.F) {
	f.Add([]byte("ééé"), 3)
	f.Add([]byte("\xff\xfe\xfd"), 2)
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		if limit < 1 || limit > 1<<10 {
			return
		}
		o := &stdout{limit: limit}
		for i := range text {
			o.Write(text[i : i+1])
		}
		got := o.text()
		if len(text) <= limit {
			if want := strings.ToValidUTF8(string(text), "\uFFFD"); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			return
		}
		kept, mark, _ := strings.Cut(got, "\n[cut here: ")
		if strings.ToValidUTF8(string(text), "") == string(text) {
			want := fmt.Sprintf("%s more]", bytesText(len(text)-len(kept)))
			if !strings.HasPrefix(string(text), kept) || !strings.Contains(string(text), "\n[cut here: ") && mark != want {
				t.Errorf("%q at %d: got %q, want the mark %q", text, limit, got, want)
			}
		}
	})
}
