package dialecttest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley/message"
)

// Keep checks that a V keeps all that a JSON text says and adds nothing, and returns the V.
func Keep[V any](t *testing.T, rule, text string) V {
	t.Helper()
	v, is := again[V](t, rule, message.Raw(text))
	if diff := cmp.Diff(value(t, message.Raw(text)), value(t, is)); diff != "" {
		t.Errorf("%s (-was +is):\n%s", rule, diff)
	}
	return v
}

// Said is [Keep] for what a real program said, to which a member that is null is as good as none.
func Said[V any](t *testing.T, text message.Raw) {
	t.Helper()
	said[V](t, text, false)
}

// said looks at what the V loses unless it is partial.
func said[V any](t *testing.T, text message.Raw, partial bool) {
	t.Helper()
	_, is := again[V](t, "a program said", text)
	if diff := cmp.Diff(withoutNull(value(t, text)), withoutNull(value(t, is))); diff != "" && !partial {
		t.Errorf("%s changed on its way through a %T (-was +is)\n%s", text, *new(V), diff)
	}
}

// compact compares JSON texts but for the white space in them, which is lost when they are written.
var compact = cmp.FilterValues(
	func(a, b message.Raw) bool { return len(a)+len(b) > 0 }, // EquateEmpty has the rest
	cmp.Transformer("compact", func(raw message.Raw) string {
		var text bytes.Buffer
		_ = json.Compact(&text, raw) // no JSON is as good as none
		return text.String()
	}))

// Stable checks that what can be read as a V is written so that it reads the same. What cannot be read it passes over,
// as a fuzz test wants it.
func Stable[V any](t *testing.T, text string, opts ...cmp.Option) {
	t.Helper()
	var first, second V
	if !json.Valid([]byte(text)) || message.Raw(text).Decode(&first) != nil { // a Raw is JSON
		return
	}
	once, err := message.Encode(first)
	if err != nil {
		t.Fatalf("%q is read and cannot be written: %v", text, err)
	}
	if err := once.Decode(&second); err != nil {
		t.Fatalf("%q is written as %s and cannot be read: %v", text, once, err)
	}
	opts = append(opts, cmpopts.EquateComparable(message.ID{}), cmpopts.EquateEmpty(), compact)
	if diff := cmp.Diff(first, second, opts...); diff != "" {
		t.Errorf("%q becomes another value (-first +second)\n%s", text, diff)
	}
}

// again decodes a text into a V and encodes that.
func again[V any](t *testing.T, rule string, text message.Raw) (v V, is message.Raw) {
	t.Helper()
	if err := text.Decode(&v); err != nil {
		t.Fatalf("%s: %v: %s", rule, err, text)
	}
	is, err := message.Encode(v)
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return v, is
}

// value is what a JSON text means.
func value(t *testing.T, text message.Raw) (v any) {
	t.Helper()
	if err := text.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// withoutNull is the value without its members that are null.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = withoutNull(member); member == nil {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return v
}
