package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parley-rpc/parley/frame"
)

// A FramingGuess is a framing, and why it is that one.
type FramingGuess struct {
	Framing frame.Framing
	Why     string // such as "the first line is a Content-Length header"

	// Text is how many bytes at the start are lines of text that belong to no record: the
	// noise of a program that prints before it speaks. Framing is that of what stands
	// behind them. Of a guess that is still open, that much is settled.
	Text int
}

// ErrShort says that the head of a stream may still turn out to be one thing or
// another.
var ErrShort = errors.New("dialect: too few bytes to tell the framing")

// A ForeignError says that a stream is in another protocol, whatever may be inside it.
type ForeignError struct {
	Protocol string // "HTTP/1", "HTTP/2", "TLS", "PROXY protocol" or "NATS"
	Why      string // what tells
}

// Error says which protocol it is, why, and what to do.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("dialect: this is %s and no stream of records (%s); connect by what speaks it", e.Protocol, e.Why)
}

// bom is the byte order mark of UTF-8, which some editors and shells put in front.
const bom = "\xEF\xBB\xBF"

// How much text may stand before the first record for its framing to be found.
const (
	mostTextLines = 8
	mostTextBytes = 4 << 10
)

// SniffFraming tells the framing of a stream by its first bytes. How many are given does
// not matter, only what they are: an answer stays the same with more of them.
//
// While they may turn out to be one thing or another, the error is [ErrShort], and the
// guess is what to go on with if nothing follows. That lasts until the first line or the
// first value has ended, so whoever waits for more needs a deadline and a bound in bytes.
// Look again when the head has doubled, since each look starts over.
//
// Lines of text that is no JSON are the noise of a program that prints before it speaks.
// They are passed over, up to 8 of them and 4 KiB: what stands behind them tells the
// framing. Behind text, a header counts as one only with its blank line. After more text
// than that the framing is lines, which can pass over any. Values are concat if one
// begins on the line where another ends, or if one goes over several lines.
//
// The error for a stream in another protocol is a [*ForeignError].
func SniffFraming(head []byte) (FramingGuess, error) {
	guess := FramingGuess{Framing: frame.Lines, Why: "nothing else is known"}
	if len(head) < len(bom) && strings.HasPrefix(bom, string(head)) {
		return guess, ErrShort
	}
	// Before white space is passed over, since the PROXY protocol begins with some.
	text := bytes.TrimPrefix(head, []byte(bom))
	switch short, err := foreign(text); {
	case err != nil:
		return FramingGuess{}, err
	case short:
		return guess, ErrShort
	}
	passed := 0
	for lines := 0; ; lines++ {
		text = bytes.TrimLeft(text, " \t\r\n")
		guess, known := begin(text, lines > 0)
		guess.Text = passed
		if lines > 0 {
			guess.Why = "behind text, " + guess.Why
		}
		switch known {
		case whole:
			return guess, nil
		case part:
			return guess, ErrShort
		case not:
		}
		guess.Why = "the first line is not JSON, and only lines can pass over that"
		end := bytes.IndexByte(text, '\n')
		before := len(head) - len(text)
		switch {
		case lines == mostTextLines-1, before+max(end, 0) >= mostTextBytes, end < 0 && len(head) >= mostTextBytes:
			return guess, nil
		case end < 0:
			return guess, ErrShort
		}
		passed, text = before+end+1, text[end+1:]
	}
}

// begin tells the framing of text whose first record begins at its first byte, or within
// the bytes that follow. It says not if that is no record but a line of text; behind says
// that there was such a line before.
func begin(text []byte, behind bool) (FramingGuess, match) {
	if len(text) == 0 {
		return FramingGuess{Framing: frame.Lines, Why: "nothing else is known"}, part
	}
	if text[0] == 0x1E {
		return FramingGuess{Framing: frame.Seq, Why: "it begins with RS, as elements of a JSON text sequence do (RFC 7464)"}, whole
	}
	for _, field := range []string{"Content-Length", "Content-Type"} {
		is := begins(field+":", text, true)
		if is == whole && behind {
			is = block(text)
		}
		switch is {
		case whole:
			return FramingGuess{Framing: frame.Header, Why: "the first line is a " + field + " header"}, whole
		case part:
			return FramingGuess{Framing: frame.Lines, Why: "the first line has not ended"}, part
		case not:
		}
	}
	return lineOrConcat(text)
}

// block compares the beginning of text with a block of header fields: lines with a name
// and a colon, a Content-Length among them that is a number, and a blank line.
func block(text []byte) match {
	for sized, room := false, mostTextBytes; ; { // no block is longer than that
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		room -= len(line) + 1
		line = bytes.TrimSuffix(line, []byte("\r"))
		name, value, named := bytes.Cut(line, []byte(":"))
		switch {
		case room < 0:
			return not
		case !ended:
			return part
		case len(line) == 0 && sized:
			return whole
		case !named || bytes.ContainsAny(name, " \t"):
			return not
		case bytes.EqualFold(name, []byte("Content-Length")):
			if _, err := strconv.ParseUint(string(bytes.Trim(value, " \t")), 10, 63); err != nil {
				return not
			}
			sized = true
		}
		text = rest
	}
}

// lineOrConcat tells how values are kept apart; text begins with a byte that is no white
// space. It says not if the first line is text.
func lineOrConcat(text []byte) (FramingGuess, match) {
	const (
		several  = "a value goes over several lines"
		notEnded = "the first line has not ended"
	)
	end, verdict := firstValue(text)
	// A string cannot hold an LF, so it stands between the tokens of the value.
	newline := bytes.IndexByte(text[:end], '\n') >= 0
	rest := bytes.TrimLeft(text[end:], " \t\r")
	composite := text[0] == '{' || text[0] == '['
	switch {
	case verdict == cutOff && newline: // it may still turn out to be the noise of half a value
		return FramingGuess{Framing: frame.Concat, Why: several}, part
	case verdict == cutOff:
		return FramingGuess{Framing: frame.Lines, Why: notEnded}, part
	case verdict == faulty:
		return FramingGuess{Framing: frame.Lines}, not
	case newline:
		return FramingGuess{Framing: frame.Concat, Why: several}, whole
	case len(rest) == 0:
		return FramingGuess{Framing: frame.Lines, Why: notEnded}, part
	case rest[0] == '\n':
		return FramingGuess{Framing: frame.Lines, Why: "the first line is a whole JSON value"}, whole
	case !composite: // a scalar is rather the beginning of a log's line, such as a date
		return FramingGuess{Framing: frame.Lines}, not
	case rest[0] == '{' || rest[0] == '[':
		return FramingGuess{Framing: frame.Concat, Why: "a second value begins on the line where the first ends"}, whole
	}
	return FramingGuess{Framing: frame.Lines, Why: "text follows the first value on its line, and only lines can pass over that"}, whole
}

// A verdict says how a value came out.
type verdict uint8

const (
	sound  verdict = iota
	cutOff         // the text ends inside it
	faulty         // it is not JSON
)

// firstValue reads the value that text begins with. It ends at end, which is the end of
// the text if it is cut off.
func firstValue(text []byte) (end int, v verdict) {
	// The decoder of the standard library tells half a value from a faulty one.
	in := json.NewDecoder(bytes.NewReader(text))
	var value json.RawMessage
	switch err := in.Decode(&value); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return len(text), cutOff
	case err != nil:
		return len(text), faulty
	}
	return int(in.InputOffset()), sound
}

// A match says how a text and a word begin.
type match uint8

const (
	not   match = iota // they differ
	part               // the text ends inside the word
	whole              // the text begins with the word
)

// begins compares the beginning of text with a word, in whatever case if fold is set.
func begins(word string, text []byte, fold bool) match {
	n := min(len(word), len(text))
	same := string(text[:n]) == word[:n]
	if fold {
		same = strings.EqualFold(string(text[:n]), word[:n])
	}
	switch {
	case !same:
		return not
	case n < len(word):
		return part
	}
	return whole
}

// signatures are how other protocols begin. NATS speaks first on the side of its server,
// and looks there like a line of a log until the brace.
var signatures = []struct{ begin, protocol, why string }{
	{"PRI * HTTP/2.0\r\n", "HTTP/2", "it begins with the preface of RFC 9113, section 3.4"},
	{"HTTP/1.", "HTTP/1", "it begins with the status line of an answer"},
	{"PROXY TCP4 ", "PROXY protocol", "it begins with PROXY TCP4"},
	{"PROXY TCP6 ", "PROXY protocol", "it begins with PROXY TCP6"},
	{"PROXY UNKNOWN", "PROXY protocol", "it begins with PROXY UNKNOWN"},
	{"\r\n\r\n\x00\r\nQUIT\n", "PROXY protocol", "it begins with the signature of version 2"},
	{"\x16\x03\x00", "TLS", "it begins with a TLS record"},
	{"\x16\x03\x01", "TLS", "it begins with a TLS record"},
	{"\x16\x03\x02", "TLS", "it begins with a TLS record"},
	{"\x16\x03\x03", "TLS", "it begins with a TLS record"},
	{"\x16\x03\x04", "TLS", "it begins with a TLS record"},
	{"CONNECT {", "NATS", "it begins with CONNECT and a JSON object"},
	{"INFO {", "NATS", "it begins with INFO and a JSON object"},
}

// longestLogLine is how long a line of text is taken to be that is no request of HTTP.
const longestLogLine = 16 << 10

// methods are those of HTTP (RFC 9110, section 9, and RFC 5789).
var methods = []string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "CONNECT", "TRACE"}

// foreign returns a [*ForeignError] if text begins another protocol. Short reports that
// it still may.
func foreign(text []byte) (short bool, err error) {
	for _, s := range signatures {
		switch begins(s.begin, text, false) {
		case whole:
			return false, &ForeignError{Protocol: s.protocol, Why: s.why}
		case part:
			short = true
		case not:
		}
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	for _, m := range methods {
		switch begins(m+" ", text, false) {
		case whole:
			// A line of a log may begin like this, but does not end in a version, and is
			// shorter than a target can be.
			line, _, ended := bytes.Cut(text[:min(len(text), longestLogLine)], []byte("\n"))
			if ended && isRequestLine(line) || !ended && len(line) == longestLogLine {
				return false, &ForeignError{Protocol: "HTTP/1", Why: "the first line is a " + m + " request"}
			}
			short = short || !ended // nothing is certain before the version
		case part:
			short = true
		case not:
		}
	}
	return short, nil
}

// isRequestLine reports whether the line has the form of RFC 9112, section 3: method,
// target and version.
func isRequestLine(line []byte) bool {
	words := bytes.Fields(line)
	return len(words) == 3 && bytes.HasPrefix(words[2], []byte("HTTP/1."))
}
