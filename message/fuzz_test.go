package message

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// addRecords seeds a fuzz test with the records of the other tests.
func addRecords(f *testing.F, add func(rec []byte)) {
	for _, test := range parseTests {
		add([]byte(test.rec))
	}
	add([]byte(smallRequest))
	add([]byte(smallResponse))
	add([]byte(nested(70)))
	files, err := filepath.Glob("testdata/cases/*.in")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases to begin with: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if len(line) < 1000 {
				add(line)
			}
		}
	}
}

// Parse never panics and never writes to its record. It takes for JSON what
// encoding/json does, if that is UTF-8; what it accepts survives a relay; and what it
// refuses is refused by the rules.
func FuzzParse(f *testing.F) {
	addRecords(f, func(rec []byte) { f.Add(rec) })
	f.Fuzz(func(t *testing.T, rec []byte) {
		if bytes.Count(rec, []byte("["))+bytes.Count(rec, []byte("{")) >= maxDepth {
			return // TestDepth has the bound; encoding/json has it in another place
		}
		before := bytes.Clone(rec)
		valid := utf8.Valid(rec) && json.Valid(rec)
		for _, codec := range []Codec{Strict, Bare} {
			m, err := codec.Parse(rec)
			if !bytes.Equal(rec, before) {
				t.Fatal("Parse wrote to its record")
			}
			if err != nil {
				checkRefusal(t, rec, err, valid)
				continue
			}
			if !valid {
				t.Fatalf("Parse took %q for JSON", rec)
			}
			checkRelay(t, codec, m)
		}
		if m, err := Strict.Parse(rec); err == nil {
			if _, batch := m.(Batch); !batch {
				bare, err := Bare.Parse(rec)
				if diff := cmp.Diff(m, bare, sameMessages); err != nil || diff != "" {
					t.Fatalf("Bare differs from Strict: %v\n%s", err, diff)
				}
			}
		}
	})
}

// checkRefusal checks what holds for every refusal of a whole record.
func checkRefusal(t *testing.T, rec []byte, err error, valid bool) {
	t.Helper()
	var p *ParseError
	if !errors.As(err, &p) {
		t.Fatalf("Parse: a %T, want a *ParseError", err)
	}
	if got := !errors.Is(p, ParseFailed); got != valid {
		t.Fatalf("Parse(%q): %v, but encoding/json says valid is %v", rec, p, valid)
	}
	if !valid && (p.Kind != KindUnknown || !p.ID.IsZero()) {
		t.Fatalf("Parse(%q): %v %v of text that is not JSON", rec, p.Kind, p.ID)
	}
	if p.Offset < 0 || p.Offset > int64(len(rec)) || p.Reason == "" {
		t.Fatalf("Parse(%q): offset %d, reason %q", rec, p.Offset, p.Reason)
	}
	var members map[string]any
	if valid && json.Unmarshal(rec, &members) == nil {
		_, result := members["result"]
		_, failure := members["error"]
		if (result || failure) && p.Answerable() {
			t.Fatalf("Parse(%q): a record with a result or an error would be answered", rec)
		}
	}
}

// checkRelay checks that a message comes out of Append and Parse as it went in.
func checkRelay(t *testing.T, codec Codec, m Message) {
	t.Helper()
	if batch, ok := m.(Batch); ok {
		for _, member := range batch {
			if _, refused := member.(*ParseError); refused {
				return // not a thing to be written
			}
		}
	}
	text, err := codec.Append(nil, m)
	if err != nil {
		t.Fatalf("Append: %v", err)
	}
	again, err := codec.Parse(text)
	if diff := cmp.Diff(m, again, sameMessages); err != nil || diff != "" {
		t.Fatalf("the message came back from %s as another: %v\n%s", text, err, diff)
	}
}

// A maker makes messages of fuzz data. It is built so that every message can be
// reached.
type maker struct{ data []byte }

func (mk *maker) byte() byte {
	if len(mk.data) == 0 {
		return 0
	}
	b := mk.data[0]
	mk.data = mk.data[1:]
	return b
}

// text returns a string, which need not be UTF-8.
func (mk *maker) text() string {
	n := min(int(mk.byte()), len(mk.data))
	s := string(mk.data[:n])
	mk.data = mk.data[n:]
	return s
}

// raw returns JSON text: the fuzz data itself if that is JSON, else a string of it.
func (mk *maker) raw() Raw {
	s := mk.text()
	if jsonx.Valid([]byte(s)) {
		return Raw(strings.Trim(s, " \t\r\n"))
	}
	return Raw(jsonx.AppendQuote(nil, s))
}

func (mk *maker) id() ID {
	switch mk.byte() % 4 {
	case 0:
		return IntID(int64(int8(mk.byte())))
	case 1:
		return NullID
	case 2:
		if id, err := ParseID(mk.raw()); err == nil {
			return id
		}
	}
	return StringID(mk.text())
}

func (mk *maker) members() (all []Member) {
	for range mk.byte() % 4 {
		// The space keeps clear of the names of the envelope.
		all = append(all, Member{Name: " " + clean(mk.text()), Value: mk.raw()})
	}
	return all
}

func (mk *maker) message() Message {
	switch mk.byte() % 8 {
	case 0, 1:
		r := &Request{Method: clean(mk.text()), Extra: mk.members()}
		if mk.byte()%2 == 0 {
			r.ID = mk.id()
		}
		if p := mk.raw(); p[0] == '[' || p[0] == '{' {
			r.Params = p
		}
		return r
	case 2, 3:
		return &Response{ID: mk.id(), Result: mk.raw(), Extra: mk.members()}
	case 4, 5:
		e := &Error{Code: Code(int8(mk.byte())), Message: clean(mk.text()), Extra: mk.members()}
		if mk.byte()%2 == 0 {
			e.Data = mk.raw()
		}
		return &Response{ID: mk.id(), Error: e, Extra: mk.members()}
	}
	var batch Batch
	for range 1 + mk.byte()%3 {
		if m := mk.message(); m != nil {
			if _, nested := m.(Batch); !nested {
				batch = append(batch, m)
			}
		}
	}
	if len(batch) == 0 {
		return &Request{Method: "alone"}
	}
	return batch
}

// clean returns s the way it comes back: each byte that is not UTF-8 as U+FFFD.
func clean(s string) string { return string([]rune(s)) }

// Parse(Append(m)) is m, for both codecs, and a record is one line of JSON if the Raw
// in it are.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("\x00\x03sum\x01\x05trace\x01x\x00\x02\x0512.00\x05[1,2]"))
	f.Add([]byte("\x02\x02\x041e99\x0b{\"a\" : null}\x00"))
	f.Add([]byte("\x04\xff\x04boom\x01\x02hi\x03tru\x00\x04true\x03\x03abc"))
	f.Add([]byte("\x06\x02\x01\x01a\x00\x00\x01\x02{}\x02\x01\x02\x04null\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := (&maker{data}).message()
		for _, codec := range []Codec{Strict, Bare} {
			checkRelay(t, codec, m)
			text, _ := codec.Append(nil, m)
			if line := OneLine(nil, text); bytes.ContainsAny(line, "\r\n") || !jsonx.Valid(line) {
				t.Fatalf("%q is not a line of JSON", line)
			}
		}
	})
}

// An id keeps its text, and its value is that of an exact reading of the number.
func FuzzID(f *testing.F) {
	for _, group := range valueGroups {
		for _, text := range group {
			f.Add([]byte(text), []byte(group[0]))
			f.Add([]byte(text), []byte("1"))
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if s := string(a); !strings.ContainsRune(clean(s), '\uFFFD') {
			if text, ok := StringID(s).Text(); !ok || text != s {
				t.Fatalf("StringID(%q) says %q", s, text)
			}
		}
		id, err := ParseID(a)
		scalar := jsonx.Valid(a) && strings.IndexByte(`"-0123456789n`, a[0]) >= 0 && strings.IndexByte(" \t\r\n", a[len(a)-1]) < 0
		if scalar != (err == nil) {
			t.Fatalf("ParseID(%q): %v; want an id: %v", a, err, scalar)
		}
		if err != nil {
			return
		}
		if id.String() != string(a) || id.IsZero() || !id.SameValue(id) {
			t.Fatalf("the id %s came out as %s", a, id)
		}
		if n, ok := id.Integer(); ok && !id.SameValue(IntID(n)) {
			t.Fatalf("the id %s is %d, but not of the same value", id, n)
		}
		other, err := ParseID(b)
		if err != nil {
			return
		}
		if (id == other) != bytes.Equal(a, b) {
			t.Fatalf("%s == %s is %v", id, other, id == other)
		}
		same := id.SameValue(other)
		if same != other.SameValue(id) {
			t.Fatalf("SameValue of %s and %s depends on the order", id, other)
		}
		x, xOK := exact(id)
		y, yOK := exact(other)
		if xOK && yOK && same != (x.Cmp(y) == 0) {
			t.Fatalf("SameValue of %s and %s = %v", id, other, same)
		}
	})
}

// exact reads an id as a fraction, if it is a number of a size that big.Rat can take.
func exact(id ID) (*big.Rat, bool) {
	text := id.plain()
	if !json.Valid([]byte(text)) || len(text) > 100 {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// What Peek says of the first bytes of a message does not contradict the whole of it.
// Only a note may turn out to be a call, as the id may come last.
func FuzzPeek(f *testing.F) {
	addRecords(f, func(rec []byte) { f.Add(rec, uint(len(rec)/2)) })
	f.Fuzz(func(t *testing.T, rec []byte, cut uint) {
		m, err := Bare.Parse(rec)
		if err != nil {
			Peek(rec[:cut%uint(len(rec)+1)]) // does not panic
			return
		}
		kind, id := KindBatch, ID{}
		switch m := m.(type) {
		case *Request:
			if kind, id = KindCall, m.ID; m.IsNote() {
				kind = KindNote
			}
		case *Response:
			kind, id = KindReply, m.ID
		}
		for _, end := range []uint{cut % uint(len(rec)+1), uint(len(rec))} {
			gotKind, gotID := Peek(rec[:end])
			if !gotID.IsZero() && gotID != id {
				t.Fatalf("Peek(%q) has the id %s, the message %s", rec[:end], gotID, id)
			}
			if gotKind != KindUnknown && gotKind != kind && !(gotKind == KindNote && kind == KindCall) {
				t.Fatalf("Peek(%q) = %v, the message is a %v", rec[:end], gotKind, kind)
			}
		}
		if gotKind, gotID := Peek(rec); gotKind != kind || gotID != id {
			t.Fatalf("Peek of the whole %q = %v %v, want %v %v", rec, gotKind, gotID, kind, id)
		}
	})
}

// OneLine makes one line of any JSON, and the same JSON.
func FuzzOneLine(f *testing.F) {
	addRecords(f, func(rec []byte) { f.Add(rec) })
	f.Add([]byte("{\n\"a\\\"\\\\\": [1,\r\n2]\n}\n"))
	f.Fuzz(func(t *testing.T, rec []byte) {
		line := OneLine(nil, rec)
		if len(line) != len(rec) {
			t.Fatalf("OneLine(%q) has another length", rec)
		}
		if !json.Valid(rec) {
			return
		}
		if bytes.ContainsAny(line, "\r\n") {
			t.Fatalf("OneLine(%q) = %q", rec, line)
		}
		var want, got bytes.Buffer
		json.Compact(&want, rec)
		if err := json.Compact(&got, line); err != nil || got.String() != want.String() {
			t.Fatalf("OneLine(%q) = %q, which is other JSON: %v", rec, line, err)
		}
	})
}
