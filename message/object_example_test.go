package message_test

import (
	"fmt"

	"github.com/parley-rpc/parley/message"
)

// A codec of another envelope looks for the members that it knows, and lets EachMember
// check all the rest.
func ExampleEachMember() {
	var kind message.Raw
	refused := message.EachMember([]byte(`{"type":"result","n":[1,2]}`), func(_ int, name []byte, value message.Raw) {
		if string(name) == "type" {
			kind = value
		}
	})
	fmt.Println(kind, refused == nil)

	refused = message.EachMember([]byte(`Starting server...`), func(int, []byte, message.Raw) {})
	fmt.Println(refused)
	// Output:
	// "result" true
	// Parse error at byte 0: want a value
}
