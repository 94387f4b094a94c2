package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// counted has whole numbers in all places where a schema may have them.
type counted struct {
	N     int            `json:"n"`
	P     *uint8         `json:"p"`
	List  []int          `json:"list,omitzero"`
	Named map[string]int `json:"named,omitzero"`
	Sub   *counted       `json:"sub"`
	F     float64        `json:"f,omitzero"`
	Any   message.Raw    `json:"any,omitzero"`
	ID    message.ID     `json:"id,omitzero"`
	S     string         `json:"s,omitzero"`
}

// TestWholeNumbers gives tools integers that are written with a fraction or an exponent,
// as the schema of the tool allows: the Go tool gets the number, and all else unchanged.
func TestWholeNumbers(t *testing.T) {
	mux := parley.NewMux(
		parley.Method[counted, string]("count").Handle(func(_ context.Context, p counted) (string, error) {
			text, err := message.Encode(p)
			return text.String(), err
		}))
	c := dialServer(t, mcp.NewServer(mux, mcp.Info{}), nil)
	for args, want := range map[string]string{
		`{"n":1.0,"p":null,"sub":null}`:                              `{"n":1,"p":null,"sub":null}`,
		`{"n":1e2,"p":2.0,"sub":null}`:                               `{"n":100,"p":2,"sub":null}`,
		`{"n":-0.0,"p":25500e-2,"sub":null}`:                         `{"n":0,"p":255,"sub":null}`,
		`{"n":9007199254740993.0,"p":1,"sub":null}`:                  `{"n":9007199254740993,"p":1,"sub":null}`,
		`{ "list" : [ 1.0 , 2 , 3E0 ] ,"n":4,"p":1,"sub":null}`:      `{"n":4,"p":1,"list":[1,2,3],"sub":null}`,
		`{"n":1,"p":1,"sub":{"n":2.0,"p":null,"sub":null}}`:          `{"n":1,"p":1,"sub":{"n":2,"p":null,"sub":null}}`,
		`{"n":1,"p":1,"sub":null,"named":{"1.0":1.0,"\u0061":2e0}}`:  `{"n":1,"p":1,"named":{"1.0":1,"a":2},"sub":null}`,
		`{"n":1.0,"p":1,"sub":null,"any":{"n":1.0,"x":[1e2]}}`:       `{"n":1,"p":1,"sub":null,"any":{"n":1.0,"x":[1e2]}}`,
		`{"n":1,"p":1,"sub":null,"f":1.5,"id":"1.0","s":"1.0 \"e2"}`: `{"n":1,"p":1,"sub":null,"f":1.5,"id":"1.0","s":"1.0 \"e2"}`,
		`{"n":1.5,"p":1,"sub":null}`:                                 `Invalid arguments: /n: want an integer, got 1.5`,
		`{"n":1e300,"p":1,"sub":null}`:                               `Invalid arguments: /n: `,
		`{"n":1e999999999,"p":1,"sub":null}`:                         `Invalid arguments: `,
		`{"n":1e-999999999,"p":1,"sub":null}`:                        `Invalid arguments: `,
	} {
		result, err := asked(t, c, "count", args, nil, "")
		if err != nil || len(result.Content) != 1 || result.IsError != strings.HasPrefix(want, "Inv") || !strings.HasPrefix(result.Content[0].Text, want) {
			t.Errorf("%s: got %+v, %v, want %s", args, result, err, want)
		}
	}
}

// TestCheckExactly compares whole numbers of 64 bits with each other, not with the doubles
// next to them.
func TestCheckExactly(t *testing.T) {
	for _, test := range []struct {
		schema, value string
		fits          bool
	}{
		{`{"maximum":9007199254740992}`, `9007199254740992`, true},
		{`{"maximum":9007199254740992}`, `9007199254740993`, false},
		{`{"exclusiveMinimum":9007199254740992}`, `9007199254740993`, true},
		{`{"minimum":-9007199254740992}`, `-9007199254740993`, false},
		{`{"type":"integer","minimum":0}`, `18446744073709551615`, true},
		{`{"type":"integer"}`, `99999999999999999999`, true},
		{`{"type":"integer"}`, `1234567890123456.5`, false},
		{`{"items":{"properties":{"a":{"maximum":9007199254740992}}}}`, `[{"a":9007199254740993}]`, false},
		{`{"type":"string"}`, `9007199254740993`, false},
		{`{"type":"string"}`, `"9007199254740993"`, true},
		{`{"uniqueItems":true}`, `[9007199254740993,9007199254740992]`, true},
	} {
		schema, err := mcp.ParseSchema(message.Raw(test.schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Check(message.Raw(test.value)); (err == nil) != test.fits {
			t.Errorf("%s against %s: %v", test.value, test.schema, err)
		}
	}
}

// TestNilResult lets tools return nothing where their output schema promises something:
// the client is told so, and is not sent a null that does not fit.
func TestNilResult(t *testing.T) {
	mux := parley.NewMux(
		parley.Method[struct{}, *sumResult]("object").Handle(func(context.Context, struct{}) (*sumResult, error) { return nil, nil }),
		parley.Method[struct{}, *int]("number").Handle(func(context.Context, struct{}) (*int, error) { return nil, nil }),
	)
	server := mcp.NewServer(mux, mcp.Info{})
	for _, version := range []string{mcp.Version20241105, mcp.Version20251125, mcp.Version20260728} {
		c := dialClient(t, server, &mcp.ClientOptions{Version: version})
		for _, tool := range []string{"object", "number"} {
			result, err := c.CallTool(t.Context(), tool, nil)
			if err != nil || !result.IsError || !result.StructuredContent.IsZero() || !strings.Contains(result.Content[0].Text, "returned nothing") {
				t.Errorf("%s in %s: %+v, %v", tool, version, result, err)
			}
		}
	}
}

// TestEchoIsBounded sends names of a megabyte: what comes back is short.
func TestEchoIsBounded(t *testing.T) {
	long := strings.Repeat("é", 1<<19)
	c := dialServer(t, everything(), nil)
	say := func(method, params string) {
		t.Helper()
		err := c.Call(t.Context(), method, message.Raw(fmt.Sprintf(params, long)), nil)
		refusal, ok := err.(*message.Error)
		if !ok || len(refusal.Message)+len(refusal.Data) > 3000 {
			t.Errorf("%s: %.100v", method, err)
		}
	}
	const modern = `,"_meta":` + modernMeta + `}`
	say("tools/call", `{"name":%q`+modern)
	say("prompts/get", `{"name":%q`+modern)
	say("resources/read", `{"uri":%q`+modern)
	say("tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":%q}}`)
	say("completion/complete", `{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"language","value":{%q:1}}`+modern)
	if _, err := mcp.Handshake(t.Context(), c, mcp.InitializeParams{}); err != nil {
		t.Fatal(err)
	}
	say("logging/setLevel", `{"level":%q}`)
	say("resources/subscribe", `{"uri":%q}`)
}
