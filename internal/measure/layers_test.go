package measure

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley/message"
)

// The params are as long as was asked for, and hold what they should.
func TestDocument(t *testing.T) {
	for _, size := range []int{MinSize, 81, 99, 100, 101, 4096, 1 << 20} {
		f, err := newFixture(size)
		if err != nil {
			t.Errorf("size %d: %v", size, err)
			continue
		}
		if len(f.params) != size {
			t.Errorf("size %d: the params have %d bytes", size, len(f.params))
		}
		m, err := message.Strict.Parse(f.request)
		if err != nil {
			t.Errorf("size %d: the request: %v", size, err)
			continue
		}
		var got document
		if err := m.(*message.Request).Params.Decode(&got); err != nil {
			t.Errorf("size %d: the params: %v", size, err)
		}
		if diff := cmp.Diff(f.doc, got); diff != "" {
			t.Errorf("size %d: the params say something else (-want +got):\n%s", size, diff)
		}
	}
	for _, size := range []int{-1, MinSize - 1, MaxSize + 1} {
		if _, err := newFixture(size); err == nil {
			t.Errorf("size %d: no error", size)
		}
	}
}

// names are those of the stages, in the order of the issue that asks for them.
var names = []string{"raw pipe", "framing", "scan", "decode", "dispatch", "answer", "write"}

func TestLayers(t *testing.T) {
	for _, size := range []int{100, 200_000} {
		r, err := Layers(t.Context(), Options{Size: size, Budget: 10 * time.Millisecond, Runs: 3})
		if err != nil {
			t.Fatal(err)
		}
		if r.ParamsBytes != size || r.RequestBytes <= size || r.AnswerBytes <= size {
			t.Errorf("bytes: %d of params, %d of the request, %d of the answer; want %d, and more", r.ParamsBytes, r.RequestBytes, r.AnswerBytes, size)
		}
		var got []string
		var share, sum float64
		for _, s := range r.Stages {
			got = append(got, s.Name)
			share += s.Share
			sum += s.NS
			if s.NS <= 0 || s.Share <= 0 || s.Floor.NS <= 0 || s.Times <= 0 || s.What == "" || s.FloorWhat == "" {
				t.Errorf("size %d: a number or a word is missing: %+v", size, s)
			}
		}
		if diff := cmp.Diff(names, got); diff != "" {
			t.Errorf("size %d: stages (-want +got):\n%s", size, diff)
		}
		if math.Abs(share-100) > 0.1 {
			t.Errorf("size %d: the shares sum to %v", size, share)
		}
		if math.Abs(r.Sum.NS-sum) > 1 || r.Caller.NS <= 0 || r.Caller.NS >= sum {
			t.Errorf("size %d: the sum is %v, and the caller's part %v; the stages sum to %v", size, r.Sum.NS, r.Caller.NS, sum)
		}
		if len(r.Calls) != 2 || r.Calls[0].Window != 1 || r.Calls[1].Window != 64 {
			t.Errorf("size %d: whole calls %+v, want windows of 1 and 64", size, r.Calls)
		}
		for _, c := range r.Calls {
			if c.NS <= 0 || c.Times <= 0 || c.Allocs < 1 {
				t.Errorf("size %d: a number is missing: %+v", size, c)
			}
		}
	}
}

// A report as JSON has all that it has, under names that say the unit.
func TestReportAsJSON(t *testing.T) {
	want := &Report{
		ParamsBytes: 100, RequestBytes: 150, AnswerBytes: 140, Runs: 5, BudgetMS: 100,
		Stages: []Stage{{Name: "scan", What: "w", Cost: Cost{200, 2, 150}, Share: 12.5, FloorWhat: "f", Floor: Cost{8, 0, 0}, Times: 25}},
		Sum:    Cost{200, 2, 150}, Caller: Cost{100, 1, 80},
		Calls: []Calls{{Window: 64, Cost: Cost{9000, 50, 4000}, Times: 1.2}},
	}
	text, err := message.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got := new(Report)
	if err := json.Unmarshal(text, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("there and back (-want +got):\n%s", diff)
	}
	const stage = `"stages":[{"name":"scan","what":"w","ns":200,"allocs":2,"bytes":150,"share_percent":12.5,"floor_what":"f","floor":{"ns":8,"allocs":0,"bytes":0},"times_floor":25}]`
	if !strings.Contains(string(text), stage) {
		t.Errorf("%s\nhas not %s", text, stage)
	}
}

// A countdown is a ctx that ends when it has been asked a number of times whether it has.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever ctx ends, there are the stages that were measured until then, with the shares
// that they have of each other.
func TestLayersInPart(t *testing.T) {
	seen := map[int]bool{}
	for asked := 0; asked < 400; asked += 10 {
		r, err := Layers(&countdown{t.Context(), asked}, Options{Budget: time.Microsecond, Runs: 1})
		if !errors.Is(err, context.Canceled) {
			break
		}
		share := 0.0
		for i, s := range r.Stages {
			share += s.Share
			if s.Name != names[i] {
				t.Errorf("asked %d times: stage %d is %s, want %s", asked, i, s.Name, names[i])
			}
		}
		if n := len(r.Stages); n > 0 && math.Abs(share-100) > 0.1 || n < len(names) && len(r.Calls) > 0 {
			t.Errorf("asked %d times: %d stages with shares of %v, and calls %+v", asked, n, share, r.Calls)
		}
		seen[len(r.Stages)] = true
	}
	if !seen[0] || !seen[len(names)] || len(seen) < 4 {
		t.Errorf("the numbers of stages that were there at the end: %v", seen)
	}
}

// When ctx has ended before, there is nothing.
func TestLayersEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Layers(ctx, Options{})
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Stages) != 0 || r.Sum.NS != 0 {
		t.Errorf("got %+v, %v; want an empty report and context.Canceled", r, err)
	}
	if text, err := message.Encode(r); err != nil || !strings.Contains(string(text), `"stages":[]`) {
		t.Errorf("an empty report is %s, %v", text, err)
	}
	if r, err := Layers(t.Context(), Options{Size: 1}); err == nil || r != nil {
		t.Errorf("a size of 1: %+v, %v; want an error", r, err)
	}
}
