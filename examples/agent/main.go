// Agent stands in for claude: a host that speaks its stream-json starts it, the Claude
// Agent SDK say, and decides what it may do. It has no model; the user says which tool it
// uses and with what input, as in "Bash {}". All other text it repeats.
//
//	go run ./examples/agent
package main

import (
	"context"
	"log"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/stdio"
)

func main() {
	stream, err := stdio.Claim(claude.Dialect.Framing)
	if err == nil {
		a := &agent{ready: make(chan struct{}), stop: func() {}}
		routes := parley.NewMux(claude.Initialize.Handle(a.initialize), claude.Interrupt.Handle(a.interrupt), claude.User.Handle(a.turn))
		err = parley.Serve(context.Background(), stream, routes.Handle, &parley.Options{Dialect: &claude.Dialect})
	}
	if err != nil {
		log.Fatal(err)
	}
}

type agent struct {
	once  sync.Once
	ready chan struct{}           // closed when the host has said what it brings along
	hello claude.InitializeParams // to be read once it is

	mu   sync.Mutex
	stop context.CancelFunc // of the turn
}

func (a *agent) initialize(_ context.Context, p claude.InitializeParams) (r claude.InitializeResult, _ error) {
	a.once.Do(func() {
		a.hello = p
		close(a.ready)
	})
	return r, nil
}

// interrupt ends the ctx of the turn, and with it the call that the turn waits in, which
// is taken back.
func (a *agent) interrupt(context.Context, claude.InterruptParams) (r claude.InterruptResult, _ error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stop()
	return r, nil
}
