package acp

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Version is the version of the protocol that this package has the types of. ACP counts
// versions in whole numbers, and only a change that breaks peers makes a new one.
const Version = 1

// Dialect is what ACP agrees on beyond JSON-RPC 2.0. The editor is the client and starts
// the agent, which is the server.
//
// ACP has no words for progress (a turn reports by session/update, which names its session
// and no call) and none for logs (standard error is free for them).
var Dialect = parley.Dialect{
	Name:    "acp",
	Framing: frame.Lines,
	Codec:   message.Strict,
	NoBatch: true,
	Cancel: parley.Cancel{
		IDNote:   parley.IDNote{Method: string(CancelRequest), Member: "requestId"},
		Answered: true,
	},
	Meta: parley.Meta{Params: "_meta"},
	Waits: map[string]parley.Wait{
		string(RequestPermission): parley.WaitApproval,
		string(ElicitationCreate): parley.WaitInput,
	},
	Words: words,
}

// The codes that ACP adds to those of JSON-RPC. A cancelled call is answered
// [message.CodeRequestCancelled], as in LSP.
const (
	// CodeAuthRequired says that the client has to authenticate before it may do this.
	CodeAuthRequired message.Code = -32000
	// CodeResourceNotFound says that a file, or whatever else was named, is not there.
	CodeResourceNotFound message.Code = -32002
)

// The errors of those codes, to be matched with errors.Is and sent by a handler; see
// [message.Error.With]. They are shared, so nobody may change them.
var (
	ErrAuthRequired     = message.NewError(CodeAuthRequired, "Authentication required")
	ErrResourceNotFound = message.NewError(CodeResourceNotFound, "Resource not found")
)

// ErrVersion says that the other side speaks no version of the protocol that was asked
// for.
var ErrVersion = errors.New("acp: the agent speaks another version of the protocol")

// Handshake opens the connection for a client: it calls initialize and checks the version
// that the agent chose. A ProtocolVersion of 0 in params is taken for [Version].
//
// An agent that does not speak the version answers with the latest that it does (ACP,
// "Initialization"). This is [ErrVersion]; the connection is still open then, and the
// client should close it. Any other error is that of the call. There is no second message
// to send: whoever has the result may start a session.
func Handshake(ctx context.Context, c *parley.Conn, params InitializeParams) (*InitializeResult, error) {
	if params.ProtocolVersion == 0 {
		params.ProtocolVersion = Version
	}
	result, err := Initialize.Call(ctx, c, params)
	if err != nil {
		return nil, fmt.Errorf("acp: the handshake failed: %w", err)
	}
	if result == nil { // The agent answered null.
		result = new(InitializeResult)
	}
	if result.ProtocolVersion != params.ProtocolVersion {
		return nil, fmt.Errorf("%w: %d, and not %d: close the connection, and use a version that both know",
			ErrVersion, result.ProtocolVersion, params.ProtocolVersion)
	}
	return result, nil
}
