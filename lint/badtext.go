package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/recording"
)

// refused reads a record that is no message, and reports the one fault that explains it
// best:
//
//	JSON ────────────── badEnvelope
//	not UTF-8 ───────── badEncoding
//	a mark before it ── byteOrderMark
//	a header, an event  wrongFraming, and what stands between the marks is read
//	begins as JSON ──── ends too early?  held, for it may go on in the next line
//	                    goes on behind its end?  twoValues, gluedText
//	                    notJSON
//	anything else ───── a message inside?  gluedText, else strayText
func (p *pass) refused(rec recording.Record) {
	bad, ok := errors.AsType[*message.ParseError](p.entry.Err)
	if !ok || !errors.Is(bad, message.ParseFailed) {
		p.badEnvelope()
		return
	}
	text := p.text
	switch {
	case p.badEncoding():
		return
	case bytes.HasPrefix(text, utf8Mark):
		p.add(p.finding(byteOrderMark, 0, "", "a byte order mark (EF BB BF) in the middle of the stream").as(Error))
		p.quietly(rec, text[len(utf8Mark):])
		return
	case p.foreign(rec):
		return
	}
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	if start == len(text) || text[start] != '{' && text[start] != '[' && text[start] != '"' {
		p.noJSON(rec)
		return
	}
	end, ended := valueEnd(text)
	switch {
	case !ended && p.mayGoOn(text):
		p.hold(rec, bad)
	case ended && end < len(bytes.TrimRight(text, " \t\r\n")) && jsonx.Valid(text[start:end]):
		p.goesOn(rec, end)
	case text[start] == '[' && isPrefix(text[start+1:]):
		p.noJSON(rec)
	default:
		p.reportAs(notJSON, int(bad.Offset), "", "not JSON: "+bad.Reason+hint(text, int(bad.Offset)))
	}
}

// isPrefix reports whether what stands behind a bracket is more likely that of a log line,
// "[info] ready", than the first message of a batch.
func isPrefix(text []byte) bool {
	text = bytes.TrimLeft(text, " ")
	return len(text) > 0 && bytes.IndexByte([]byte(`{["]`), text[0]) < 0
}

// noJSON reports a record that does not begin like JSON: the output of a logger or a
// print. If a message stands in it, that was meant to be sent.
func (p *pass) noJSON(rec recording.Record) {
	text := p.text
	from, to := messageIn(p, text)
	switch nuls := len(text) - len(bytes.TrimLeft(text, "\x00")); {
	case bytes.Contains(text, []byte("\x1b[")):
		p.reportAs(ansiEscapes, bytes.IndexByte(text, 0x1B), "", "terminal escapes: "+excerpt(text))
	case nuls == len(text):
		p.add(p.finding(strayText, 0, "", plural(int64(nuls), "NUL byte")+" and nothing else").advise(fixNULs))
	case nuls > 0 && nuls == from:
		p.add(p.finding(gluedText, 0, "", plural(int64(nuls), "NUL byte")+" before a message").advise(fixNULs))
	case from < 0:
		p.reportAs(strayText, 0, "", "text that is no JSON: "+excerpt(text))
	default:
		p.reportAs(gluedText, 0, "", "text before a message: "+excerpt(text[:from]))
	}
	if from >= 0 {
		p.quietly(rec, text[from:to])
	}
}

// fixNULs is where a run of NUL bytes comes from.
const fixNULs = "append to the file (O_APPEND) if it may be cut short while it is written: what is written behind its end " +
	"leaves NUL bytes before it"

// goesOn reports a record that holds a value, up to end, and something behind it. What
// that is decides the advice: messages that lack a line feed, or text that is none.
func (p *pass) goesOn(rec recording.Record, end int) {
	text := p.text
	p.quietly(rec, text[:end])
	values, at := 1, end
	for at < len(text) {
		n, ok := valueEnd(text[at:])
		if !ok || !jsonx.Valid(bytes.TrimLeft(text[at:at+n], " \t\r\n")) {
			break
		}
		p.quietly(rec, text[at:at+n])
		values++
		at += n
	}
	rest := bytes.TrimSpace(text[at:])
	switch {
	case bytes.Contains(rest, []byte("\x1b[")):
		p.reportAs(ansiEscapes, at+bytes.IndexByte(text[at:], 0x1B), "", "terminal escapes: "+excerpt(rest))
	case len(rest) > 0:
		p.reportAs(gluedText, at, "", "text after a message: "+excerpt(rest))
	default:
		p.reportAs(twoValues, end, "", fmt.Sprintf("%d values on %v", values, p.place))
	}
}

// tries bounds how many brackets of a line are looked at for a message.
const tries = 8

// messageIn looks for a message that begins inside the text. An object that is no message
// is part of the log line around it. from is -1 if there is none.
func messageIn(p *pass, text []byte) (from, to int) {
	at := 0
	for range tries {
		n := bytes.IndexByte(text[at:], '{')
		if n < 0 {
			break
		}
		at += n
		if end, ok := valueEnd(text[at:]); ok {
			if m, err := p.codec().Parse(text[at : at+end]); err == nil && m != nil {
				return at, at + end
			}
		}
		at++
	}
	return -1, -1
}

// codec is the dialect's codec, or the strict one.
func (l *Linter) codec() message.Codec {
	if l.dialect.Codec == nil {
		return message.Strict
	}
	return l.dialect.Codec
}

// hint says what a fault at an offset of the text most likely comes from.
func hint(text []byte, at int) string {
	rest := text[min(at, len(text)):]
	before := bytes.TrimRight(text[:min(at, len(text))], " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte("NaN")), bytes.HasPrefix(rest, []byte("Infinity")), bytes.HasPrefix(rest, []byte("-Infinity")):
		return " (NaN and Infinity have no form in JSON; in Python json.dumps takes allow_nan=False)"
	case bytes.HasPrefix(rest, []byte("'")):
		return " (single quotes: was it printed with repr and not with a JSON library?)"
	case bytes.HasPrefix(rest, []byte("True")), bytes.HasPrefix(rest, []byte("False")), bytes.HasPrefix(rest, []byte("None")):
		return " (a word of Python: was it printed with repr and not with json.dumps?)"
	case bytes.HasPrefix(rest, []byte("undefined")):
		return " (a word of JavaScript; JSON.stringify leaves such members out)"
	case len(rest) > 0 && rest[0] < ' ':
		return fmt.Sprintf(` (it must be written as \u%04x)`, rest[0])
	case len(rest) == 0:
		return " (was it cut off, or is its end on the next line?)"
	case bytes.HasSuffix(before, []byte(",")) && (rest[0] == '}' || rest[0] == ']'):
		return " (a comma too many before it)"
	}
	return ""
}

// skipped reports a record that the reader passed over. Of most there is only a head, so
// that nothing but the reason can be told.
func (p *pass) skipped(err error) {
	skip, ok := errors.AsType[*frame.SkipError](err)
	switch {
	case !ok:
		p.reportAs(notJSON, 0, "", "not readable: "+err.Error())
	case errors.Is(err, frame.ErrTooLong):
		p.reportAs(overLimit, 0, "", fmt.Sprintf("%s bytes, and the limit is %s", thousands(skip.Size), thousands(skip.Limit)))
	case errors.Is(err, frame.ErrTruncated):
		p.reportAs(notJSON, 0, "", "the number or word may have lost its end: no white space follows it")
	case errors.Is(err, recording.ErrNotEntry):
		p.reportAs(notJSON, 0, "", "not an entry of the transcript: "+excerpt(skip.Head))
	default:
		p.reportAs(strayText, 0, "", "text outside of any record: "+excerpt(skip.Head))
	}
}

// badFraming reports the error that ended the reading. Where the input ends inside a
// record the framing was right, and the record is not whole.
func (l *Linter) badFraming(err error) {
	bad, ok := errors.AsType[*frame.FramingError](err)
	if !ok {
		return
	}
	p := pass{Linter: l, place: placeOf(bad.Pos), index: -1}
	l.last, l.bad = p.place, true
	stray, until := errors.Is(err, frame.ErrStray), int64(math.MaxInt64)
	if stray {
		until = bad.Pos.Offset
	}
	text := l.margin(bad.Pos.Record, until)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		if !text { // else the record is that text, which was reported
			p.reportAs(notJSON, 0, "", bad.Msg)
		}
		return
	}
	f := p.finding(wrongFraming, 0, "", "the "+bad.Framing.String()+" framing ends here: "+bad.Msg)
	if stray || text {
		f = f.advise("log to stderr: nothing behind such text can be read; if messages stand there, one a line, --framing lines reads them")
	}
	p.add(f)
}

// reportBOM reports the mark at the start of the input.
func (l *Linter) reportBOM() {
	p := pass{Linter: l, place: place{line: 1, lines: true}, index: -1}
	p.reportAs(byteOrderMark, 0, "", "a byte order mark (EF BB BF) before the first message")
}

// excerptSize is how many bytes of a text a message shows.
const excerptSize = 48

// excerpt returns the start of a text in quotes, with all escaped that a terminal could
// obey. It does not cut a character in two.
func excerpt(text []byte) string {
	text = bytes.TrimSpace(text)
	more := ""
	if n := excerptSize; len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text, more = text[:n], "…"
	}
	return `"` + term.Escape(string(text)) + more + `"`
}

// quoted returns a name in quotes for a message, cut if it is long.
func quoted(name string) string { return excerpt([]byte(name)) }

// plural returns "1 request" or "2 requests".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}
