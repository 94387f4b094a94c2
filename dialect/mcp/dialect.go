package mcp

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
func dialect(name string, words []parley.Word) parley.Dialect {
	return parley.Dialect{
		Name:    name,
		Framing: frame.Lines,
		Codec:   message.Strict,
		NoBatch: true,
		Cancel:  parley.Cancel{IDNote: parley.IDNote{Method: string(Cancelled), Member: "requestId"}},
		Progress: parley.ProgressWords{
			Method: string(Progress),
			Token:  metaProgressToken,
			Ask:    []string{metaMember, metaProgressToken},
		},
		Log:  parley.LogWords{Method: string(LogMessage), Params: logParams},
		Meta: parley.Meta{Params: metaMember},
		Waits: map[string]parley.Wait{
			string(Elicit):        parley.WaitInput,
			string(CreateMessage): parley.WaitApproval,
		},
		Words: words,
	}
}

// An Era is one of the two protocols that share the name MCP.
type Era uint8

// The eras.
const (
	EraLegacy Era = iota + 1 // revisions up to 2025-11-25: a handshake, then state
	EraModern                // revision 2026-07-28: every request stands alone
)

// String returns "legacy", "modern" or "unknown".
func (e Era) String() string {
	switch e {
	case EraLegacy:
		return "legacy"
	case EraModern:
		return "modern"
	}
	return "unknown"
}

// EraOf tells by a request, best the first one of a stream, which era its sender
// speaks. A method that only one era has decides; else a protocol version in the _meta
// of the params means the modern era, which requires it there. It is false if the
// request could be of either.
func EraOf(req *message.Request) (Era, bool) {
	_, legacy := find(legacyWords, req.Method)
	_, modern := find(modernWords, req.Method)
	switch {
	case legacy && !modern:
		return EraLegacy, true
	case modern && !legacy:
		return EraModern, true
	}
	meta, _ := req.Params.Member(metaMember)
	if _, ok := meta.Member(MetaProtocolVersion); ok {
		return EraModern, true
	}
	return 0, false
}

// A Level is how much a log message matters, in the words of syslog (RFC 5424, section
// 6.2.1), which MCP uses.
type Level string

// The levels, from the least to the most severe.
const (
	LevelDebug     Level = "debug"
	LevelInfo      Level = "info"
	LevelNotice    Level = "notice"
	LevelWarning   Level = "warning"
	LevelError     Level = "error"
	LevelCritical  Level = "critical"
	LevelAlert     Level = "alert"
	LevelEmergency Level = "emergency"
)

// slogLevels are the levels with the first slog level that each stands for, ascending.
// slog leaves gaps of four between its own so that levels of others find room.
var slogLevels = []struct {
	name  Level
	level slog.Level
}{
	{LevelDebug, slog.LevelDebug},
	{LevelInfo, slog.LevelInfo},
	{LevelNotice, slog.LevelInfo + 2},
	{LevelWarning, slog.LevelWarn},
	{LevelError, slog.LevelError},
	{LevelCritical, slog.LevelError + 4},
	{LevelAlert, slog.LevelError + 8},
	{LevelEmergency, slog.LevelError + 12},
}

// LevelOf returns the most severe level that the slog level reaches; what is below
// slog's Debug is debug too.
func LevelOf(level slog.Level) Level {
	name := LevelDebug
	for _, l := range slogLevels {
		if level >= l.level {
			name = l.name
		}
	}
	return name
}

// Slog returns the slog level that the level stands for, such as the least one to let
// through after logging/setLevel. It is false for a name that MCP does not have.
func (l Level) Slog() (slog.Level, bool) {
	for _, known := range slogLevels {
		if l == known.name {
			return known.level, true
		}
	}
	return 0, false
}

// logParams makes the params of a log note. The data is the text alone or, if the
// record has attributes, an object with the text as msg; an attribute logger names the
// logger. The time is left out, because the receiver has its own.
func logParams(level slog.Level, msg string, attrs message.Raw) any {
	params := LogParams{Level: LevelOf(level)}
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
