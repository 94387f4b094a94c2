package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// toolsMain is an MCP server of one era that shares no code with parley:
//
//	peer tools legacy|modern|dying|null|nolevel
//
// The last three are of the legacy era. One ends itself as soon as it has served its
// list, with code 4; one answers initialize with null; and one announces logs and
// refuses to set their level. Each serves its list in pages of four. What its tools do is in the cases of run.
func (p *peer) toolsMain(era string) {
	modern := era == "modern"
	for {
		m, err := p.read()
		if err != nil {
			return
		}
		switch {
		case m.ID == nil:
		case modern && m.Method == "server/discover":
			p.write(envelope{ID: m.ID, Result: map[string]any{
				"resultType": "complete", "supportedVersions": []string{"2026-07-28"}, "ttlMs": 0, "cacheScope": "private",
				"capabilities": map[string]any{"tools": map[string]any{}},
				"_meta":        map[string]any{"io.modelcontextprotocol/serverInfo": map[string]any{"name": "fake", "version": "2"}},
			}})
		case era == "null" && m.Method == "initialize":
			p.write(envelope{ID: m.ID, Result: json.RawMessage("null")})
		case !modern && m.Method == "initialize":
			can := map[string]any{"tools": map[string]any{"listChanged": true}}
			if era == "nolevel" {
				can["logging"] = map[string]any{}
			}
			p.write(envelope{ID: m.ID, Result: map[string]any{
				"protocolVersion": "2025-11-25", "serverInfo": map[string]any{"name": "fake", "version": "1"},
				"capabilities": can,
			}})
		case m.Method == "tools/list":
			if last := p.list(m, modern); last && era == "dying" {
				os.Exit(4)
			}
		case m.Method == "tools/call":
			p.call(m, modern)
		case m.Method == "plain":
			p.write(envelope{ID: m.ID, Result: map[string]any{"resultType": "complete"}})
		default:
			p.fail(m.ID, -32601, "Method not found")
		}
	}
}

func (p *peer) fail(id json.RawMessage, code int, text string) {
	p.write(envelope{ID: id, Error: map[string]any{"code": code, "message": text}})
}

// fakeTools are JSON as a server writes it. The order of members is part of the test.
var fakeTools = []string{
	`{"name":"git_log","title":"Log","description":"The newest commits\nof the repository","inputSchema":{"type":"object","properties":{` +
		`"n":{"type":"integer","default":5,"minimum":1,"maximum":100,"description":"how many"},` +
		`"all":{"type":"boolean"},"ratio":{"type":"number","exclusiveMinimum":0},"since":{"type":"string","format":"date","minLength":1},` +
		`"filter":{"$ref":"#/$defs/filter"},"tags":{"type":"array","items":{"type":"string"},"maxItems":3},` +
		`"order":{"enum":["new","old"]},"either":{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]},"any":{}},` +
		`"$defs":{"filter":{"type":"object","properties":{"author":{"type":"string"}},"required":["author"]}}},` +
		`"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]},` +
		`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`,
	`{"name":"get_user","description":"A user","inputSchema":{"type":"object","properties":{"id":{"type":["integer","string"]}},"required":["id"]}}`,
	`{"name":"picture","inputSchema":{"type":"object"}}`,
	`{"name":"structured","inputSchema":{"type":"object"}}`,
	`{"name":"fail","inputSchema":{"type":"object"}}`,
	`{"name":"mute","inputSchema":{"type":"object"}}`,
	`{"name":"ask","description":"Asks the user","inputSchema":{"type":"object"}}`,
	`{"name":"slow","inputSchema":{"type":"object"}}`,
	`{"name":"log","inputSchema":{"type":"object"}}`,
	`{"name":"die","inputSchema":{"type":"object"}}`,
	`{"name":"grow","inputSchema":{"type":"object"}}`,
	`{"name":"steps","inputSchema":{"type":"object"}}`,
	`{"name":"odd\u001b[31m","description":"Tries a \u202etrick\u001b[0m","inputSchema":{"type":"object"}}`,
}

// list answers tools/list. The cursor of a page is where it begins; the one of the second
// page is the empty one, which is a cursor too. It reports whether that was the last page.
func (p *peer) list(m envelope, modern bool) (last bool) {
	var params struct {
		Cursor *string        `json:"cursor"`
		Meta   map[string]any `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params)
	if version := params.Meta["io.modelcontextprotocol/protocolVersion"]; modern && version != "2026-07-28" {
		p.fail(m.ID, -32602, "no version in _meta")
		return false
	}
	const page = 4
	start := 0
	if params.Cursor != nil {
		start = page
		_, _ = fmt.Sscan(*params.Cursor, &start)
	}
	end := min(start+page, len(fakeTools))
	result := map[string]any{"tools": json.RawMessage("[" + strings.Join(fakeTools[start:end], ",") + "]")}
	switch {
	case end == len(fakeTools):
	case end == page:
		result["nextCursor"] = ""
	default:
		result["nextCursor"] = fmt.Sprint(end)
	}
	if modern {
		result["resultType"], result["ttlMs"], result["cacheScope"] = "complete", 0, "private"
	}
	p.write(envelope{ID: m.ID, Result: result})
	return end == len(fakeTools)
}

// call answers tools/call.
func (p *peer) call(m envelope, modern bool) {
	var params struct {
		Name      string                     `json:"name"`
		Arguments json.RawMessage            `json:"arguments"`
		Responses map[string]json.RawMessage `json:"inputResponses"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
			Level string          `json:"io.modelcontextprotocol/logLevel"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(m.Params, &params); err != nil {
		p.fail(m.ID, -32602, err.Error())
		return
	}
	text := func(texts ...string) []any {
		blocks := []any{}
		for _, t := range texts {
			blocks = append(blocks, map[string]any{"type": "text", "text": t})
		}
		return blocks
	}
	result := map[string]any{"content": []any{}}
	if modern {
		result["resultType"] = "complete"
	}
	switch params.Name {
	case "git_log":
		result["content"] = text(string(params.Arguments), "second")
		result["extra"] = json.RawMessage("1.0")
	case "picture":
		result["content"] = []any{
			map[string]any{"type": "image", "mimeType": "image/png", "data": "AAAA"},
			map[string]any{"type": "audio", "mimeType": "audio/wav", "data": "AAAAAAAA"},
			map[string]any{"type": "resource_link", "uri": "file:///a", "name": "a"},
			map[string]any{"type": "resource", "resource": map[string]any{"uri": "file:///b", "text": "the text of b\n"}},
			map[string]any{"type": "resource", "resource": map[string]any{"uri": "file:///c", "mimeType": "x/y", "blob": "AAAA"}},
		}
	case "structured":
		result["structuredContent"] = json.RawMessage(`{"n": 12345678901234567890}`)
	case "fail":
		result["content"], result["isError"] = text("disk full\nsecond line"), true
	case "mute":
		result["isError"] = true
	case "ask":
		p.ask(m, modern, params.Responses)
		return
	case "slow":
		p.slowly(m, params.Meta.Token)
		return
	case "steps":
		for i := range 5 {
			time.Sleep(200 * time.Millisecond)
			p.write(envelope{Method: "notifications/progress", Params: fmt.Appendf(nil, `{"progressToken":%s,"progress":%d.5}`, params.Meta.Token, i)})
		}
		result["content"] = text("done")
	case "log":
		p.write(envelope{Method: "notifications/message", Params: json.RawMessage(`{"level":"warning","logger":"disk","data":"nearly full"}`)})
		p.write(envelope{Method: "notifications/message", Params: json.RawMessage(`{"level":"info","data":{"free":3}}`)})
		result["content"] = text("level " + params.Meta.Level)
	case "die":
		fmt.Fprintln(os.Stderr, "peer: out of luck")
		os.Exit(3)
	case "grow":
		fakeTools = append(fakeTools, `{"name":"late","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`)
		p.write(envelope{Method: "notifications/tools/list_changed"})
		result["content"] = text("grown")
	case "late":
		result["content"] = text("late " + string(params.Arguments))
	default:
		p.fail(m.ID, -32602, "Unknown tool: "+params.Name)
		return
	}
	p.write(envelope{ID: m.ID, Result: result})
}

// ask asks the user in the way of the era and returns what came back.
func (p *peer) ask(m envelope, modern bool, responses map[string]json.RawMessage) {
	question := json.RawMessage(`{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}`)
	answer := string(responses["q"])
	switch {
	case modern && responses == nil:
		p.write(envelope{ID: m.ID, Result: map[string]any{
			"resultType": "input_required", "requestState": "s",
			"inputRequests": map[string]any{"q": map[string]any{"method": "elicitation/create", "params": question}},
		}})
		return
	case !modern:
		p.write(envelope{ID: json.RawMessage(`"q"`), Method: "elicitation/create", Params: question})
		reply, err := p.read()
		if err != nil {
			return
		}
		all, _ := json.Marshal([]any{reply.Result, reply.Error})
		answer = string(all)
	}
	p.write(envelope{ID: m.ID, Result: map[string]any{
		"resultType": "complete", "content": []any{map[string]any{"type": "text", "text": answer}},
	}})
}

// slowly reports progress twice and then waits to be cancelled.
func (p *peer) slowly(m envelope, token json.RawMessage) {
	for i := range 2 {
		if token != nil {
			p.write(envelope{Method: "notifications/progress", Params: fmt.Appendf(nil,
				`{"progressToken":%s,"progress":%d,"total":10,"message":"half way"}`, token, i+1)})
		}
	}
	note, err := p.read()
	if err == nil && note.Method == "notifications/cancelled" {
		fmt.Fprintf(os.Stderr, "peer: cancelled %s\n", m.ID)
	}
}
