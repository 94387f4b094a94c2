package parley_test

import (
	"errors"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// A batch that we send: each call gets its own answer, a note gets none, and an error
// stays with its member.
func TestSendBatch(t *testing.T) {
	conn, _ := parleytest.Pair(t, nil, referenceHandler(), nil)
	var sum, product int
	var notes [][]int
	items := []*parley.Item{
		{Method: "add", Params: []int{3, 5}, Result: &sum},
		{Method: "note", Params: []int{7}, Note: true},
		{Method: "multiply", Params: map[string]int{"a": 3, "b": 5}, Result: &product},
		{Method: "boom"},
		{Method: "notes", Result: &notes},
	}
	err := conn.Batch(t.Context(), items...)
	if boom := message.NewError(1, "boom"); !errors.Is(err, boom) || !errors.Is(items[3].Err, boom) {
		t.Errorf("the error is %v, that of boom is %v", err, items[3].Err)
	}
	if sum != 8 || product != 15 || len(notes) != 1 || items[0].Err != nil || items[1].Err != nil {
		t.Errorf("sum %d, product %d, notes %v", sum, product, notes)
	}
	if err := conn.Batch(t.Context()); err == nil {
		t.Error("an empty batch was sent")
	}
	if err := conn.Batch(t.Context(), &parley.Item{Method: "note", Note: true}); err != nil {
		t.Errorf("a batch of notes: %v", err)
	}
	if err := conn.Call(t.Context(), "nil", nil, nil); err != nil {
		t.Errorf("the call after it: %v", err)
	}
}

// What comes in: txtar scripts, one call at a time.
func TestScripts(t *testing.T) {
	parleytest.Scripts(t, "testdata/scripts/*.txtar", referenceHandler, nil)
}
