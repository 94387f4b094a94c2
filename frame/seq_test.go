package frame

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSeqRead(t *testing.T) {
	testRead(t, Seq, []readCase{
		{"RS begins an element and LF ends it (RFC 7464, section 2.2)", "\x1e{}\n\x1e[1]\n",
			[]outcome{rec("{}", 1, 0, 1), rec("[1]", 2, 0, 5), eof(2, 0, 5)}},
		{"LF inside of a value does not end it", "\x1e{\n  \"a\": 1\n}\n\x1e\"a\nb\"\n",
			[]outcome{rec("{\n  \"a\": 1\n}", 1, 0, 1), rec("\"a\nb\"", 2, 0, 15), eof(2, 0, 15)}},
		{"an element without LF ends at the next RS or the end", "\x1e{}\x1e[]",
			[]outcome{rec("{}", 1, 0, 1), rec("[]", 2, 0, 4), eof(2, 0, 4)}},
		{"empty elements are passed over (RFC 7464, section 2.1)", "\x1e\x1e \r\n\x1e{}\n\x1e\x1e",
			[]outcome{rec("{}", 1, 0, 6), eof(1, 0, 6)}},
		{"one LF is dropped and other white space stays", "\x1e \n{} \r\n\x1e[] \x1e1 \n",
			[]outcome{rec(" \n{} \r", 1, 0, 1), rec("[] ", 2, 0, 9), rec("1 ", 3, 0, 13), eof(3, 0, 13)}},
		{"white space behind an element is nobody's", "\x1e{}\n\n \x1e[]\n\n",
			[]outcome{rec("{}", 1, 0, 1), rec("[]", 2, 0, 7), eof(2, 0, 7)}},
		{"numbers and literals with white space behind are whole (RFC 7464, section 2.4)", "\x1e1\n\x1etrue\n\x1enull \x1e-2\t",
			[]outcome{rec("1", 1, 0, 1), rec("true", 2, 0, 4), rec("null ", 3, 0, 10), rec("-2\t", 4, 0, 16), eof(4, 0, 16)}},
		{"a long element is one record", "\x1e" + object(300_000) + "\n\x1e{}\n",
			[]outcome{rec(object(300_000), 1, 0, 1), rec("{}", 2, 0, 300_003), eof(2, 0, 300_003)}},
	})
}

func TestSeqRecovers(t *testing.T) {
	testRead(t, Seq, []readCase{
		{"numbers and literals without white space behind may be cut off (RFC 7464, section 2.4)", "\x1e12\x1etru\x1e{}\n\x1e34",
			[]outcome{skip(ErrTruncated, "12", 1, 0, 1), skip(ErrTruncated, "tru", 2, 0, 4), rec("{}", 3, 0, 8), skip(ErrTruncated, "34", 4, 0, 12), eof(4, 0, 12)}},
		{"text before the first RS is stray", " hello\n\x1e{}\n",
			[]outcome{skip(ErrStray, "hello\n", 1, 0, 1), rec("{}", 2, 0, 8), eof(2, 0, 8)}},
		{"text behind an element is stray", "\x1e{}\nhello\nyou\n\x1e[]\n{}",
			[]outcome{rec("{}", 1, 0, 1), skip(ErrStray, "hello\nyou\n", 2, 0, 4), rec("[]", 3, 0, 15), skip(ErrStray, "{}", 4, 0, 18), eof(4, 0, 18)}},
		{"an input without any RS is stray", "{}\n{}\n",
			[]outcome{skip(ErrStray, "{}\n{}\n", 1, 0, 0), eof(1, 0, 0)}},
		{"a malformed element is delivered, for the codec to refuse (RFC 7464, section 2.3)", "\x1e{\"a\":\n\x1e\"b\x1e{}\n\x1e[",
			[]outcome{rec(`{"a":`, 1, 0, 1), rec(`"b`, 2, 0, 8), rec("{}", 3, 0, 11), rec("[", 4, 0, 15), eof(4, 0, 15)}},
		{"what is not one value goes on to the next RS", "\x1e{}{}\n{}\n\x1e1 2\n3\x1ehello\nyou\n\x1e{}\n",
			[]outcome{rec("{}{}\n{}", 1, 0, 1), rec("1 2\n3", 2, 0, 10), rec("hello\nyou", 3, 0, 16), rec("{}", 4, 0, 27), eof(4, 0, 27)}},
	})
}

func TestSeqOverTheLimit(t *testing.T) {
	long := object(5000)
	testRead(t, Seq.Limit(1000), []readCase{
		{"a long element costs one element", "\x1e{}\n\x1e" + long + "\n\x1e[]\n",
			[]outcome{rec("{}", 1, 0, 1), skip(ErrTooLong, long, 2, 0, 5), rec("[]", 3, 0, 5007), eof(3, 0, 5007)}},
		{"a long malformed element too", "\x1e?" + long + "\n\x1e[]\n",
			[]outcome{skip(ErrTooLong, "?"+long, 1, 0, 1), rec("[]", 2, 0, 5004), eof(2, 0, 5004)}},
		{"the LF does not count", "\x1e" + object(1000) + "\n",
			[]outcome{rec(object(1000), 1, 0, 1), eof(1, 0, 1)}},
	})
}

// By the RFC alone an element ends at the next RS, which a peer that waits for an
// answer does not send.
func TestSeqDoesNotWaitForTheNextElement(t *testing.T) {
	waits := failing{errors.New("Read waits for more")}
	for _, c := range []struct{ element, want string }{
		{"{}\n", "{}"},
		{"{\n\"a\":\n1}\n", "{\n\"a\":\n1}"},
		{"\"a\" \n", "\"a\" "},
		{"1\n", "1"},
		{"null \r\n", "null \r"},
	} {
		r := NewReader(io.MultiReader(strings.NewReader("\x1e"+c.element), waits))
		if got, err := Seq.Read(r); string(got) != c.want || err != nil {
			t.Errorf("%q gives %q, %v; want %q", c.element, got, err, c.want)
		}
	}
}

func TestSeqAppend(t *testing.T) {
	for _, text := range []string{`{"a":1}`, "{\n}", " {} ", "1", "\n1", "nope", "hello\nyou", `{"a":`} {
		if got := appended(t, Seq, text); got != "\x1e"+text+"\n" {
			t.Errorf("Append(%q) = %q", text, got)
		}
	}
	testRefuse(t, Seq, []refusal{
		{"RS would begin another element", "{\"a\":\"\x1e\"}", ErrSeparator, 6},
		{"an empty record would not arrive", "", ErrBlank, 0},
		{"a blank record would not arrive", " \r\n\t", ErrBlank, 0},
		{"LF behind the value would end the element", "{}\n", ErrNotValue, 2},
		{"a second line would be stray", "{} \n{}", ErrNotValue, 3},
		{"a second line behind a number would be stray", "1\n2", ErrNotValue, 1},
	})
}
