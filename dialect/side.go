package dialect

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// SniffSide tells by the first records of a stream, of which nobody noted who wrote them,
// whether they are of one side alone, such as what a server wrote to its stdout. Why says
// so in words. It is SideUnknown if they seem to be of both, or if nothing tells:
//
//   - Words that only a server has, and none that only a client has, are of a server: one
//     that is asked nothing says nothing. The other way round proves nothing, since many
//     servers do nothing but answer.
//   - A client that goes on before its initialize is answered is alone.
//   - An answer that comes before any call is of a server, whose client is not there.
func SniffSide(d parley.Dialect, records [][]byte) (side parley.Side, why string) {
	codec := d.Codec
	if codec == nil {
		codec = message.Strict
	}
	from := make(map[string]parley.Side, len(d.Words))
	for _, w := range d.Words {
		from[w.Method] = w.From
	}
	var s sides
	for _, rec := range records {
		m, err := codec.Parse(rec)
		switch {
		case err != nil:
			if kind, _ := message.PeekWith(codec, rec); kind == message.KindCall {
				s.calls++ // it is no good one, or only its head
			}
		case m != nil:
			s.take(from, m)
		}
	}
	switch {
	case s.words[parley.SideServer] > 0 && s.words[parley.SideClient] == 0:
		return parley.SideServer, "all methods here are a server's"
	case s.alone && s.words[parley.SideServer] == 0:
		return parley.SideClient, "the client goes on before its initialize is answered"
	case s.answered && s.words[parley.SideClient] == 0:
		return parley.SideServer, "it begins with an answer"
	}
	return parley.SideUnknown, ""
}

// sides is what a number of records tell.
type sides struct {
	words    [3]int     // how many are of a side by their method
	greeting message.ID // of initialize, until it is answered or somebody goes on
	alone    bool       // somebody went on
	calls    int
	answered bool // the first of all was an answer
}

// take notes one message.
func (s *sides) take(from map[string]parley.Side, m message.Message) {
	switch m := m.(type) {
	case *message.Request:
		side := from[m.Method]
		s.words[side]++
		if side == parley.SideClient {
			s.alone = s.alone || !s.greeting.IsZero()
		}
		if m.IsNote() {
			return
		}
		s.calls++
		if m.Method == "initialize" {
			s.greeting = m.ID
		}
	case *message.Response:
		s.answered = s.answered || s.calls == 0
		if m.ID == s.greeting {
			s.greeting = message.ID{}
		}
	case message.Batch:
		for _, one := range m {
			s.take(from, one)
		}
	case *message.ParseError:
	}
}
