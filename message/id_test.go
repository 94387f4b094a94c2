package message

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

// An id is the text that it was written with, and two are equal if their texts are.
func TestIDKeepsItsText(t *testing.T) {
	texts := []string{
		`0`, `-0`, `1`, `-1`, `1.0`, `1e0`, `1E0`, `"1"`, `"1.0"`, `null`, `"null"`, `""`, `"a"`, `"\u0061"`, `"\ud83d"`,
		`9007199254740993`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `-9223372036854775809`,
		`99999999999999999999`, `12345678901234567890123`, `3.14`, `1e999999999`, `"` + strings.Repeat("x", 1000) + `"`,
	}
	seen := map[ID]string{}
	for _, text := range texts {
		id, err := ParseID([]byte(text))
		if err != nil {
			t.Errorf("ParseID(%s): %v", text, err)
			continue
		}
		if id.String() != text || string(id.Append(nil)) != text {
			t.Errorf("the id %s came out as %s and %s", text, id, id.Append(nil))
		}
		if other, ok := seen[id]; ok {
			t.Errorf("the ids %s and %s are equal", text, other)
		}
		seen[id] = text
		again, _ := ParseID([]byte(text))
		if seen[again] != text {
			t.Errorf("the id %s is not equal to itself", text)
		}
		encoded, err := json.Marshal(struct{ ID ID }{id})
		if want := `{"ID":` + text + `}`; err != nil || string(encoded) != want {
			t.Errorf("json.Marshal: %s, %v; want %s", encoded, err, want)
		}
		var decoded struct{ ID ID }
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded.ID != id {
			t.Errorf("json.Unmarshal(%s) = %v, %v", encoded, decoded.ID, err)
		}
	}
}

func TestParseIDRefuses(t *testing.T) {
	for _, text := range []string{
		``, ` `, `1 `, ` 1`, `01`, `+1`, `1.`, `.5`, `1e`, `-`, `"a`, `"a"b`, `"\x"`, "\"\xff\"", `nul`, `nulll`, `true`, `{}`, `[]`, `[1]`, `1,2`, "\"\n\"",
		strings.Repeat("\xb8", 100), // once an index out of range, in the making of the error
	} {
		if id, err := ParseID([]byte(text)); err == nil {
			t.Errorf("ParseID(%q) = %v, want an error", text, id)
		}
		if err := new(ID).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("UnmarshalJSON(%q): want an error", text)
		}
	}
}

func TestIDForms(t *testing.T) {
	tests := []struct {
		id             ID
		text           string
		zero, null, st bool
	}{
		{ID{}, ``, true, false, false},
		{NullID, `null`, false, true, false},
		{IntID(0), `0`, false, false, false},
		{IntID(math.MinInt64), `-9223372036854775808`, false, false, false},
		{StringID(""), `""`, false, false, true},
		{StringID("null"), `"null"`, false, false, true},
		{StringID("a\"\u2028\xff<"), `"a\"\u2028` + "\ufffd" + `<"`, false, false, true},
	}
	for _, test := range tests {
		id := test.id
		if id.String() != test.text || id.IsZero() != test.zero || id.IsNull() != test.null || id.IsString() != test.st {
			t.Errorf("id %q: zero %v, null %v, string %v; want %+v", id, id.IsZero(), id.IsNull(), id.IsString(), test)
		}
		if test.zero {
			continue
		}
		if parsed, err := ParseID([]byte(test.text)); err != nil || parsed != id {
			t.Errorf("ParseID(%s) = %v, %v; want an equal id", test.text, parsed, err)
		}
	}
	if text, err := json.Marshal(ID{}); err != nil || string(text) != "null" {
		t.Errorf("an absent id is encoded as %s, %v; want null", text, err)
	}
}

func TestIDText(t *testing.T) {
	if text, ok := mustID(t, `"\u0061\n\ud83d"`).Text(); !ok || text != "a\n\ufffd" {
		t.Errorf("Text() = %q, %v", text, ok)
	}
	for _, id := range []ID{{}, NullID, IntID(1)} {
		if text, ok := id.Text(); ok {
			t.Errorf("Text() of %q = %q, want none", id, text)
		}
	}
}

func mustID(t testing.TB, text string) ID {
	t.Helper()
	id, err := ParseID([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestIDInteger(t *testing.T) {
	integers := map[string]int64{
		`1`: 1, `1.0`: 1, `1e0`: 1, `"1"`: 1, `"1.0"`: 1, `10e-1`: 1, `0.01e2`: 1, `100.00`: 100, `1.5e1`: 15, `-0`: 0, `-0.0e99999999999999999999`: 0,
		`"\u0031"`: 1, `9.223372036854775807e18`: math.MaxInt64, `-9223372036854775808.0`: math.MinInt64, `1e18`: 1e18, `-7.0`: -7,
		`1` + strings.Repeat("0", 30) + `e-30`: 1,
	}
	for text, want := range integers {
		if got, ok := mustID(t, text).Integer(); !ok || got != want {
			t.Errorf("Integer() of %s = %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{
		`1.5`, `"x"`, `""`, `" 1"`, `"+1"`, `"01"`, `"0x1"`, `null`, `"null"`, `9223372036854775808`, `-9223372036854775809`, `1e19`, `1e-1`,
		`1e999999999`, `-1e-999999999`, `1e9999999999999999999`, `12345678901234567890123`,
	} {
		if got, ok := mustID(t, text).Integer(); ok {
			t.Errorf("Integer() of %s = %d, want none", text, got)
		}
	}
	if _, ok := (ID{}).Integer(); ok {
		t.Error("an absent id has no value")
	}
}

// Each group is ids of one value; ids of different groups have different values.
var valueGroups = [][]string{
	{`1`, `1.0`, `1e0`, `10E-1`, `0.1e+1`, `"1"`, `"1.0"`, `"\u0031"`, `0.0001e4`, `1000.00e-3`},
	{`-1`, `"-1.0"`, `-10e-1`},
	{`0`, `-0`, `0.0`, `0e5`, `"0"`, `-0.000E-12345678901234567890`},
	{`12345678901234567890123`, `1.2345678901234567890123e22`, `"12345678901234567890123.000"`},
	{`12345678901234567890124`},
	{`9007199254740993`, `9007199254740993.0`}, {`9007199254740992`},
	{`0.1`, `1e-1`, `"1e-1"`}, {`0.10000000000000000000001`},
	{`1e999999999`, `10e999999998`, `"0.1e1000000000"`},
	{`1e999999999999999999999`, `"1e999999999999999999999"`}, {`10e999999999999999999998`}, // beyond 18 digits only the text counts
	{`null`}, {`"null"`}, {`""`}, {`" 1"`}, {`"01"`},
	{`"a"`, `"\u0061"`}, {`"A"`},
	{`"\ud83d"`}, {`"\ud83e"`},
	{`101`}, {`1001`}, {`1.01`}, {`10.1`},
}

func TestSameValue(t *testing.T) {
	type member struct {
		group int
		id    ID
	}
	var all []member
	for i, group := range valueGroups {
		for _, text := range group {
			all = append(all, member{i, mustID(t, text)})
		}
	}
	for _, a := range all {
		for _, b := range all {
			if got, want := a.id.SameValue(b.id), a.group == b.group; got != want {
				t.Errorf("SameValue of %s and %s = %v, want %v", a.id, b.id, got, want)
			}
		}
		if a.id.SameValue(ID{}) || (ID{}).SameValue(a.id) {
			t.Errorf("%s has the value of an absent id", a.id)
		}
	}
	if (ID{}).SameValue(ID{}) {
		t.Error("an absent id has no value, so it is not the same as another")
	}
}

// A short text with a huge exponent takes no time or memory to speak of. A version that
// multiplies out does not come back from this test.
func TestSameValueIsBounded(t *testing.T) {
	huge, other := mustID(t, `1e999999999`), mustID(t, `10e999999998`)
	if allocs := testing.AllocsPerRun(10, func() {
		huge.SameValue(other)
		huge.Integer()
	}); allocs > 20 {
		t.Errorf("%v allocations, want a few", allocs)
	}
	done := make(chan bool, 1)
	go func() { done <- huge.SameValue(other) }()
	select {
	case same := <-done:
		if !same {
			t.Errorf("%s and %s are not the same", huge, other)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("SameValue is still busy")
	}
}

// TestCanonical says that there is one id for each value, and that it is its own.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		`1`: `1`, `1.0`: `1`, `"1"`: `1`, `"1.0"`: `1`, `10e-1`: `1`, `-0`: `0`,
		`0.5`: `5e-1`, `5e-1`: `5e-1`, `"0.50"`: `5e-1`, `-12.50`: `-125e-1`,
		`12345678901234567890123`: `12345678901234567890123e0`,
		`"a"`:                     `"a"`, `"\u0061"`: `"a"`, `"1a"`: `"1a"`, `""`: `""`, `"-"`: `"-"`,
		`null`: `null`, `"null"`: `"null"`, `"\ud800"`: `"\ud800"`,
		`1e99999999999999999999`: `1e99999999999999999999`,
	} {
		id, err := ParseID([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := id.Canonical(); got.String() != want || got.Canonical() != got {
			t.Errorf("the canonical id of %s is %s, and of that %s; want %s", text, got, got.Canonical(), want)
		}
	}
}

// FuzzCanonical says that canonical ids are equal exactly where values are the same.
func FuzzCanonical(f *testing.F) {
	for _, pair := range [][2]string{{`1`, `"1.0"`}, {`"a"`, `"\u0061"`}, {`0.1`, `1e-1`}, {`"\ud800"`, `"\ud801"`}, {`null`, `"null"`}, {`"�"`, `"�"`}, {`"1e0000000000000000000000"`, `1`}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := ParseID([]byte(a))
		y, errY := ParseID([]byte(b))
		if errX != nil || errY != nil {
			return
		}
		if same := x.SameValue(y); same != (x.Canonical() == y.Canonical()) {
			t.Errorf("SameValue(%s, %s) is %v; the canonical ids are %s and %s", x, y, same, x.Canonical(), y.Canonical())
		}
	})
}
