package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// membersOf tells what EachMember reports: "0:name=value" for each member, then the
// refusal.
func membersOf(text string) (got []string) {
	bad := EachMember([]byte(text), func(at int, name []byte, value Raw) {
		got = append(got, fmt.Sprintf("%d:%s=%s", at, name, value))
	})
	if bad != nil {
		got = append(got, fmt.Sprintf("%d %v at %d", bad.Err.Code, bad.Kind, bad.Offset))
	}
	return got
}

func TestEachMember(t *testing.T) {
	for _, test := range []struct {
		rule, text string
		want       []string
	}{
		{"members come in order, with the text of their values", `{"a":1.0, "b" : [ 1 ]}`, []string{"5:a=1.0", "16:b=[ 1 ]"}},
		{"white space around the object is none of its members'", " {\"a\":1}\r\n", []string{"6:a=1"}},
		{"a name counts by what it says", `{"\u0074ype":"x"}`, []string{`13:type="x"`}},
		{"a name that is given twice comes twice", `{"a":1,"a":2}`, []string{"5:a=1", "11:a=2"}},
		{"an object may be empty", `{ }`, nil},
		{"half a number is no member", `{"a":12`, []string{"-32700 unknown at 7"}},
		{"a fault comes after the members before it", `{"a":1,"b":x}`, []string{"5:a=1", "-32700 unknown at 11"}},
		{"text behind the object is a fault", `{} {}`, []string{"-32700 unknown at 3"}},
		{"bytes that are not UTF-8 are a fault", "{\"a\":\"\xff\"}", []string{"-32700 unknown at 6"}},
		{"nothing is no object", "  ", []string{"-32700 unknown at 2"}},
		{"an array claims to be a batch", ` [1]`, []string{"-32600 batch at 1"}},
		{"any other value claims nothing", `"x"`, []string{"-32600 unknown at 0"}},
	} {
		if diff := cmp.Diff(test.want, membersOf(test.text)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.rule, diff)
		}
	}
}

// The bound on depth counts the object itself; a value beyond it spoils the object, and
// its other members are reported all the same.
func TestEachMemberDepth(t *testing.T) {
	inside := func(depth int) string {
		return `{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `,"b":1}`
	}
	if bad := EachMember([]byte(inside(maxDepth-1)), func(int, []byte, Raw) {}); bad != nil {
		t.Errorf("at the bound: %v", bad)
	}
	array := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	if bad := EachMember([]byte(array), func(int, []byte, Raw) {}); bad == nil || bad.Kind != KindBatch || bad.Err.Data.IsZero() {
		t.Errorf("an array beyond the bound: %v", bad)
	}
	last := ""
	bad := EachMember([]byte(inside(maxDepth)), func(_ int, name []byte, _ Raw) { last = string(name) })
	if !errors.Is(bad, InvalidRequest) || bad.Err.Data.IsZero() || last != "b" {
		t.Errorf("beyond the bound: %v, last member %q", bad, last)
	}
}

func TestEachMemberAllocatesNothing(t *testing.T) {
	text := []byte(smallRequest)
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		EachMember(text, func(_ int, name []byte, value Raw) { n += len(name) + len(value) })
	}); allocs != 0 {
		t.Errorf("%v allocations, want 0", allocs)
	}
}

// EachMember takes what encoding/json takes for an object, if that is UTF-8, and each
// value that it reports is valid by itself and stands where it says.
func FuzzEachMember(f *testing.F) {
	addRecords(f, func(rec []byte) { f.Add(rec) })
	f.Fuzz(func(t *testing.T, rec []byte) {
		if strings.Count(string(rec), "[")+strings.Count(string(rec), "{") >= maxDepth {
			return // TestEachMemberDepth has the bound; encoding/json has it in another place
		}
		found := map[string]string{}
		bad := EachMember(rec, func(at int, name []byte, value Raw) {
			if string(rec[at:at+len(value)]) != string(value) || !json.Valid(value) {
				t.Fatalf("%q: member %q has the value %q at %d", rec, name, value, at)
			}
			found[string(name)] = string(value)
		})
		var want map[string]json.RawMessage
		ok := utf8.Valid(rec) && json.Unmarshal(rec, &want) == nil && want != nil
		if ok != (bad == nil) {
			t.Fatalf("%q: %v, but encoding/json says %v", rec, bad, ok)
		}
		if !ok {
			return
		}
		got := map[string]json.RawMessage{}
		for name, value := range found {
			got[name] = json.RawMessage(value)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got)\n%s", rec, diff)
		}
	})
}
