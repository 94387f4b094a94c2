//go:build unix

package toolbox

import (
	"os/exec"
	"testing"
)

// BenchmarkTrue runs /bin/true as a tool. What it takes beyond [BenchmarkForkExec] is
// what the toolbox costs.
func BenchmarkTrue(b *testing.B) {
	box := open(b, "tools: [{name: t, run: [\"true\"]}]")
	for b.Loop() {
		if _, err := box.Handle(b.Context(), "t", nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkForkExec runs it with nothing around.
func BenchmarkForkExec(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := (&exec.Cmd{Path: path}).Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
