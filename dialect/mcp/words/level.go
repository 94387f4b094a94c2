package words

import "log/slog"

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
