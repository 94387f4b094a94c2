package lint_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parley-rpc/parley/lint"
)

// A server prints a banner, and answers a request that nobody has made.
func Example() {
	stream := `server ready
{"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}
{"jsonrpc":"2.0","id":1,"result":8}
{"jsonrpc":"2.0","id":2,"result":8}
`
	in := lint.NewInput(strings.NewReader(stream))
	r := lint.NewReader(in, nil)
	l := lint.New(&lint.Options{Input: in, Framing: r.Framing(), Shape: r.Shape()})
	say := func(findings []lint.Finding) {
		for _, f := range findings {
			fmt.Printf("%d: %v: %s (%s)\n", f.Line, f.Severity, f.Message, f.Rule.ID)
		}
	}
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			say(l.Fail(err))
			break
		}
		say(l.Record(rec))
	}
	say(l.End())
	// Output:
	// 1: error: text that is no JSON: "server ready" (stray-text)
	// 4: error: id 2 answers no request (answer-to-nothing)
}

func ExampleLookup() {
	rule, _ := lint.Lookup("id-reused")
	fmt.Printf("%v: %s\n%s\n", rule.Severity, rule.Title, rule.Fix)
	// Output:
	// error: an id that is open already
	// count ids up
}

// A rule that is disabled says nothing.
func ExampleOptions() {
	in := lint.NewInput(strings.NewReader("listening\n"))
	r := lint.NewReader(in, nil)
	l := lint.New(&lint.Options{Disable: []string{"stray-text"}})
	rec, _ := r.Read()
	fmt.Println(len(l.Record(rec)), len(l.End()))
	// Output:
	// 0 0
}
