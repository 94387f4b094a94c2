package measure

import (
	"os"
	"testing"
)

// A pipe holds some bytes, is empty again afterwards, and takes them without a reader.
func TestRoom(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for range 2 {
		n, err := room(r, w)
		if err != nil || n < 512 || n > piece { // 512 is what POSIX promises
			t.Fatalf("room: %d, %v", n, err)
		}
	}
}

// What is longer than a pipe goes through it as well, without anybody who waits.
func TestThrough(t *testing.T) {
	o, done, err := through(make([]byte, 3*piece+1))
	if err != nil {
		t.Fatal(err)
	}
	if err := o(3); err != nil {
		t.Error(err)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	if err := o(1); err == nil {
		t.Error("a pipe that is closed takes more")
	}
}

// Whoever writes to a drained pipe never waits for ever, and done ends the reader.
func TestDrained(t *testing.T) {
	w, done, err := drained()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write(make([]byte, 5*piece)); n != 5*piece || err != nil {
		t.Errorf("Write: %d, %v", n, err)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}
