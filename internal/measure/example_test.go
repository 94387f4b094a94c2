package measure_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/parley-rpc/parley/internal/measure"
)

func ExampleLayers() {
	report, err := measure.Layers(context.Background(), measure.Options{Size: 200, Budget: time.Millisecond, Runs: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, stage := range report.Stages {
		fmt.Printf("%s; floor: %s\n", stage.Name, stage.FloorWhat)
	}
	fmt.Println("whole calls with a window of", report.Calls[0].Window, "and", report.Calls[1].Window)
	// Output:
	// raw pipe; floor: it is the one of every transport over stdio
	// framing; floor: bytes.IndexByte over what was read, and one copy of it
	// scan; floor: utf8.Valid: one look at each byte
	// decode; floor: encoding/json.Unmarshal of the same: what everybody has, and so it may be beaten
	// dispatch; floor: one goroutine begun, and one value handed back by it
	// answer; floor: append of the ready bytes
	// write; floor: write(2) of the ready line there
	// whole calls with a window of 1 and 64
}

func ExampleHistogram() {
	var h measure.Histogram
	for i := range 1000 {
		h.Add(time.Duration(i+1) * time.Microsecond)
	}
	p99 := h.Quantile(0.99)
	fmt.Println(h.Count(), h.Min(), h.Max(), p99.Round(10*time.Microsecond))
	// Output: 1000 1µs 1ms 990µs
}

func ExampleTable() {
	table := measure.Table{Columns: []measure.Column{{Head: "stage"}, {}, {Head: "time", Right: true}, {Head: "share", Right: true}}}
	times := []float64{1500, 250, 250}
	shares := measure.Shares(times)
	for i, name := range []string{"raw pipe", "scan", "write"} {
		bar := measure.Bar(times[i], 100, 1500, 12)
		table.Rows = append(table.Rows, []string{name, bar, measure.Duration(times[i]), fmt.Sprintf("%.1f %%", shares[i])})
	}
	for _, line := range table.Lines() {
		fmt.Println(line)
	}
	fmt.Println(measure.Count(54600), "calls/s")
	// Output:
	// stage                      time   share
	// raw pipe  █░░░░░░░░░░░  1.50 µs  75.0 %
	// scan      █░             250 ns  12.5 %
	// write     █░             250 ns  12.5 %
	// 54,600 calls/s
}
