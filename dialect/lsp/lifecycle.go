package lsp

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// Handshake opens a conversation as the client: it sends initialize, waits for the
// answer, and sends initialized ("Server lifecycle"). Nothing else may be called before
// it returns.
func Handshake(ctx context.Context, c *parley.Conn, params InitializeParams) (*InitializeResult, error) {
	result, err := Initialize.Call(ctx, c, params)
	if err != nil {
		return nil, fmt.Errorf("lsp: handshake: %w", err)
	}
	if result == nil {
		return nil, errors.New("lsp: handshake: the server answered initialize with null")
	}
	if err := Initialized.Send(ctx, c, InitializedParams{}); err != nil {
		return nil, fmt.Errorf("lsp: handshake: %w", err)
	}
	return result, nil
}

// Shutdown ends a conversation as the client: it sends shutdown, waits for the answer,
// sends exit, and returns when that is written. The process of the server is then about
// to end, with code 0; c is still open.
//
// A server that refuses to shut down is told to exit all the same, and its refusal is
// returned. If it does not answer before ctx ends, exit is not sent: close c then.
func Shutdown(ctx context.Context, c *parley.Conn) error {
	_, err := RequestShutdown.Call(ctx, c, nil)
	if err != nil {
		err = fmt.Errorf("lsp: shutdown: %w", err)
		if _, refused := errors.AsType[*message.Error](err); !refused {
			return err
		}
	}
	if sent := Exit.Send(ctx, c, nil); sent != nil {
		return errors.Join(err, fmt.Errorf("lsp: exit: %w", sent))
	}
	if sent := c.Flush(ctx); sent != nil {
		return errors.Join(err, fmt.Errorf("lsp: exit: %w", sent))
	}
	return err
}

// InitializeParams are the params of initialize.
type InitializeParams struct {
	// ProcessID is the process that the server serves. When that is gone the server
	// should end by itself. Nil: there is none.
	ProcessID *int `json:"processId"`

	ClientInfo *Program `json:"clientInfo,omitzero"`
	Locale     string   `json:"locale,omitzero"` // of the user interface, such as "de-AT"

	// RootURI is the folder that is open, nil for none. WorkspaceFolders has several,
	// where the server can take them.
	RootURI          *string           `json:"rootUri"`
	WorkspaceFolders []WorkspaceFolder `json:"workspaceFolders,omitzero"`

	// InitializationOptions are for this server only; its manual has them.
	InitializationOptions message.Raw `json:"initializationOptions,omitzero"`

	// Capabilities are what the client can do, by the section of the protocol. Nil is
	// written as none.
	Capabilities map[string]message.Raw `json:"capabilities"`

	Trace         string     `json:"trace,omitzero"` // empty: off
	WorkDoneToken message.ID `json:"workDoneToken,omitzero"`
}

// InitializeResult is the answer to initialize.
type InitializeResult struct {
	// Capabilities are what the server can do, by the name of its provider. Nil is
	// written as none.
	Capabilities map[string]message.Raw `json:"capabilities"`
	ServerInfo   *Program               `json:"serverInfo,omitzero"`
}

// InitializeError is the data of an error that initialize was answered with.
type InitializeError struct {
	Retry bool `json:"retry"` // ask the user whether to try again
}

// InitializedParams are the params of initialized.
type InitializedParams struct{}

// Program names a program.
type Program struct {
	Name    string `json:"name"`
	Version string `json:"version,omitzero"`
}

// RegistrationParams are the params of client/registerCapability.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// Registration asks the client to send a method to the server from now on.
type Registration struct {
	ID              string      `json:"id"` // by which it can be taken back
	Method          string      `json:"method"`
	RegisterOptions message.Raw `json:"registerOptions,omitzero"`
}

// UnregistrationParams are the params of client/unregisterCapability.
type UnregistrationParams struct {
	// The misspelled name is that of the protocol, which keeps it until its next
	// major version.
	Unregistrations []Unregistration `json:"unregisterations"`
}

// Unregistration takes a registration back.
type Unregistration struct {
	ID     string `json:"id"`
	Method string `json:"method"`
}
