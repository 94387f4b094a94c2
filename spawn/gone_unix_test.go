//go:build unix

package spawn

import (
	"strconv"
	"testing"

	"github.com/parley-rpc/parley/internal/group"
)

// Gone waits for what a launcher leaves behind, which Done does not: until then the id
// of the group is taken, and whoever knows it may signal it.
func TestGone(t *testing.T) {
	c := start(t, launcher(t, "deaf", `"$SELF" term <&0 & echo $!`))
	server, err := strconv.Atoi(read(t, c))
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	select {
	case <-c.Gone():
		t.Error("Gone is closed while the server still has its grace")
	default:
	}
	if isZombie(server) {
		t.Error("the server has ended before its grace, so that this shows nothing")
	}
	<-c.Gone()
	if group.HasMembers(c.Pid()) {
		t.Error("Gone is closed and the group has members")
	}
}
