package frame

import (
	"io"
	"strings"
	"testing"
)

func TestConcatRead(t *testing.T) {
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	testRead(t, Concat, []readCase{
		{"values stand end to end (deavid/bjsonrpc#14)", `{"a":1}{"b":2}[3]"four"`,
			[]outcome{rec(`{"a":1}`, 1, 0, 0), rec(`{"b":2}`, 2, 0, 7), rec(`[3]`, 3, 0, 14), rec(`"four"`, 4, 0, 17), eof(4, 0, 17)}},
		{"white space between values is dropped", " \r\n{}\t\n\n [] ",
			[]outcome{rec("{}", 1, 0, 3), rec("[]", 2, 0, 9), eof(2, 0, 9)}},
		{"white space in a value stays (codecoradev/cora-code#243)", "{\n  \"a\": [\n  1]\r\n}\n{}",
			[]outcome{rec("{\n  \"a\": [\n  1]\r\n}", 1, 0, 0), rec("{}", 2, 0, 19), eof(2, 0, 19)}},
		{"brackets in strings do not count", `{"a":"}]\"}"}["\\"]`,
			[]outcome{rec(`{"a":"}]\"}"}`, 1, 0, 0), rec(`["\\"]`, 2, 0, 13), eof(2, 0, 13)}},
		{"a string ends at a quote without a backslash", `"a\"b\\""c"`,
			[]outcome{rec(`"a\"b\\"`, 1, 0, 0), rec(`"c"`, 2, 0, 8), eof(2, 0, 8)}},
		{"numbers and literals end at white space, brackets, quotes and the end", "1 -2.5e+3\ttrue\nfalse[]null\"a\"0{}12",
			[]outcome{
				rec("1", 1, 0, 0), rec("-2.5e+3", 2, 0, 2), rec("true", 3, 0, 10), rec("false", 4, 0, 15), rec("[]", 5, 0, 20),
				rec("null", 6, 0, 22), rec(`"a"`, 7, 0, 26), rec("0", 8, 0, 29), rec("{}", 9, 0, 30), rec("12", 10, 0, 32), eof(10, 0, 32),
			}},
		{"what a value says is not judged", `{] nope [}`,
			[]outcome{rec("{]", 1, 0, 0), rec("nope", 2, 0, 3), rec("[}", 3, 0, 8), eof(3, 0, 8)}},
		{"depth costs nothing", deep + "1",
			[]outcome{rec(deep, 1, 0, 0), rec("1", 2, 0, 400_000), eof(2, 0, 400_000)}},
	})
}

func TestConcatBadFraming(t *testing.T) {
	testRead(t, Concat, []readCase{
		{"a bracket that closes nothing is no value", "{} }", []outcome{rec("{}", 1, 0, 0), bad(ErrStray, 2, 3)}},
		{"a comma is no value", "1,2", []outcome{rec("1", 1, 0, 0), bad(ErrStray, 2, 1)}},
		{"text is no value", "[]\nListening", []outcome{rec("[]", 1, 0, 0), bad(ErrStray, 2, 3)}},
		{"a byte order mark is good at the start alone", "\uFEFF{}\uFEFF", []outcome{rec("{}", 1, 0, 3), bad(ErrStray, 2, 5)}},
		{"the input must not end in an object", `{} {"a":[`, []outcome{rec("{}", 1, 0, 0), bad(io.ErrUnexpectedEOF, 2, 3)}},
		{"the input must not end in a string", `"abc\"`, []outcome{bad(io.ErrUnexpectedEOF, 1, 0)}},
	})
}

func TestConcatOverTheLimit(t *testing.T) {
	long := object(5000)
	number := strings.Repeat("9", 2000)
	testRead(t, Concat.Limit(1000), []readCase{
		{"a long value costs one value", "{}" + long + "[]",
			[]outcome{rec("{}", 1, 0, 0), skip(ErrTooLong, long, 2, 0, 2), rec("[]", 3, 0, 5002), eof(3, 0, 5002)}},
		{"a long number too", number + " 1 " + number,
			[]outcome{skip(ErrTooLong, number, 1, 0, 0), rec("1", 2, 0, 2001), skip(ErrTooLong, number, 3, 0, 2003), eof(3, 0, 2003)}},
	})
}

func TestConcatAppend(t *testing.T) {
	for _, value := range []string{`{"a":1}`, "{\n}", `"a"`, `[[]]`, "12", "true", "nope"} {
		if got := appended(t, Concat, value); got != value+"\n" {
			t.Errorf("Append(%q) = %q", value, got)
		}
	}
	testRefuse(t, Concat, []refusal{
		{"nothing is no value", "", ErrNotValue, 0},
		{"white space is no value", " \n", ErrNotValue, 0},
		{"white space before a value would not arrive", " {}", ErrNotValue, 0},
		{"white space behind a value would not arrive", "{} ", ErrNotValue, 2},
		{"two values would be two records", "{}{}", ErrNotValue, 2},
		{"two numbers would be two records", "1 2", ErrNotValue, 1},
		{"half a value would swallow the next record", `{"a":`, ErrNotValue, 5},
		{"half a string would swallow the next record", `"a`, ErrNotValue, 2},
		{"text would end the stream", "hello", ErrNotValue, 0},
		{"a bracket that closes nothing would end the stream", "]", ErrNotValue, 0},
	})
}
