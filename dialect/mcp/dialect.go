package mcp

import (
	"log/slog"

	"github.com/parley-rpc/parley/dialect/mcp/words"
	"github.com/parley-rpc/parley/message"
)

// What MCP is called by stands in package words, for those who need no more. The names
// are the same there.

var (
	// Dialect is MCP with the words of both eras, for a stream whose era is not known.
	Dialect = words.Dialect

	// Legacy is MCP of the revisions 2024-11-05 to 2025-11-25.
	Legacy = words.Legacy

	// Modern is MCP of the revision 2026-07-28 and of the extension
	// io.modelcontextprotocol/tasks. Its words include the three requests that a server
	// makes inside a result, since they are what its client then owes.
	Modern = words.Modern
)

// An Era is one of the two protocols that share the name MCP.
type Era = words.Era

// The eras.
const (
	EraLegacy = words.EraLegacy // revisions up to 2025-11-25: a handshake, then state
	EraModern = words.EraModern // revision 2026-07-28: every request stands alone
)

// EraOf tells by a request, best the first one of a stream, which era its sender
// speaks. It is false if the request could be of either.
func EraOf(req *message.Request) (Era, bool) { return words.EraOf(req) }

// EraOfVersion returns the era of a revision. It is false for a revision that is not
// known here.
func EraOfVersion(version string) (Era, bool) { return words.EraOfVersion(version) }

// The revisions of the protocol, by the names under which they are negotiated.
const (
	Version20241105 = words.Version20241105
	Version20250326 = words.Version20250326
	Version20250618 = words.Version20250618
	Version20251125 = words.Version20251125
	Version20260728 = words.Version20260728

	LatestLegacy = words.LatestLegacy // what a legacy client asks for
	Latest       = words.Latest
)

// A Level is how much a log message matters, in the words of syslog (RFC 5424, section
// 6.2.1), which MCP uses.
type Level = words.Level

// The levels, from the least to the most severe.
const (
	LevelDebug     = words.LevelDebug
	LevelInfo      = words.LevelInfo
	LevelNotice    = words.LevelNotice
	LevelWarning   = words.LevelWarning
	LevelError     = words.LevelError
	LevelCritical  = words.LevelCritical
	LevelAlert     = words.LevelAlert
	LevelEmergency = words.LevelEmergency
)

// LevelOf returns the most severe level that the slog level reaches; what is below
// slog's Debug is debug too.
func LevelOf(level slog.Level) Level { return words.LevelOf(level) }
