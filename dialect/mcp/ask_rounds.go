package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The bounds of what a request asks its client: the questions over all of its rounds,
// and the bytes of a requestState, which has the answers of earlier rounds in it.
const (
	maxAsked = 64
	maxState = 256 << 10
)

// rounds is what a modern request has asked its client and been told. A nil one asks
// nothing.
//
//	1st run ── asks q1 ─── input_required {q1}, state {open: q1}
//	2nd run ── asks q1, is told, asks q2 ─── input_required {q2}, state {told: q1, open: q2}
//	3rd run ── asks q1 and q2, is told both ─── complete
//
// The server remembers nothing between the runs, so the same state may come twice within
// its time, and the handler then runs twice: no more than a client could have by making
// the request twice. A handler that must not do something twice has to remember it.
type rounds struct {
	server *Server
	bound  func() []byte   // what the state belongs to; see binding
	told   map[string]told // by the keys of their questions

	mu      sync.Mutex
	asked   int                     // in this run
	pending map[string]InputRequest // of those, what has no answer
	next    roundState              // for the next run
}

// roundState is what travels through the client. It is authentic but not secret: what is
// in it, the client has said itself.
type roundState struct {
	Expires int64             `json:"e"` // Unix seconds
	Told    map[string]told   `json:"t,omitempty"`
	Open    map[string]asking `json:"o,omitempty"`
}

// asking is a question that the client has been sent.
type asking struct {
	Method string `json:"m"`
	Digest string `json:"d"`
}

// told is an answer, and to which question.
type told struct {
	Digest string      `json:"d"`
	Result message.Raw `json:"r"`
}

// begin makes it possible for the handler of a modern request to ask, and checks what
// the client says to an earlier round. Answers to what was not asked are passed over, and
// missing ones asked for again ("Multi round-trip requests", error handling).
func (x *exchange) begin(ctx context.Context, name string, args message.Raw, state *string, responses map[string]message.Raw) error {
	if x.era != EraModern {
		return nil
	}
	r := &rounds{server: x.link.server}
	r.bound = func() []byte { return r.server.binding(ctx, name, args) }
	x.rounds = r
	if state == nil {
		return nil // answers without it may be to anything
	}
	last, ok := r.server.openState(*state, r.bound())
	if !ok {
		return invalidAt("/requestState", "it was not given out for this request, or it has expired")
	}
	if r.told = last.Told; r.told == nil {
		r.told = make(map[string]told)
	}
	for key, question := range last.Open {
		response, given := responses[key]
		if !given {
			continue
		}
		if err := checkResponse(question.Method, response); err != nil {
			return invalidUnder("/inputResponses/"+pointerPart(key), err)
		}
		r.told[key] = told{question.Digest, response}
	}
	return nil
}

// checkResponse reports whether a response is a result of the method.
func checkResponse(method string, response message.Raw) error {
	if len(response) == 0 || response[0] != '{' {
		return errors.New("want an object")
	}
	switch method {
	case string(CreateMessage):
		return response.Decode(new(CreateMessageResult))
	case string(ListRoots):
		return response.Decode(new(ListRootsResult))
	}
	var result ElicitResult
	if err := response.Decode(&result); err != nil {
		return err
	}
	if !slices.Contains([]string{ElicitAccept, ElicitDecline, ElicitCancel}, result.Action) {
		return fmt.Errorf("the action %q is none of accept, decline and cancel", brief(result.Action))
	}
	return nil
}

// ask returns what the client has said to a question, or notes the question and returns
// [ErrInputRequired]. The key of a question is its number in the run; an answer to
// another text under that number counts as none.
func (r *rounds) ask(method string, params any) (message.Raw, error) {
	text, err := message.Encode(params)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(append([]byte(method+"\x00"), text...))
	sent := asking{method, base64.RawURLEncoding.EncodeToString(digest[:12])}

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked++; r.asked > maxAsked {
		return nil, fmt.Errorf("mcp: more than %d questions for one request", maxAsked)
	}
	key := "q" + strconv.Itoa(r.asked)
	if r.pending == nil {
		r.pending = make(map[string]InputRequest)
		r.next.Told, r.next.Open = make(map[string]told), make(map[string]asking)
	}
	if was, ok := r.told[key]; ok && was.Digest == sent.Digest {
		r.next.Told[key] = was
		return was.Result, nil
	}
	r.pending[key] = InputRequest{Method: method, Params: text}
	r.next.Open[key] = sent
	return nil, fmt.Errorf("%w: %s", ErrInputRequired, method)
}

// asks reports whether a question waits to be sent.
func (r *rounds) asks() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.pending) > 0
}

// wasTold reports whether the handler has used an answer of the client.
func (r *rounds) wasTold() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.next.Told) > 0
}

// question is what a result that asks has in it.
func (r *rounds) question() (InputRequired, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next.Expires = time.Now().Add(r.server.info.StateTTL).Unix()
	state, err := r.server.sealState(r.next, r.bound())
	if err != nil {
		return InputRequired{}, err
	}
	return InputRequired{InputRequests: r.pending, RequestState: &state}, nil
}

// binding is what a state belongs to: the method, the tool or whatever it is about, the
// arguments as they were sent, and who sent them. The members of the arguments may come
// in another order the next time, as they do from a map; their texts may not change.
func (s *Server) binding(ctx context.Context, name string, args message.Raw) []byte {
	principal := ""
	if s.info.Principal != nil {
		principal = s.info.Principal(ctx)
	}
	parts := []string{parley.RequestFrom(ctx).Method, name, principal}
	var members map[string]message.Raw
	if args.Decode(&members) != nil { // no object: it counts as it is
		members = map[string]message.Raw{"": args}
	}
	for _, member := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, member, members[member].String())
	}
	var bound []byte
	for _, part := range parts {
		bound = binary.AppendUvarint(bound, uint64(len(part)))
		bound = append(bound, part...)
	}
	return bound
}

// sealState makes a requestState: what it says and a MAC (HMAC-SHA256), both in base64.
// What it is bound to is only in the MAC.
func (s *Server) sealState(state roundState, bound []byte) (string, error) {
	text, err := message.Encode(state)
	if err != nil {
		return "", err
	}
	sealed := base64.RawURLEncoding.EncodeToString(text) + "." + base64.RawURLEncoding.EncodeToString(s.mac(text, bound))
	if len(sealed) > maxState {
		return "", message.InternalError.Withf("the answers of the client so far take more than %d bytes", maxState)
	}
	return sealed, nil
}

// openState reads a requestState. Whatever is wrong with it, the client learns no more
// than that something is.
func (s *Server) openState(sealed string, bound []byte) (state roundState, ok bool) {
	if len(sealed) > maxState {
		return state, false
	}
	head, tail, _ := strings.Cut(sealed, ".")
	text, err := base64.RawURLEncoding.Strict().DecodeString(head)
	if err != nil {
		return state, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(tail)
	if err != nil || !hmac.Equal(mac, s.mac(text, bound)) {
		return state, false
	}
	err = message.Raw(text).Decode(&state)
	return state, err == nil && time.Now().Unix() < state.Expires
}

func (s *Server) mac(text, bound []byte) []byte {
	h := hmac.New(sha256.New, s.info.Secret)
	h.Write([]byte("parley mcp requestState 1\x00"))
	h.Write(binary.AppendUvarint(nil, uint64(len(bound))))
	h.Write(bound)
	h.Write(text)
	return h.Sum(nil)
}
