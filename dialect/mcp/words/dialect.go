package words

import (
	"log/slog"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Dialect is MCP with the words of both eras, for a stream whose era is not known.
var Dialect = dialect("mcp", union(legacyWords, modernWords))

// Legacy is MCP of the revisions 2024-11-05 to 2025-11-25.
var Legacy = dialect("mcp-legacy", legacyWords)

// Modern is MCP of the revision 2026-07-28 and of the extension
// io.modelcontextprotocol/tasks. Its words include the three requests that a server
// makes inside a result, since they are what its client then owes.
var Modern = dialect("mcp-modern", modernWords)

// dialect is what the eras have in common, with the words of one or both.
func dialect(name string, known []parley.Word) parley.Dialect {
	return parley.Dialect{
		Name:    name,
		Framing: frame.Lines,
		Codec:   message.Strict,
		NoBatch: true,
		Cancel:  parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}},
		Progress: parley.ProgressWords{
			Method: "notifications/progress",
			Token:  progressToken,
			Ask:    []string{meta, progressToken},
		},
		Log:  parley.LogWords{Method: "notifications/message", Params: logParams},
		Meta: parley.Meta{Params: meta},
		Waits: map[string]parley.Wait{
			"elicitation/create":     parley.WaitInput,
			"sampling/createMessage": parley.WaitApproval,
		},
		Words: known,
	}
}

// A logRecord is what a log note says.
type logRecord struct {
	Level  Level       `json:"level"`
	Logger string      `json:"logger,omitzero"`
	Data   message.Raw `json:"data"`
}

// logParams makes the params of a log note. The data is the text alone or, if the
// record has attributes, an object with the text as msg; an attribute logger names the
// logger. The time is left out, because the receiver has its own.
func logParams(level slog.Level, msg string, attrs message.Raw) any {
	params := logRecord{Level: LevelOf(level)}
	var data map[string]message.Raw
	// slog's own JSON handler wrote attrs. If a ReplaceAttr made two members of one
	// name, the text still arrives.
	if attrs.Decode(&data) != nil {
		data = nil
	}
	for _, known := range []string{slog.TimeKey, slog.LevelKey, slog.MessageKey} {
		delete(data, known)
	}
	if data["logger"].Decode(&params.Logger) == nil {
		delete(data, "logger")
	}
	// Strings and what slog wrote always have a JSON form.
	params.Data, _ = message.Encode(msg)
	if len(data) > 0 {
		data[slog.MessageKey] = params.Data
		params.Data, _ = message.Encode(data)
	}
	return params
}
