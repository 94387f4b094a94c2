package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppend(t *testing.T) {
	tests := []struct {
		rule         string
		m            Message
		strict, bare string
	}{
		{
			"a call", &Request{ID: IntID(1), Method: "m", Params: Raw(`[1.00]`)},
			`{"jsonrpc":"2.0","id":1,"method":"m","params":[1.00]}`, `{"id":1,"method":"m","params":[1.00]}`,
		},
		{"a note without params", &Request{Method: "m"}, `{"jsonrpc":"2.0","method":"m"}`, `{"method":"m"}`},
		{"params null are left out", &Request{Method: "m", Params: Raw("null")}, `{"jsonrpc":"2.0","method":"m"}`, `{"method":"m"}`},
		{"so are params without text", &Request{Method: "m", Params: Raw{}}, `{"jsonrpc":"2.0","method":"m"}`, `{"method":"m"}`},
		{
			"an odd method and extra members", &Request{ID: NullID, Method: "a\"\n\u2028<\xff", Extra: []Member{{"tr\"ace", Raw(`{"a": 1}`)}}},
			`{"jsonrpc":"2.0","id":null,"method":"a\"\n\u2028<` + "\ufffd" + `","tr\"ace":{"a": 1}}`,
			`{"id":null,"method":"a\"\n\u2028<` + "\ufffd" + `","tr\"ace":{"a": 1}}`,
		},
		{"a result", &Response{ID: StringID("x"), Result: Raw(`{}`)}, `{"jsonrpc":"2.0","id":"x","result":{}}`, `{"id":"x","result":{}}`},
		{"no result is null", &Response{ID: IntID(1)}, `{"jsonrpc":"2.0","id":1,"result":null}`, `{"id":1,"result":null}`},
		{"no id is null", &Response{Error: ParseFailed}, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, `{"id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{
			"an error with everything", &Response{ID: IntID(1), Error: &Error{1, "m", Raw("null"), []Member{{"x", Raw("2")}}}, Extra: []Member{{"params", Raw("3")}}},
			`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":null,"x":2},"params":3}`, `{"id":1,"error":{"code":1,"message":"m","data":null,"x":2},"params":3}`,
		},
		{
			"a batch", Batch{&Request{Method: "n"}, &Response{ID: IntID(2)}},
			`[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"result":null}]`, `[{"method":"n"},{"id":2,"result":null}]`,
		},
	}
	for _, test := range tests {
		for codec, want := range map[Codec]string{Strict: test.strict, Bare: test.bare} {
			got, err := codec.Append([]byte("dst"), test.m)
			if err != nil {
				t.Errorf("%s, %v: %v", test.rule, codec, err)
				continue
			}
			if diff := cmp.Diff("dst"+want, string(got)); diff != "" {
				t.Errorf("%s, %v (-want +got):\n%s", test.rule, codec, diff)
			}
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	tests := []struct {
		rule string
		m    Message
		want string // a part of the error
	}{
		{"nothing", nil, "a nil message"},
		{"a nil request", (*Request)(nil), "a nil message"},
		{"a nil response", (*Response)(nil), "a nil message"},
		{"a refusal", refuse(ID{}, KindUnknown, 0, "x"), "write its Reply"},
		{"params that are a number", &Request{Method: "m", Params: Raw("1")}, `request "m": params is 1, want an array or an object`},
		{"params that are white space", &Request{Method: "m", Params: Raw(" ")}, "params"},
		{"a result that is white space", &Response{Result: Raw(" \n")}, "without any text"},
		{"a result and an error", &Response{ID: IntID(1), Result: Raw("1"), Error: ParseFailed}, "response 1: it has both"},
		{"an extra member without a value", &Request{Method: "m", Extra: []Member{{"x", nil}}}, `"x": a value without any text`},
		{"an extra method", &Response{Extra: []Member{{"method", Raw("1")}}}, `"method" has a name of the envelope`},
		{"an extra result of a request", &Request{Extra: []Member{{"result", Raw("1")}}}, `"result" has a name`},
		{"extra params of a request", &Request{Extra: []Member{{"params", Raw("[]")}}}, `"params" has a name`},
		{"an extra code of an error", &Response{Error: &Error{Extra: []Member{{"code", Raw("1")}}}}, `"code" has a name`},
		{"error data that is white space", &Response{Error: &Error{Data: Raw(" ")}}, "without any text"},
		{"an empty batch", Batch{}, "an empty batch"},
		{"a batch in a batch", Batch{Batch{&Request{}}}, "a batch inside a batch"},
		{"a refusal in a batch", Batch{&Request{}, refuse(ID{}, KindUnknown, 0, "x")}, "member 1 of a batch"},
		{"nothing in a batch", Batch{nil}, "a nil message"},
	}
	for _, test := range tests {
		got, err := Strict.Append([]byte("dst"), test.m)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "message: cannot write ") {
			t.Errorf("%s: error %v, want one with %q", test.rule, err, test.want)
		}
		if string(got) != "dst" {
			t.Errorf("%s: Append returned %q with its error, want dst as it was", test.rule, got)
		}
	}
}
