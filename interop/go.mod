module github.com/parley-rpc/parley/interop

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/parley-rpc/parley v0.0.0
	go.uber.org/goleak v1.3.0
)

require github.com/go-json-experiment/json v1.27.2 // indirect

// The tests are of the tree that they stand in.
replace github.com/parley-rpc/parley => ../

ignore ./node_modules
