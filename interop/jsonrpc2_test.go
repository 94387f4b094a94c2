package interop

import "testing"

// TestJSONRPC2Client drives parley serve with json-rpc-2.0, whose user reads and writes the lines.
func TestJSONRPC2Client(t *testing.T) {
	compare(t, summary(t, script(t, "jsonrpc2-client.mjs", "json-rpc-2.0"), parleyBinary), `{
		"echoObject":      {"text": "a\u2028b 列出 😀", "list": [1, null, 1.5]},
		"echoNothing":     null,
		"addByName":       8,
		"addByPosition":   8,
		"notes":           [{"i": 1}, {"i": 2}, {"i": 3}, {"i": 4}, {"i": 5}],
		"callback":        "hello parley",
		"callbackRefused": {"code": -32050, "message": "not today", "data": {"until": "tomorrow"}},
		"callbackUnknown": {"code": -32601, "message": "Method not found"},
		"progressResult":  3,
		"progressToken":   "call-9",
		"progress": [
			{"token": "call-9", "value": {"progress": 1, "total": 3}},
			{"token": "call-9", "value": {"progress": 2, "total": 3}},
			{"token": "call-9", "value": {"progress": 3, "total": 3}}
		],
		"unknown":   {"code": -32601, "message": "Method not found"},
		"badParams": {
			"code": -32602, "message": "Invalid params",
			"data": {"pointer": "/a", "reason": "want a number, got \"three\""}
		},
		"boom":  {"code": 1, "message": "boom"},
		"batch": [
			{"jsonrpc": "2.0", "id": "first", "result": 8},
			{"jsonrpc": "2.0", "id": "second", "result": 42},
			{"jsonrpc": "2.0", "id": "third", "error": {"code": -32601, "message": "Method not found"}}
		],
		"arrays":      1,
		"noteOfBatch": ["in a batch"],
		"paired":      true,
		"exit":        0,
		"rest":        ""
	}`)
}
