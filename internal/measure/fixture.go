package measure

import (
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// The bounds of [Options.Size], in bytes. Below the least there is no room for the
// members; the most keeps a run within seconds.
const (
	MinSize = 80
	MaxSize = 8 << 20
)

// A document is the params of the request that is measured, and its result: what an
// editor or an agent sends all day, a few small members and a text.
type document struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Saved bool   `json:"saved"`
	Text  string `json:"text"`
}

// The methods of the server that is measured.
const (
	echo    parley.Method[document, document]       = "echo"
	nothing parley.Method[message.Raw, message.Raw] = "nothing"
)

// textLine is what the text of a document repeats. Like the lines of most files that
// go through JSON it has something to escape in every 20 bytes.
const textLine = "return f(x, \"y\")\n"

// newDocument returns a document of just size bytes of JSON.
func newDocument(size int) (document, error) {
	doc := document{Path: "src/main.go", Line: 12, Saved: true}
	empty, err := message.Encode(doc)
	if err != nil {
		return doc, err
	}
	line, err := message.Encode(textLine)
	if err != nil {
		return doc, err
	}
	left, each := size-len(empty), len(line)-len(`""`) // in bytes of JSON, escapes included
	if size < MinSize || size > MaxSize {
		return doc, fmt.Errorf("measure: a size of %d bytes: want %d to %d", size, MinSize, MaxSize)
	}
	doc.Text = strings.Repeat(textLine, left/each) + strings.Repeat("x", left%each)
	return doc, nil
}

// A fixture is one request and its answer, in all the forms that the layers give them.
type fixture struct {
	doc     document    // params and result as a handler has them
	params  message.Raw // and as they are on the wire
	id      message.ID
	request []byte // the record of the request
	sent    []byte // and its line, LF included
	answer  []byte // the record of the answer
	replied []byte // and its line

	made []byte // what an op makes, so that the compiler cannot leave the making out
}

// newFixture makes each form by the layer that makes it on the wire, too.
func newFixture(size int) (*fixture, error) {
	doc, err := newDocument(size)
	if err != nil {
		return nil, err
	}
	f := &fixture{doc: doc, id: message.IntID(1)}
	if f.params, err = message.Encode(doc); err != nil {
		return nil, err
	}
	f.request, f.sent, err = lineOf(&message.Request{ID: f.id, Method: string(echo), Params: f.params})
	if err != nil {
		return nil, err
	}
	f.answer, f.replied, err = lineOf(&message.Response{ID: f.id, Result: f.params})
	return f, err
}

// lineOf returns the record of m, and the record with its LF.
func lineOf(m message.Message) (rec, line []byte, err error) {
	if rec, err = message.Strict.Append(nil, m); err != nil {
		return nil, nil, err
	}
	line, err = frame.Lines.Append(nil, rec)
	return rec, line, err
}
