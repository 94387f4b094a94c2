// Package reference answers the methods of "parley serve --reference": small ones
// with known answers, for people who write clients and for our own tests.
//
// Subtract is left out on purpose: docs/exercises.md asks what a server without it
// has to answer.
package reference

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The methods, as a client of them would declare them too.
const (
	Echo     parley.Method[message.Raw, message.Raw]    = "echo"
	Nil      parley.Method[message.Raw, message.Raw]    = "nil"
	Add      parley.Method[Operands, message.Raw]       = "add"
	Multiply parley.Method[Operands, message.Raw]       = "multiply"
	Boom     parley.Method[message.Raw, message.Raw]    = "boom"
	Panic    parley.Method[message.Raw, message.Raw]    = "panic"
	Sleep    parley.Method[SleepParams, string]         = "sleep"
	Remember parley.Note[message.Raw]                   = "note"
	Notes    parley.Method[message.Raw, []message.Raw]  = "notes"
	Callback parley.Method[CallbackParams, message.Raw] = "callback"
	Progress parley.Method[ProgressParams, int]         = "progress"
	Blob     parley.Method[BlobParams, string]          = "blob"
	Exit     parley.Method[ExitParams, message.Raw]     = "exit"
)

// SleepParams says how long to sleep, in milliseconds.
type SleepParams struct {
	MS int64 `json:"ms"`
}

// CallbackParams says what to call on the caller.
type CallbackParams struct {
	Method string      `json:"method"`
	Params message.Raw `json:"params,omitempty"`
}

// ProgressParams says how many progress notes to send.
type ProgressParams struct {
	N int `json:"n"`
}

// ProgressValue is what each of them reports.
type ProgressValue struct {
	Progress int `json:"progress"`
	Total    int `json:"total"`
}

// BlobParams says how many bytes the returned string has.
type BlobParams struct {
	Bytes int `json:"bytes"`
}

// ExitParams says with which code the process is to end.
type ExitParams struct {
	Code int `json:"code"`
}

const (
	maxBlob     = 1 << 30 // bytes that blob returns at most
	maxNotes    = 8 << 20 // bytes of notes that are remembered; older ones are forgotten
	maxProgress = 1_000_000
	maxSleep    = 24 * 60 * 60 * 1000 // milliseconds
	maxCode     = 255                 // of a process
)

// NewMux returns the reference methods. The method exit closes its connection, so
// that its answer is written, and then calls exit; nil means that it only closes.
func NewMux(exit func(code int)) *parley.Mux {
	mem := new(memory)
	return parley.NewMux(
		Echo.Handle(func(_ context.Context, params message.Raw) (message.Raw, error) { return params, nil }),
		Nil.Handle(func(context.Context, message.Raw) (message.Raw, error) { return nil, nil }),
		Add.Handle(add),
		Multiply.Handle(multiply),
		Boom.Handle(func(context.Context, message.Raw) (message.Raw, error) {
			return nil, message.NewError(1, "boom")
		}),
		Panic.Handle(func(context.Context, message.Raw) (message.Raw, error) {
			panic("the method panic was called")
		}),
		Sleep.Handle(sleep),
		Remember.Handle(mem.remember),
		Notes.Handle(mem.recall),
		Callback.Handle(callback),
		Progress.Handle(progress),
		Blob.Handle(blob),
		Exit.Handle(func(ctx context.Context, p ExitParams) (message.Raw, error) {
			if p.Code < 0 || p.Code > maxCode {
				return nil, invalid("/code", fmt.Sprintf("want 0 to %d, got %d", maxCode, p.Code))
			}
			go func() {
				_ = parley.Caller(ctx).Close()
				if exit != nil {
					exit(p.Code)
				}
			}()
			return nil, nil
		}),
	)
}

func sleep(ctx context.Context, p SleepParams) (string, error) {
	if p.MS < 0 || p.MS > maxSleep {
		return "", invalid("/ms", fmt.Sprintf("want 0 to %d ms, got %d", maxSleep, p.MS))
	}
	select {
	case <-time.After(time.Duration(p.MS) * time.Millisecond):
		return fmt.Sprintf("slept %d", p.MS), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func callback(ctx context.Context, p CallbackParams) (message.Raw, error) {
	var params any
	if len(p.Params) > 0 {
		params = p.Params
	}
	var result message.Raw
	err := parley.Caller(ctx).Call(ctx, p.Method, params, &result)
	return result, err
}

func progress(ctx context.Context, p ProgressParams) (int, error) {
	if p.N < 0 || p.N > maxProgress {
		return 0, invalid("/n", fmt.Sprintf("want 0 to %d notes, got %d", maxProgress, p.N))
	}
	for i := range p.N {
		if err := parley.Progress(ctx, ProgressValue{i + 1, p.N}); err != nil {
			return 0, err
		}
	}
	return p.N, nil
}

func blob(_ context.Context, p BlobParams) (string, error) {
	if p.Bytes < 0 || p.Bytes > maxBlob {
		return "", invalid("/bytes", fmt.Sprintf("want 0 to %d bytes, got %d", maxBlob, p.Bytes))
	}
	return strings.Repeat("x", p.Bytes), nil
}

// invalid is -32602 in the shape that typed params give it.
func invalid(pointer, reason string) error {
	return message.InvalidParams.With(struct {
		Pointer string `json:"pointer"`
		Reason  string `json:"reason"`
	}{pointer, reason})
}

// memory keeps the params of notes in the order in which they were handled.
type memory struct {
	mu    sync.Mutex
	notes []message.Raw
	bytes int
}

func (m *memory) remember(_ context.Context, params message.Raw) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if params == nil {
		params = message.Raw("null")
	}
	m.notes = append(m.notes, params)
	m.bytes += len(params)
	for m.bytes > maxNotes && len(m.notes) > 1 {
		m.bytes -= len(m.notes[0])
		m.notes = m.notes[1:]
	}
	return nil
}

func (m *memory) recall(context.Context, message.Raw) ([]message.Raw, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]message.Raw{}, m.notes...), nil
}
