package testjson_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/parley-rpc/parley/tools/internal/testjson"
)

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		sentence string
		in       string
		want     []testjson.Event
	}{
		{"an empty stream has no events", "", nil},
		{
			"an event is decoded, members we do not know are ignored",
			`{"Time":"2026-01-02T03:04:05Z","Action":"pass","Package":"p","Test":"TestA","Elapsed":0.5}` + "\n",
			[]testjson.Event{{Action: testjson.Pass, Package: "p", Test: "TestA", Elapsed: 0.5}},
		},
		{
			"a line that is no JSON is text",
			"hello\n",
			[]testjson.Event{{Action: testjson.Text, Output: "hello\n"}},
		},
		{
			"an object without an action is text: a test may print JSON too",
			`{"jsonrpc":"2.0"}` + "\n",
			[]testjson.Event{{Action: testjson.Text, Output: `{"jsonrpc":"2.0"}` + "\n"}},
		},
		{
			"a broken object is text, and the line after it is read",
			"{\"Action\":\n{\"Action\":\"start\",\"Package\":\"p\"}\n",
			[]testjson.Event{
				{Action: testjson.Text, Output: "{\"Action\":\n"},
				{Action: testjson.Start, Package: "p"},
			},
		},
		{
			"a last line without newline counts",
			`{"Action":"start","Package":"p"}`,
			[]testjson.Event{{Action: testjson.Start, Package: "p"}},
		},
		{
			"a line may be longer than any buffer",
			strings.Repeat("x", 1<<20) + "\n",
			[]testjson.Event{{Action: testjson.Text, Output: strings.Repeat("x", 1<<20) + "\n"}},
		},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			var got []testjson.Event
			if err := testjson.Read(strings.NewReader(tc.in), func(e testjson.Event) { got = append(got, e) }); err != nil {
				t.Fatalf("Read: %v", err)
			}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

func TestReadReportsWhatStoppedIt(t *testing.T) {
	broken := errors.New("the pipe broke")
	in := io.MultiReader(strings.NewReader("{\"Action\":\"start\",\"Package\":\"p\"}\n"), iotest.ErrReader(broken))
	n := 0
	err := testjson.Read(in, func(testjson.Event) { n++ })
	if !errors.Is(err, broken) {
		t.Errorf("Read gave %v, want %v", err, broken)
	}
	if n != 1 {
		t.Errorf("%d events before the error, want 1", n)
	}
}
