module github.com/parley-rpc/parley/interop

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/parley-rpc/parley v0.0.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
)

// The tests are of the tree that they stand in.
replace github.com/parley-rpc/parley => ../

ignore node_modules
