package recording

import (
	"errors"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

// A Record is one thing that was said, or one thing that a process did.
type Record struct {
	// Time is when it was read or written, since the start of the recording. It has a
	// meaning only if Timed is set: most recordings hold no times.
	Time  time.Duration
	Timed bool

	// From is the side that wrote the record, SideUnknown if the recording does not say.
	From parley.Side

	// Process says what a process did beside the stream, and Raw has the details. It is
	// "" for a record of the stream itself, else one of the names below, or the dir of a
	// transcript that nobody here knows.
	Process string

	// Raw is the record without its marks. It is good until the next Read.
	Raw []byte

	// Pos is the place in the input. The offset of a transcript's record is that of its
	// line.
	Pos frame.Pos

	// Err is why the record could not be read, a [*frame.SkipError]; Raw is then the
	// start of it, and may be cut.
	Err error
}

// What a process did: the values of [Record.Process].
const (
	ProcessStderr = "stderr" // a line of its standard error
	ProcessArgv   = "argv"   // its arguments, as a JSON array
	ProcessEnv    = "env"    // some of its environment, as a JSON array
	ProcessExit   = "exit"   // how it ended
	ProcessEOF    = "eof"    // it closed one of its streams
)

// ErrNotEntry means that a line of a transcript is not an object with a string dir and
// a string raw. It is the Err of a [frame.SkipError].
var ErrNotEntry = errors.New(`not an entry of a transcript, {"t","dir","raw"}`)

// A Shape is how records stand in a recording.
type Shape string

// The shapes.
const (
	ShapeRaw        Shape = "raw"        // the stream itself, in its framing
	ShapeTranscript Shape = "transcript" // one JSON object with dir and raw a line
	ShapeArray      Shape = "array"      // the elements of one JSON array
)

// Options say what is known about a recording. Nil and the zero value know nothing.
type Options struct {
	// Shape is the shape, "" to find it. With a Framing, "" is ShapeRaw, or, with concat,
	// ShapeTranscript if the input begins with an entry of one.
	Shape Shape

	// Framing is the name of a framing ([frame.ByName]); "" and "auto" find it. An array
	// has none, and a transcript is lines; but "concat" says that the raws of a transcript
	// are pieces of values that stand end to end, cut anywhere. Those of each side are
	// joined then, and a record has the time of its last piece.
	Framing string

	// Limit is the length in bytes of the largest record that is delivered, 0 for
	// [frame.DefaultLimit]. A line of a transcript may have twice that and 1 KiB, since
	// the record in it is escaped.
	Limit int64
}
