package recording

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// write puts text into a file, at its end or instead of what is there.
func write(t *testing.T, path, text string, flag int) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// A followed file is read as it grows, from the start when it was cut, and on in the
// file that has taken its name, which is told; the end of the context is the end of it.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "one\n", 0)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var told []string
		in, err := Follow(ctx, path, &FollowOptions{Again: func(why string) { told = append(told, why) }})
		if err != nil {
			t.Fatal(err)
		}
		records := make(chan string)
		go func() {
			defer close(records)
			for rec, err := range NewReader(in, nil).All() {
				if err != nil {
					t.Error(err)
				}
				records <- string(rec.Raw)
			}
		}()
		expect := func(want string) {
			t.Helper()
			if got := <-records; got != want {
				t.Errorf("read %q, want %q", got, want)
			}
		}
		expect("one")
		start := time.Now()
		write(t, path, "tw", os.O_APPEND)
		synctest.Wait()
		write(t, path, "o\n", os.O_APPEND)
		expect("two")
		if waited := time.Since(start); waited > pollEvery {
			t.Errorf("waited %v", waited)
		}
		write(t, path, "cut\n", os.O_TRUNC)
		expect("cut")

		// What is written to the old file after it lost its name is not lost.
		if err := os.Rename(path, path+".1"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * pollEvery)
		write(t, path+".1", "last\n", os.O_APPEND)
		write(t, path, "new\n", 0)
		expect("last")
		expect("new")

		cancel()
		expect("")
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if want := []string{"the file became shorter", "another file has taken its name"}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
	})
}

// What cannot be followed is refused at once.
func TestFollowRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Follow(t.Context(), dir, nil); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Follow(t.Context(), filepath.Join(dir, "nothing"), nil); !os.IsNotExist(err) {
		t.Errorf("nothing: %v", err)
	}
}

// A context that has ended is the end of the file, whatever is left of it.
func TestFollowEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "text", 0)
	ctx, cancel := context.WithCancel(t.Context())
	in, err := Follow(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	cancel()
	if n, err := in.Read(make([]byte, 9)); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
}
