package recording

import (
	"bytes"
	"errors"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
)

// found is what the first bytes of a recording say about it.
type found struct {
	shape   Shape
	framing frame.Framing
	why     string
	text    int  // bytes before it that are lines of text
	open    bool // it may still turn out to be something else
}

// isLines reports whether it is a stream of lines, which can hold any text.
func (f *found) isLines() bool { return f.shape == ShapeRaw && f.framing == frame.Lines }

// byteOrderMark is what some editors and shells put in front of UTF-8.
var byteOrderMark = []byte("\xEF\xBB\xBF")

// sniff looks at the input until there is no doubt left, and no further: whoever has
// written one line and waits for something is not kept waiting. Lines of text leave it
// open what comes behind them, and are returned at once. Where the input ends or breaks
// in doubt, the best guess counts, and whoever reads next meets the same end. raw says
// that the shape is known to be ShapeRaw. The error is a [*dialect.ForeignError].
func (s *source) sniff(raw bool) (found, error) {
	var f found
	err := s.look(func(all bool) (ok bool, err error) {
		f, err = look(s.head, all, raw)
		return !f.open || f.text > s.given, err
	})
	return f, err
}

// look has enough look at the head until that is enough, which it is at the end of the
// input at the latest.
func (s *source) look(enough func(all bool) (bool, error)) error {
	seen := 0 // bytes at the last look
	for {
		all := !s.more()
		// Each look starts over, and many small pieces must not cost their square. A line
		// end is worth a look at once, since it is what most doubts end with.
		if !all && len(s.head)-seen < seen/16 && bytes.IndexByte(s.head[seen:], '\n') < 0 {
			continue
		}
		seen = len(s.head)
		if ok, err := enough(all); ok || all || err != nil {
			return err
		}
	}
}

// look tells what head says. all says that there are no more bytes to be had, and leaves
// nothing open.
func look(head []byte, all, raw bool) (found, error) {
	guess, err := dialect.SniffFraming(head)
	if err != nil && !errors.Is(err, dialect.ErrShort) {
		return found{}, err
	}
	f := found{ShapeRaw, guess.Framing, guess.Why, guess.Text, err != nil && !all}
	if raw {
		return f, nil
	}
	switch is := arrayBegins(begin(head)); {
	case is == arrayOfMany, f.framing == frame.Concat && (is == arrayOfOne || all && is == arrayMaybe):
		return found{ShapeArray, frame.Concat, "it begins with an array that goes over several lines", 0, false}, nil
	case is == arrayMaybe:
		f.open, f.text = !all, 0
		return f, nil
	}
	start := begin(head[f.text:])
	if len(start) == 0 || start[0] != '{' || f.framing != frame.Lines {
		return f, nil
	}
	line, _, whole := bytes.Cut(start, []byte{'\n'})
	if (whole || all) && isEntry(line, whole) {
		return found{ShapeTranscript, frame.Lines, "the first line is an object with dir and raw", f.text, false}, nil
	}
	// Lines are settled with the end of the first, which may still become an entry.
	f.open = f.open || !whole && !all
	return f, nil
}

// begin is the text behind a byte order mark and white space.
func begin(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
}

// An arrayness says whether a text begins with an array over several lines.
type arrayness uint8

const (
	arrayNot   arrayness = iota
	arrayMaybe           // it may: its first element has not ended
	arrayOfOne           // it has no second element, and is one if its element is sound
	arrayOfMany
)

// arrayBegins tells whether text is an array over several lines: its first line is sound and
// leaves the array open, and a second element follows the first. What is in the elements
// is not looked at.
func arrayBegins(text []byte) arrayness {
	line, _, ended := bytes.Cut(text, []byte{'\n'})
	if len(text) == 0 || text[0] != '[' || !ended {
		return arrayNot
	}
	var lex lexer
	for _, c := range line {
		if lex.step(c) != stepMore {
			return arrayNot
		}
	}
	var e elements
	for _, c := range text {
		switch _, ok := e.step(c); {
		case !ok:
			return arrayNot
		case e.state == nextElement:
			return arrayOfMany
		case e.state == afterArray:
			return arrayOfOne
		}
	}
	return arrayMaybe
}

// isEntry reports whether line is that of a transcript. A line too long to be looked at
// as a whole may lack its raw, which is the long part of it.
func isEntry(line []byte, whole bool) bool {
	var rec Record
	text, known := rec.fill(line)
	if rec.Process != "" && !IsProcess(rec.Process) && !rec.Timed {
		return false // any event may have a dir and a raw of its own
	}
	if whole {
		return known && isString(text) && jsonx.Valid(line)
	}
	return known && (isString(text) || len(text) == 0 && rec.Timed)
}

// entryFirst reports whether the input begins with an entry of a transcript, for whoever
// knows that values stand end to end.
func (s *source) entryFirst() bool {
	is := false
	_ = s.look(func(all bool) (bool, error) { // which gives no error
		start := begin(s.head)
		if len(start) == 0 || start[0] != '{' {
			return len(start) > 0, nil
		}
		var lex lexer
		for i, c := range start {
			if next := lex.step(c); next != stepMore {
				is = next == stepDone && isEntry(start[:i+1], true)
				return true, nil
			}
		}
		is = all && isEntry(start, false)
		return false, nil
	})
	return is
}
