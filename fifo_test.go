package parley

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type struckItem struct {
	n   int
	out bool
}

func (i *struckItem) struckOut() bool { return i.out }

// A fifo gives back what was put in and not struck out, in order, and does not grow with
// what is gone.
func TestFifo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f fifo[*struckItem]
		var model []*struckItem
		for n := range rapid.IntRange(0, 300).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"push", "push", "pop", "strike"}).Draw(t, "step") {
			case "push":
				item := &struckItem{n: n}
				f.push(item)
				model = append(model, item)
			case "pop":
				if len(model) > 0 {
					if got := f.pop(); got != model[0] {
						t.Fatalf("popped %d, want %d", got.n, model[0].n)
					}
					model = model[1:]
				}
			case "strike":
				if len(model) > 0 {
					i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
					model[i].out = true
					f.struck()
					model = slices.Delete(model, i, i+1)
				}
			}
			if f.len() != len(model) {
				t.Fatalf("len is %d, want %d", f.len(), len(model))
			}
			if len(f.items) > 4*len(model)+4 {
				t.Fatalf("%d items are kept for %d", len(f.items), len(model))
			}
		}
	})
}
