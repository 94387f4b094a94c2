package codex

import (
	"context"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Dialect is what the app-server agrees on. An editor or another front end is the client and
// starts `codex app-server`, which is the server.
//
// There is no word for taking back any call: what can be taken back has a method for it, such
// as turn/interrupt. Progress and logs are notes of their own.
var Dialect = parley.Dialect{
	Name:     "codex",
	Framing:  frame.Lines,
	Codec:    message.Bare,
	BadInput: parley.SilentOnBadInput,
	NoBatch:  true,
	Withdraw: parley.IDNote{Method: string(Resolved), Member: "requestId"},
	Meta:     parley.Meta{Extra: "trace"},
	Waits: map[string]parley.Wait{
		string(CommandApproval):     parley.WaitApproval,
		string(FileChangeApproval):  parley.WaitApproval,
		string(PermissionsApproval): parley.WaitApproval,
		string(ApplyPatchApproval):  parley.WaitApproval,
		string(ExecCommandApproval): parley.WaitApproval,
		string(RequestUserInput):    parley.WaitInput,
		string(Elicitation):         parley.WaitInput,
	},
	Words: words,
}

// CodeOverloaded is answered when the queue of the server is full. The call was not begun, and
// may be made again after a while that grows from one time to the next. The other codes are
// those of JSON-RPC; -32600 also stands for params that do not fit and for an unknown method,
// where others have -32602 and -32601.
const CodeOverloaded message.Code = -32001

// ErrOverloaded is the error of that code, to be matched with errors.Is. It is shared, so nobody
// may change it.
var ErrOverloaded = message.NewError(CodeOverloaded, "Server overloaded; retry later.")

// Members of the data of an error, where a code says too little.
const (
	// ReasonShuttingDown is the member reason of a -32600 of a server that is about to end.
	ReasonShuttingDown = "serverShuttingDown"
	// InputTooLarge says that the input of a turn is longer than the server takes.
	InputTooLarge = "input_too_large"
)

// Handshake opens the connection for a client: it calls initialize and then sends the note
// initialized. It is done once; before it the server answers every other call "Not
// initialized", and a second time "Already initialized".
func Handshake(ctx context.Context, c *parley.Conn, params InitializeParams) (*InitializeResult, error) {
	result, err := Initialize.Call(ctx, c, params)
	if err != nil {
		return nil, fmt.Errorf("codex: the handshake failed: %w", err)
	}
	if result == nil { // The server answered null.
		result = new(InitializeResult)
	}
	if err := Initialized.Send(ctx, c, nil); err != nil {
		return nil, fmt.Errorf("codex: the handshake failed: %w", err)
	}
	return result, nil
}

// Empty is an object without members: the params or the result of a call that has nothing to
// say. The server wants params in every call, so that nil will not do.
type Empty struct{}

// InitializeParams are the params of [Initialize].
type InitializeParams struct {
	ClientInfo   ClientInfo    `json:"clientInfo"`
	Capabilities *Capabilities `json:"capabilities,omitzero"`
}

// ClientInfo names the client.
type ClientInfo struct {
	Name    string `json:"name"` // goes into the user agent of the server
	Title   string `json:"title,omitzero"`
	Version string `json:"version"`
}

// Capabilities say what the client can do, and what it does not want.
type Capabilities struct {
	ExperimentalAPI bool `json:"experimentalApi"` // it may use what is not stable yet

	// OptOutNotificationMethods are notes that the server does not send: exact names, without
	// wildcards. Unknown ones do no harm.
	OptOutNotificationMethods []string `json:"optOutNotificationMethods,omitzero"`

	RequestAttestation bool `json:"requestAttestation,omitzero"` // it answers attestation/generate
}

// InitializeResult is the result of [Initialize].
type InitializeResult struct {
	UserAgent      string `json:"userAgent"`
	CodexHome      string `json:"codexHome"`      // the folder with configuration and threads
	PlatformFamily string `json:"platformFamily"` // "unix" or "windows"
	PlatformOS     string `json:"platformOs"`     // "linux", "macos", "windows"
}
