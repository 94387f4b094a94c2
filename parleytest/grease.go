package parleytest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync"
)

// Grease returns a writer that makes the lines which pass through it harder to read,
// without changing what they mean: blank lines and unknown notes between them, unknown
// members in them, and members in another order. A peer that follows JSON-RPC 2.0 does
// not notice, save that its handler may be given the unknown notes.
//
// A Write should be one or more whole lines, as those of a [frame.Stream] are up to 64 KiB;
// a piece of a longer line passes as it is. The seed makes a run repeatable.
func Grease(w io.Writer, seed uint64) io.Writer {
	return &grease{w: w, rand: rand.New(rand.NewPCG(seed, seed))} //nolint:gosec // Not for secrets.
}

type grease struct {
	mu   sync.Mutex
	w    io.Writer
	rand *rand.Rand

	inside bool // the line before has not ended yet
}

// The note and the member that nobody knows.
const (
	unknownNote   = `{"jsonrpc":"2.0","method":"$/grease","params":{"a":[null,{}]}}` + "\n"
	unknownMember = `"x-grease":[{"\"":"}{"},1e2]`
)

var version = []byte(`"jsonrpc":"2.0",`)

// Write passes lines on with grease on them, in one write.
func (g *grease) Write(lines []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out bytes.Buffer
	for line := range bytes.Lines(lines) {
		whole := bytes.HasSuffix(line, []byte("\n"))
		if !whole || g.inside {
			out.Write(line)
			g.inside = !whole
			continue
		}
		switch g.rand.IntN(6) {
		case 0:
			out.WriteString(" \t\r\n")
		case 1:
			out.WriteString(unknownNote)
		}
		g.member(&out, line)
	}
	if _, err := g.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// member writes a line, perhaps with another member at its start or with the jsonrpc
// member at its end.
func (g *grease) member(out *bytes.Buffer, line []byte) {
	rest, object := bytes.CutPrefix(line, []byte("{"))
	if !object || bytes.HasPrefix(rest, []byte("}")) {
		out.Write(line)
		return
	}
	out.WriteByte('{')
	switch g.rand.IntN(3) {
	case 0:
		out.WriteString(unknownMember + ",")
		out.Write(rest)
	case 1:
		moved, ok := bytes.CutPrefix(rest, version)
		end := bytes.LastIndexByte(moved, '}')
		if !ok || end < 0 {
			out.Write(rest)
			return
		}
		out.Write(moved[:end])
		out.WriteByte(',')
		out.Write(bytes.TrimSuffix(version, []byte(",")))
		out.Write(moved[end:])
	default:
		out.Write(rest)
	}
}
