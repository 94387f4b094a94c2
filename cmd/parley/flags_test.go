package main

import (
	"bufio"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/parley-rpc/parley/frame"
)

func TestByteSize(t *testing.T) {
	tests := []struct {
		text string
		want int64 // 0: refused
		back string
	}{
		{"1", 1, "1"},
		{"65536", 65536, "64KiB"},
		{"64k", 65536, "64KiB"},
		{"64MiB", 64 << 20, "64MiB"},
		{"64 mib", 64 << 20, "64MiB"},
		{"2G", 2 << 30, "2GiB"},
		{"1kB", 1000, "1000"},
		{"3MB", 3e6, "3000000"},
		{"5b", 5, "5"},
		{"9223372036854775807", 1<<63 - 1, "9223372036854775807"},
		{text: ""}, {text: "k"}, {text: "0"}, {text: "-1"}, {text: "1.5k"}, {text: "1 k b"}, {text: "1q"}, {text: "+1"},
		{text: "9223372036854775808"}, {text: "9223372036854775807k"}, {text: "8589934592GiB"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var b byteSize
			switch err := b.Set(tt.text); {
			case tt.want == 0 && err == nil:
				t.Errorf("Set takes it for %d", b)
			case tt.want != 0 && err != nil:
				t.Errorf("Set: %v", err)
			case int64(b) != tt.want:
				t.Errorf("Set makes %d of it, want %d", b, tt.want)
			case tt.want != 0 && b.String() != tt.back:
				t.Errorf("String is %s, want %s", b.String(), tt.back)
			}
		})
	}
}

// What String writes, Set reads.
func FuzzByteSize(f *testing.F) {
	f.Add("64MiB")
	f.Add("1000kB")
	f.Fuzz(func(t *testing.T, text string) {
		var b, again byteSize
		if b.Set(text) != nil {
			return
		}
		if err := again.Set(b.String()); err != nil || again != b || b < 1 {
			t.Errorf("%q is %d bytes, written %s, read as %d: %v", text, b, b.String(), again, err)
		}
	})
}

func TestPatience(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "60s": time.Minute, "1m30s": 90 * time.Second, "500ms": time.Second / 2} {
		var p patience
		if err := p.Set(text); err != nil || time.Duration(p) != want {
			t.Errorf("Set(%q) makes %v, %v; want %v", text, time.Duration(p), err, want)
		}
	}
	for _, text := range []string{"", "5", "-1s", "soon"} {
		if p := new(patience); p.Set(text) == nil {
			t.Errorf("Set(%q) makes %v", text, time.Duration(*p))
		}
	}
	for want, d := range map[string]time.Duration{"60s": time.Minute, "0s": 0, "1.5s": 1500 * time.Millisecond, "1h0m0s": time.Hour} {
		if p := patience(d); p.String() != want {
			t.Errorf("String of %v is %s, want %s", d, p.String(), want)
		}
	}
}

func TestSniff(t *testing.T) {
	tests := []struct {
		sentence, in string
		want         frame.Framing
	}{
		{"a line", `{"a":1}` + "\n", frame.Lines},
		{"a header", "Content-Length: 2\r\n\r\n{}", frame.Header},
		{"a header in any case", "CONTENT-type: x\r\n", frame.Header},
		{"a header behind blank lines", "\r\n\r\n Content-Length: 2\r\n", frame.Header},
		{"a header behind a byte order mark", "\xEF\xBB\xBFContent-Length: 2\r\n", frame.Header},
		{"a text sequence", "\x1E{}\n", frame.Seq},
		{"a text sequence behind a byte order mark", "\xEF\xBB\xBF\x1E{}\n", frame.Seq},
		{"a line that begins like a header", "Contents\n", frame.Lines},
		{"an input that ends in the middle", "Conten", frame.Lines},
		{"an input that ends in a byte order mark", "\xEF\xBB", frame.Lines},
		{"no input", "", frame.Lines},
		{"nothing but white space", strings.Repeat(" ", 3*sniffRoom), frame.Lines},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			for way, in := range map[string]*bufio.Reader{
				"whole":        bufio.NewReaderSize(strings.NewReader(tt.in), 2*sniffRoom),
				"byte by byte": bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(tt.in)), 2*sniffRoom),
			} {
				if got := sniff(in); got != tt.want {
					t.Errorf("%s: sniff says %v, want %v", way, got, tt.want)
				}
				rest := new(strings.Builder)
				if _, err := in.WriteTo(rest); err != nil || rest.String() != tt.in {
					t.Errorf("%s: %q is left of %q, %v", way, rest, tt.in, err)
				}
			}
		})
	}
}

// Whoever writes one byte and waits for an answer is not kept waiting for more.
func TestSniffWaitsForNoMore(t *testing.T) {
	for _, first := range []string{"{", "x", "\x1E", "Content-", "\n[", "\xEF\xBB\xBF{"} {
		in := bufio.NewReader(iotest.OneByteReader(&limited{t: t, text: first}))
		sniff(in)
	}
}

// limited fails the test if it is read past its text.
type limited struct {
	t    *testing.T
	text string
}

func (l *limited) Read(p []byte) (int, error) {
	if l.text == "" {
		l.t.Error("sniff reads on although the framing is clear")
	}
	n := copy(p, l.text)
	l.text = l.text[n:]
	return n, nil
}
