package message_test

import (
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/message"
)

// A server's view of a record: parse it, look what it is, answer it.
func Example() {
	for _, record := range []string{
		`{"jsonrpc":"2.0","id":1.0,"method":"sum","params":[1,2,4]}`,
		`{"jsonrpc":"2.0","method":"log"}`,
		`{"jsonrpc":"2.0","id":"a"}`,
	} {
		var reply *message.Response
		m, err := message.Strict.Parse([]byte(record))
		var refused *message.ParseError
		switch {
		case errors.As(err, &refused):
			if refused.Answerable() {
				reply = refused.Reply()
			}
		default:
			r := m.(*message.Request)
			if !r.IsNote() {
				reply = &message.Response{ID: r.ID, Result: message.Raw("7")}
			}
		}
		if reply != nil {
			line, _ := message.Strict.Append(nil, reply)
			fmt.Println(string(line))
		}
	}
	// Output:
	// {"jsonrpc":"2.0","id":1.0,"result":7}
	// {"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"Invalid Request"}}
}

func ExampleCodec_append() {
	params, _ := message.Encode(map[string]any{"text": "1 < 2"})
	call := &message.Request{ID: message.IntID(1), Method: "say", Params: params}
	strict, _ := message.Strict.Append(nil, call)
	bare, _ := message.Bare.Append(nil, call)
	fmt.Printf("%s\n%s\n", strict, bare)
	// Output:
	// {"jsonrpc":"2.0","id":1,"method":"say","params":{"text":"1 < 2"}}
	// {"id":1,"method":"say","params":{"text":"1 < 2"}}
}

func ExampleCodec_parse() {
	_, err := message.Strict.Parse([]byte(`{"jsonrpc":"2.0","id":7,"method":"m","params":"x"}`))
	fmt.Println(err)

	if refused, ok := errors.AsType[*message.ParseError](err); ok {
		fmt.Println(refused.Kind, refused.ID, refused.Err.Code == message.CodeInvalidRequest)
	}
	// Output:
	// Invalid Request at byte 46: params is a string, want an array or an object
	// call 7 true
}

func ExampleEncode() {
	text, err := message.Encode(struct {
		Digits message.Raw `json:"digits"`
		Text   string      `json:"text"`
	}{message.Raw(`1.00`), "<b>\u2028"})
	fmt.Println(text, err)
	// Output: {"digits":1.00,"text":"<b>\u2028"} <nil>
}

func ExampleRaw_Decode() {
	var point struct {
		X int `json:"x"`
	}
	fmt.Println(message.Raw(`{"x":3,"X":4}`).Decode(&point), point.X)
	fmt.Println(message.Raw(`{"x":"3"}`).Decode(&point))
	// Output:
	// <nil> 3
	// /x: want an integer, got a string
}

func ExampleOneLine() {
	fmt.Printf("%s\n", message.OneLine(nil, []byte("{\n  \"a\": 1\n}")))
	// Output: {   "a": 1 }
}

func ExampleIntID() {
	pending := map[message.ID]string{message.IntID(1): "sum"}
	fmt.Println(pending[message.IntID(1)])
	// Output: sum
}

func ExampleStringID() {
	fmt.Println(message.StringID("a\nb"))
	// Output: "a\nb"
}

func ExampleParseID() {
	id, err := message.ParseID([]byte("12345678901234567890123"))
	fmt.Println(id, err)
	_, err = message.ParseID([]byte("[1]"))
	fmt.Println(err)
	// Output:
	// 12345678901234567890123 <nil>
	// message: "[1]" is no id: want a JSON string, a number or null
}

func ExampleID_SameValue() {
	ours := message.IntID(1)
	for _, text := range []string{`1`, `1.0`, `"1"`, `"one"`} {
		theirs, _ := message.ParseID([]byte(text))
		fmt.Println(text, theirs == ours, theirs.SameValue(ours))
	}
	// Output:
	// 1 true true
	// 1.0 false true
	// "1" false true
	// "one" false false
}

func ExampleID_Integer() {
	id, _ := message.ParseID([]byte(`"4.0"`))
	fmt.Println(id.Integer())
	// Output: 4 true
}

func ExamplePeek() {
	fmt.Println(message.Peek([]byte(`{"jsonrpc":"2.0","id":9,"method":"upload","params":["AAAAAAA`)))
	// Output: call 9
}

func ExampleNewError() {
	err := message.NewError(1, "boom")
	fmt.Println(err)
	fmt.Println(errors.Is(fmt.Errorf("call: %w", err), &message.Error{Code: 1}))
	// Output:
	// boom (code 1)
	// true
}

func ExampleError_With() {
	fmt.Println(message.InvalidParams.With(map[string]string{"missing": "b"}))
	// Output: Invalid params (code -32602, data {"missing":"b"})
}

func ExampleError_Withf() {
	err := message.InvalidParams.Withf("%s is missing", "b")
	fmt.Println(err.Message)
	fmt.Println(errors.Is(err, message.InvalidParams))
	// Output:
	// Invalid params: b is missing
	// true
}

func ExampleParseError_Reply() {
	_, err := message.Strict.Parse([]byte(`[1,`))
	var refused *message.ParseError
	if errors.As(err, &refused) && refused.Answerable() {
		line, _ := message.Strict.Append(nil, refused.Reply())
		fmt.Println(string(line))
	}
	// Output: {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}
}
