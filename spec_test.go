package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// The methods that the examples of JSON-RPC 2.0, section 7, call.
func specMux() *parley.Mux {
	subtract := func(_ context.Context, params message.Raw) (int, error) {
		var at []int
		if params.Decode(&at) == nil && len(at) == 2 {
			return at[0] - at[1], nil
		}
		var named struct {
			Subtrahend int `json:"subtrahend"`
			Minuend    int `json:"minuend"`
		}
		err := params.Decode(&named)
		return named.Minuend - named.Subtrahend, err
	}
	return parley.NewMux(
		parley.Method[message.Raw, int]("subtract").Handle(subtract),
		parley.Method[[]int, int]("sum").Handle(func(_ context.Context, xs []int) (sum int, _ error) {
			for _, x := range xs {
				sum += x
			}
			return sum, nil
		}),
		parley.Method[message.Raw, []any]("get_data").Handle(func(context.Context, message.Raw) ([]any, error) {
			return []any{"hello", 5}, nil
		}),
		parley.Note[message.Raw]("update").Handle(func(context.Context, message.Raw) error { return nil }),
		parley.Note[message.Raw]("notify_hello").Handle(func(context.Context, message.Raw) error { return nil }),
		parley.Note[message.Raw]("notify_sum").Handle(func(context.Context, message.Raw) error { return nil }),
	)
}

// The examples of the specification come out as it says, member for member.
func TestSpecExamples(t *testing.T) {
	text, err := os.ReadFile("testdata/jsonrpc2_examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Name, Send string
		Expect     any
	}
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) != 15 {
		t.Fatalf("there are %d examples, want 15", len(examples))
	}
	for _, example := range examples {
		t.Run(example.Name, func(t *testing.T) {
			// A line is a frame: the example that spans lines is sent as one.
			in := strings.NewReader(strings.ReplaceAll(example.Send, "\n", " ") + "\n")
			var out bytes.Buffer
			if err := parley.Serve(t.Context(), frame.Lines.Stream(in, &out), specMux().Handle, nil); err != nil {
				t.Fatal(err)
			}
			var got any
			if out.Len() > 0 {
				if err := json.Unmarshal(out.Bytes(), &got); err != nil {
					t.Fatalf("we wrote %q: %v", out.String(), err)
				}
			}
			// The replies to a batch come in any order.
			sorted := cmpopts.SortSlices(func(a, b any) bool { return mustJSON(t, a) < mustJSON(t, b) })
			if diff := cmp.Diff(example.Expect, got, sorted); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
