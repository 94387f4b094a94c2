package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// peerMain is a server that shares no code with parley. Its argument says which one:
//
//	mcp   does nothing before the handshake; pings its client in every call
//	lsp   likewise, by headers; tells on stderr how it was left
//	slow  reports progress five times, 500 ms apart, before each answer
//	tools is an MCP server with tools (tool_peer_test.go)
func peerMain() {
	p := &peer{in: bufio.NewReader(os.Stdin), lsp: os.Args[1] == "lsp"}
	if os.Args[1] == "tools" {
		p.toolsMain(os.Args[2])
		return
	}
	for {
		m, err := p.read()
		if err != nil {
			fmt.Fprintln(os.Stderr, "peer: end of input")
			return
		}
		if os.Args[1] == "slow" {
			p.slow(m)
		} else {
			p.answer(m)
		}
	}
}

type peer struct {
	in    *bufio.Reader
	lsp   bool
	hello json.RawMessage // the params of initialize
	ready bool            // the note after it has come
	down  bool            // shutdown was called
}

// envelope is any message.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

func (p *peer) read() (m envelope, err error) {
	line, err := p.in.ReadString('\n')
	if err != nil {
		return m, err
	}
	text := []byte(line)
	if p.lsp {
		var size int
		if _, err := fmt.Sscanf(line, "Content-Length: %d\r\n", &size); err != nil {
			return m, err
		}
		text = make([]byte, len("\r\n")+size)
		if _, err := io.ReadFull(p.in, text); err != nil {
			return m, err
		}
	}
	err = json.Unmarshal(text, &m)
	return m, err
}

func (p *peer) write(m envelope) {
	m.JSONRPC = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	if p.lsp {
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(text), text)
		return
	}
	fmt.Printf("%s\n", text)
}

// answer keeps to the order of the handshake: initialize, the note, calls, and in LSP
// shutdown and exit.
func (p *peer) answer(m envelope) {
	switch {
	case m.Method == "initialize" && p.hello == nil:
		p.hello = m.Params
		p.write(envelope{ID: m.ID, Result: map[string]any{"capabilities": map[string]any{}}})
	case strings.HasSuffix(m.Method, "initialized") && m.ID == nil && p.hello != nil:
		p.ready = true
	case m.Method == "shutdown" && p.lsp:
		p.down = true
		p.write(envelope{ID: m.ID, Result: json.RawMessage("null")})
	case m.Method == "exit" && p.lsp:
		fmt.Fprintln(os.Stderr, "peer: exit, after shutdown:", p.down)
		os.Exit(0)
	case !p.ready:
		p.write(envelope{ID: m.ID, Error: map[string]any{"code": -32002, "message": "not initialized"}})
	case p.lsp:
		p.write(envelope{ID: m.ID, Result: map[string]any{"hello": p.hello}})
	default:
		p.write(envelope{ID: json.RawMessage(`"ping-1"`), Method: "ping"})
		pong, _ := p.read()
		p.write(envelope{ID: m.ID, Result: map[string]any{"hello": p.hello, "pong": pong.Result, "asked": m.Params}})
	}
}

// slow reports progress in the words of plain JSON-RPC: the token is the id.
func (p *peer) slow(m envelope) {
	if m.ID == nil {
		return // our client has given up, and cancels
	}
	for range 5 {
		time.Sleep(500 * time.Millisecond)
		p.write(envelope{Method: "$/progress", Params: fmt.Appendf(nil, `{"token":%s,"value":{}}`, m.ID)})
	}
	p.write(envelope{ID: m.ID, Result: "done"})
}
