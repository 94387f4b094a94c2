package message

import (
	"strings"
	"testing"
)

func TestPeek(t *testing.T) {
	long := `"` + strings.Repeat("a", 1000)
	tests := []struct {
		rule, prefix string
		kind         Kind
		id           string
	}{
		{"a call whose params break off", `{"jsonrpc":"2.0","id":7,"method":"m","params":[` + long, KindCall, `7`},
		{"a response whose result breaks off", `{"jsonrpc":"2.0","id":"a","result":` + long, KindReply, `"a"`},
		{"a response whose error breaks off", `{"id":1,"error":{"code":1,"message":` + long, KindReply, `1`},
		{"a note", `{"jsonrpc":"2.0","method":"m","params":` + long, KindNote, ``},
		{"an id behind the params comes too late", `{"method":"m","params":[` + long + `"],"id":1`, KindCall, ``},
		{"a method that breaks off", `{"id":1,"method":` + long, KindCall, `1`},
		{"a method that is no string, and no id", `{"method":1,"params":` + long, KindUnknown, ``},
		{"a method whose value is not there yet", `{"method":`, KindUnknown, ``},
		{"the result alone", `{"result":` + long, KindReply, ``},
		{"a method and a result", `{"id":1,"method":"m","result":` + long, KindHybrid, `1`},
		{"half of a number is no id", `{"method":"m","id":12`, KindCall, ``},
		{"a whole number", `{"method":"m","id":12 ,`, KindCall, `12`},
		{"half of a string is no id", `{"method":"m","id":"12`, KindCall, ``},
		{"an id of the wrong type", `{"id":{"a":1},"method":"m","params":` + long, KindCall, ``},
		{"of two ids neither is trusted", `{"id":1,"id":2,"method":"m","params":` + long, KindCall, ``},
		{"the id alone", `{"id":5,"x":` + long, KindUnknown, `5`},
		{"half of a name", `{"id":5,"metho`, KindUnknown, `5`},
		{"a name without a colon", `{"id":5,"result"`, KindUnknown, `5`},
		{"a fault after the id", `{"id":5,"result":tru}` + long, KindReply, `5`},
		{"names inside other values do not count", `{"params":{"method":"m","id":1},"x":` + long, KindUnknown, ``},
		{"a batch", ` [{"id":1,"method":"m","params":` + long, KindBatch, ``},
		{"a whole record", `{"id":1,"method":"m"}`, KindCall, `1`},
		{"a string", long, KindUnknown, ``},
		{"nothing", ``, KindUnknown, ``},
	}
	for _, test := range tests {
		kind, id := Peek([]byte(test.prefix))
		if kind != test.kind || id.String() != test.id {
			t.Errorf("%s: Peek(%.60s…) = %v %v, want %v %v", test.rule, test.prefix, kind, id, test.kind, test.id)
		}
	}
}
