package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSummaries(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, test := range []struct{ why, dialect, method, record, want string }{
		{"the tool and its arguments", "mcp", "", `{"id":1,"method":"tools/call","params":{"name":"add","arguments":{"a": 1}}}`, `add {"a": 1}`},
		{"an era has the words of its protocol", "mcp-legacy", "", `{"id":1,"method":"resources/read","params":{"uri":"file:///x"}}`, `file:///x`},
		{"how long a list is", "mcp", "tools/list", `{"id":1,"result":{"tools":[{},{},{}]}}`, "3 tools"},
		{"one thing is one", "mcp", "tools/list", `{"id":1,"result":{"tools":[{}]}}`, "1 tool"},
		{"blocks of content", "mcp", "tools/call", `{"id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"…"}]}}`, "a, image"},
		{"an error has its code, its words, and its data", "mcp", "", `{"id":1,"error":{"code":-32602,"message":"no","data":{"at":1}}}`, `-32602 no {"at":1}`},
		{"a place in a file", "lsp", "", `{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":3,"character":7}}}`, "file:///a 3 7"},
		{"by the last part of the method", "codex", "", `{"method":"item/agentMessage/delta","params":{"delta":"he\nllo"}}`, "he\nllo"},
		{"a method that is not known shows its params", "acp", "", `{"id":1,"method":"x/y","params":{"a":[1,
2]}}`, `{"a":[1, 2]}`},
		{"no params are nothing to see", "acp", "", `{"id":1,"method":"x"}`, ""},
		{"neither are empty ones", "acp", "", `{"id":1,"method":"x","params":{}}`, ""},
		{"a result is shown though it is empty", "acp", "x", `{"id":1,"result":{}}`, "{}"},
		{"members that are missing are left out", "acp", "", `{"id":1,"method":"initialize","params":{"clientInfo":{"version":"1"}}}`, "1"},
		{"null is nothing", "codex", "", `{"method":"turn/completed","params":{"turn":{"status":"failed","error":null}}}`, "failed"},
		{"a dialect without digests", "jsonrpc", "", `{"id":1,"method":"add","params":[1,2]}`, "[1,2]"},
		{"a long text is cut, by characters", "codex", "", `{"method":"x/delta","params":{"delta":"` + strings.Repeat("ü", 300) + `"}}`, strings.Repeat("ü", maxSummary-1) + "…"},
		{"a list that is no list", "mcp", "tools/list", `{"id":1,"result":{"tools":7}}`, `{"tools":7}`},
		{"what is no message shows why", "jsonrpc", "", "oops", "Parse error at byte 0: want a value: oops"},
		{"a long line that is none is cut", "jsonrpc", "", "oops" + long, "Parse error at byte 0: want a value: oops" + long[:95] + "…"},
	} {
		if got := summaryOf(t, test.dialect, test.method, test.record); got != test.want {
			t.Errorf("%s: %q, want %q", test.why, got, test.want)
		}
	}
}

// A long string is cut before it is read. No cut makes it unreadable, wherever an escape
// stands.
func TestUnquotedIsCut(t *testing.T) {
	for _, piece := range []string{`\n`, `\\`, `\"`, `ü`, `\u00fc`, `\ud83d\ude00`, `😀`, `a`} {
		for shift := range 13 {
			text := strings.Repeat("a", maxValue-20+shift) + strings.Repeat(piece, 40)
			got := unquoted([]byte(`"` + text + `"`))
			if !strings.HasPrefix(got, strings.Repeat("a", maxValue-20)) || len(got) < maxValue-40 {
				t.Errorf("%s after %d: %d bytes, which begin with %.20q", piece, shift, len(got), got)
			}
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"", 5, ""},
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "abcd…"},
		{"üüüüü", 5, "üüüüü"},
		{"üüüüüü", 5, "üüüü…"},
		{"üüüü", 5, "üüüü"},
	} {
		if got := cut(test.text, test.most); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

// Whatever a peer writes, what matters in it is told, and is short.
func FuzzSummarize(f *testing.F) {
	f.Add("mcp", "tools/call", `{"id":1,"result":{"content":[{"type":"tool_result","content":[{"text":"x"}]}]}}`)
	f.Add("claude", "", `{"method":"assistant","params":{"message":{"content":[{"type":"tool_use","name":"a","input":{}}]}}}`)
	f.Add("codex", "", `{"method":"item/started","params":{"item":[1,{"type":"x"}]}}`)
	f.Add("acp", "", `{"method":"session/update","params":{"update":{"content":"\ud83d"}}}`)
	f.Add("lsp", "", `[{"method":"a"}`)
	f.Add("", "", "\xff\xfe")
	f.Fuzz(func(t *testing.T, dialect, method, record string) {
		if n := utf8.RuneCountInString(summaryOf(t, dialect, method, record)); n > maxSummary {
			t.Errorf("a summary of %d characters", n)
		}
	})
}

// misread is what Mermaid would take for something else than text, if it stands behind the
// colon of a message: entities of ours are taken out before.
var misread = regexp.MustCompile(`(?i)[;#%<>$\\\x00-\x1f\x7f\x{85}\x{2028}\x{2029}]|\bend\b|^\s*(no)?wrap:`)

var entities = regexp.MustCompile(`#(\d+|lt|gt);|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}`)

func FuzzFigureText(f *testing.F) {
	for _, seed := range []string{"", "a;b", "end", "The END.", "wrap: x", "nowrap:x", "%%{init}%%", "<br/>", "#35;", "a\nb\\n", "$$x$$", "\u2028\x1b\xff", "endend"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := figureText(text)
		if bad := misread.FindString(entities.ReplaceAllString(got, "·")); bad != "" {
			t.Errorf("%q becomes %q, in which Mermaid sees %q", text, got, bad)
		}
	})
}
