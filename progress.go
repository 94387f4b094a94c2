package parley

import (
	"context"

	"github.com/parley-rpc/parley/message"
)

// Progress reports value on the call that the handler of ctx answers, in the words of
// the dialect. It returns [ErrFinished] when the reply is queued already. Where
// nobody asked for progress, and in the handler of a note, it does nothing.
//
// In a dialect that spreads the value beside the token (MCP), value must encode as a
// JSON object.
func Progress(ctx context.Context, value any) error {
	w := workFrom(ctx)
	if w == nil || w.req.IsNote() {
		return nil
	}
	words := &w.conn.set.dialect.Progress
	token := progressToken(words, w.req)
	if words.Method == "" || len(token) == 0 {
		return nil
	}
	raw, err := message.Encode(value)
	if err != nil {
		return err
	}
	params, err := progressParams(words, token, raw)
	if err != nil {
		return err
	}
	return w.conn.post(ctx, func(s *state) error {
		if w.answered {
			return ErrFinished
		}
		rec, err := s.set.codec.Append(nil, &message.Request{Method: words.Method, Params: params})
		if err == nil {
			s.push(&outgoing{rec: rec})
		}
		return err
	})
}

// progressParams are the params of a progress note.
func progressParams(words *ProgressWords, token, value message.Raw) (message.Raw, error) {
	if words.Value == "" {
		return value.Set(token, words.Token)
	}
	params, err := message.Raw(nil).Set(token, words.Token)
	if err != nil {
		return nil, err
	}
	return params.Set(value, words.Value)
}

// OnProgress returns a ctx under which the calls that are made report their progress
// to fn, one value at a time, in the order of notes and before Call returns. Inside a
// handler, where Call does not wait for notes, values that could not be handled before the
// reply are dropped. It also asks for progress in a dialect in which that has to be asked
// for.
func OnProgress(ctx context.Context, fn func(value message.Raw)) context.Context {
	return context.WithValue(ctx, progressKey, fn)
}

func progressFrom(ctx context.Context) func(message.Raw) {
	fn, _ := ctx.Value(progressKey).(func(message.Raw))
	return fn
}

// progressToken is the token under which the caller of req wants progress, or nil.
func progressToken(words *ProgressWords, req *message.Request) message.Raw {
	if len(words.Ask) == 0 {
		return message.Raw(req.ID.String())
	}
	at := req.Params
	for _, name := range words.Ask {
		at, _ = at.Member(name) // of nothing, there is none
	}
	return at
}

// progressOf returns the function that wants the progress on a call of ours, or nil.
func (s *state) progressOf(token message.ID) func(message.Raw) {
	p := s.calls[token]
	if p == nil || p.progress == nil {
		return nil
	}
	fn := p.progress
	if !p.alone {
		return fn
	}
	// A call inside a handler does not wait for the notes before its reply. What has
	// not been told by then has no use any more.
	return func(value message.Raw) {
		p.conn.mu.Lock()
		settled := p.settled
		p.conn.mu.Unlock()
		if !settled {
			fn(value)
		}
	}
}

// progressValue is the value in the params of a progress note.
func progressValue(words *ProgressWords, params message.Raw) message.Raw {
	if words.Value == "" {
		return params
	}
	value, _ := params.Member(words.Value)
	return value
}
