//go:build claude

package claude

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The SDK starts this test binary again where it means to start claude. With these in its environment the binary
// starts the agent instead, stands between the two, and notes each line that passes.
const (
	recordTo    = "PARLEY_RECORD_TO"    // the file to note lines in
	recordAgent = "PARLEY_RECORD_AGENT" // the agent to start
)

// A recorder writes the shape of a transcript that package recording reads.
type recorder struct {
	mu    sync.Mutex
	start time.Time
	file  *os.File
	err   error // the first of writing
}

type entry struct {
	T   float64 `json:"t"` // in milliseconds
	Dir string  `json:"dir"`
	Raw string  `json:"raw"`
}

func (r *recorder) note(dir, raw string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line, err := json.Marshal(entry{float64(time.Since(r.start).Microseconds()) / 1000, dir, raw})
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// pass copies lines to the other side, each after it was noted: no answer is noted before what it answers.
func (r *recorder) pass(dir string, to io.Writer, from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if n := len(line); n > 0 && line[n-1] == '\n' {
			r.note(dir, line[:n-1])
		} else if n > 0 {
			r.note("cut "+dir, line)
		}
		if _, failed := io.WriteString(to, line); failed != nil || err != nil {
			return
		}
	}
}

// record is the whole life of a recorder. It returns the exit status of the agent.
func record() int {
	file, err := os.OpenFile(os.Getenv(recordTo), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		return 1
	}
	r := &recorder{start: time.Now(), file: file}
	agent := exec.Command(os.Getenv(recordAgent), os.Args[1:]...)
	agent.Stderr = os.Stderr
	in, inErr := agent.StdinPipe()
	out, outErr := agent.StdoutPipe()
	for _, err := range []error{inErr, outErr, agent.Start()} {
		if err != nil {
			fmt.Fprintln(os.Stderr, "recorder:", err)
			return 1
		}
	}
	// The SDK may go on after the agent has ended; this process does not wait for it.
	go func() {
		r.pass("sdk->agent", in, os.Stdin)
		in.Close()
	}()
	r.pass("agent->sdk", os.Stdout, out)
	_ = agent.Wait() // the exit status tells
	code := agent.ProcessState.ExitCode()
	r.note("exit", fmt.Sprintf(`{"code":%d}`, code))
	if r.err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", r.err)
		return 1
	}
	return code
}
