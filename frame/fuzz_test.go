package frame

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// roundTrip holds a framing to its law, Read(Append(x)) == x, for three records in
// a row of which some may be refused.
func roundTrip(f *testing.F, framing Framing, refusable func(rec string) bool) {
	for _, text := range []string{
		"", "a", "{}", " {} ", "{}\n", "{\n}", "a\r", "\r", "a\nb", "\uFEFF", "\uFEFF{}", "\x1e", "1", "-1.5e+3 ", "tru", "true",
		`"a\"b"`, `"`, `"\`, `{"a":"}"}`, "{]", "]", "[[]", "{}{}", "1 2", "1\n2", "nope", "\u2028", "\xff\xfe", "Content-Length: 1\r\n\r\n",
	} {
		f.Add([]byte(text), []byte("[1]"), []byte(text), uint64(len(text)))
	}
	f.Fuzz(func(t *testing.T, a, b, c []byte, seed uint64) {
		var data []byte
		var want []string
		for _, rec := range [][]byte{a, b, c} {
			longer, err := framing.Append(data, rec)
			if err == nil {
				want = append(want, string(rec))
			} else if _, ok := errors.AsType[*RefusedError](err); !ok || len(longer) != len(data) || !refusable(string(rec)) {
				t.Fatalf("Append(%q) refuses without a reason: %v", rec, err)
			}
			data = longer
		}
		for how, in := range feeds(string(data), seed) {
			var got []string
			for _, o := range readAll(t, framing, in) {
				if o.Err == "" {
					got = append(got, o.Rec)
				} else if o.Err != "EOF" {
					t.Fatalf("%s: %q gives %+v", how, data, o)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %q (-want +got):\n%s", how, data, diff)
			}
		}
	})
}

func FuzzLines(f *testing.F) {
	roundTrip(f, Lines, func(rec string) bool {
		return strings.Contains(rec, "\n") || strings.Trim(rec, " \t\r") == "" || strings.HasPrefix(rec, "\uFEFF")
	})
}

func FuzzHeader(f *testing.F) {
	roundTrip(f, Header, func(string) bool { return false })
}

func FuzzConcat(f *testing.F) {
	// What is refused must not come back as one record that ends the input.
	roundTrip(f, Concat, func(rec string) bool {
		got, err := Concat.Read(NewReader(strings.NewReader(rec + "\n")))
		return err != nil || string(got) != rec
	})
}

func FuzzSeq(f *testing.F) {
	roundTrip(f, Seq, func(rec string) bool {
		got, err := Seq.Read(NewReader(strings.NewReader("\x1e" + rec + "\n")))
		return err != nil || string(got) != rec
	})
}

// readAnything holds a framing to what is true of any bytes: reading them ends,
// costs no more than the limit, and gives the same however they are cut.
func readAnything(f *testing.F, framing Framing, seeds ...string) {
	for _, text := range append(seeds, "", "\uFEFF", "\xEF\xBB", "\n\r\n", `{"a":[1,"\""]}`, strings.Repeat("x", 100), strings.Repeat(" ", 100)) {
		f.Add([]byte(text), uint64(len(text)))
		f.Add(bytes.Repeat([]byte(text+"\n"), 3), uint64(len(text)))
	}
	framing = framing.Limit(32)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		var want []outcome
		for how, in := range feeds(string(data), seed) {
			got := readAll(t, framing, in)
			if want == nil {
				want = got
				checkSizes(t, data, got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-whole +%s):\n%s", how, how, diff)
			}
		}
	})
}

// checkSizes checks that the outcomes fit into data, each where it says to be.
func checkSizes(t *testing.T, data []byte, all []outcome) {
	var end int64
	for i, o := range all[:len(all)-1] {
		text := o.Rec
		size := int64(len(text))
		if o.Err != "" {
			text, size = o.Head, o.Size
		}
		if o.Pos.Record != int64(i+1) || o.Pos.Offset < end || o.Pos.Offset+size > int64(len(data)) {
			t.Fatalf("outcome %d, %+v, does not fit into %d bytes behind %d", i, o, len(data), end)
		}
		if !bytes.HasPrefix(data[o.Pos.Offset:], []byte(text)) {
			t.Fatalf("outcome %d, %+v, is not what stands there", i, o)
		}
		end = o.Pos.Offset + size
	}
}

func FuzzReadLines(f *testing.F) {
	readAnything(f, Lines, "a\nb\r\n\n c", strings.Repeat("x", 32)+"\r", strings.Repeat("x", 32)+"\r\r")
}

func FuzzReadHeader(f *testing.F) {
	readAnything(f, Header, "Content-Length: 2\r\n\r\n{}", "content-type: a; charset=\"utf8\"\nContent-Length: 33\n\n"+strings.Repeat("x", 33),
		"Content-Length: 99999999999999999999\r\n\r\n", "a: b\r\n", ":\n", strings.Repeat("a: b\n", 2000))
}

func FuzzReadConcat(f *testing.F) {
	readAnything(f, Concat, `{}[]"a"1 true`, `{"a":"\\"}{`, "]", "1,2", "[[[[", `"`+strings.Repeat("x", 40)+`"1`)
}

func FuzzReadSeq(f *testing.F) {
	readAnything(f, Seq, "\x1e{}\n\x1e[]\n", "a\x1e1\x1e2 \x1e\x1e", "\x1e{}\nx\x1e\"\x1e", "\x1e1 2\n3\x1e"+strings.Repeat("9", 40)+"\x1e")
}
