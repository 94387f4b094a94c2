package query_test

import (
	"fmt"

	"github.com/parley-rpc/parley/internal/query"
)

func ExampleParse() {
	q, err := query.Parse("kind:request method:tools/* -id:7 open")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(q.Match(&query.Fields{Kind: "request", Method: "tools/call", ID: "8", Status: "open"}))
	fmt.Println(q.Match(&query.Fields{Kind: "request", Method: "tools/call", ID: "7", Status: "open"}))

	_, err = query.Parse("kind:requst")
	fmt.Println(err)
	// Output:
	// true
	// false
	// column 6: kind is never "requst"; known: request, notification, response, error, batch, event, control_request, control_response, control_cancel_request, process, blank, invalid
}
