package ledger_test

import (
	"fmt"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/ledger"
)

// records are a prompt to an agent that wants to run something, and nobody allows it.
var records = []ledger.Record{
	{At: 0, From: parley.SideClient, Raw: []byte(`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)},
	{At: 40 * time.Millisecond, From: parley.SideServer, Raw: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{}}}`)},
	{At: 90 * time.Millisecond, From: parley.SideServer, Raw: []byte(`{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"title":"make test"}}}`)},
}

func Example() {
	l := ledger.New(&ledger.Options{Dialect: &acp.Dialect})
	for _, r := range records {
		l.Add(r)
	}
	for _, d := range l.Open() {
		fmt.Println(d.Name(), "is owed by the", d.Owes, "since", d.At)
	}
	fmt.Println(l.Agent().State)
	// Output:
	// call 7 (session/prompt) is owed by the server since 0s
	// call 0 (session/request_permission) "make test" is owed by the client since 90ms
	// waiting for approval
}

func ExampleLedger_Add() {
	l := ledger.New(&ledger.Options{Dialect: &acp.Dialect})
	for _, r := range records {
		e := l.Add(r)
		fmt.Println(e.N, e.From, e.Kind, e.State, "-", e.Why())
	}
	// Output:
	// 1 client request open - it has an id: the server owes an answer
	// 2 server notification  - it has no id: nobody waits for an answer
	// 3 server request open - it has an id: the client owes an answer
}

func ExampleLedger_Chain() {
	l := ledger.New(&ledger.Options{Dialect: &acp.Dialect})
	var last ledger.Entry
	for _, r := range records {
		last = l.Add(r)
	}
	fmt.Println(l.Chain(last.Serial))
	// Output:
	// call 7 (session/prompt) waits for the server, which waits for call 0 (session/request_permission) "make test", which the client owes
}

func ExampleLedger_Agent() {
	l := ledger.New(&ledger.Options{Dialect: &acp.Dialect})
	for _, r := range records {
		l.Add(r)
	}
	l.Add(ledger.Record{At: time.Second, What: "exit", Raw: []byte(`{"code":1,"signal":null}`)})
	a := l.Agent()
	fmt.Printf("%s (%s) since record %d\n", a.State, a.Reason, a.Since)
	// Output:
	// exited (code 1) since record 4
}
