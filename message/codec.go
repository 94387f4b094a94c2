package message

// A Codec turns messages into records and back. Both ways are pure functions; a Codec
// may be used by any number of goroutines. Dialects that write messages in another form
// have their own.
type Codec interface {
	// Append appends the record of m to dst: one JSON value, without a frame mark.
	// After an error dst is returned as it was.
	Append(dst []byte, m Message) ([]byte, error)

	// Parse reads one record. The error is a [*ParseError], which says how to answer
	// the record. No message and no error together mean that the record is to be
	// ignored; neither Strict nor Bare has such records.
	//
	// The message may point into rec, which must not change while the message is in
	// use.
	Parse(rec []byte) (Message, error)
}

// The two codecs of JSON-RPC 2.0.
var (
	// Strict wants the member "jsonrpc":"2.0" in each message and writes it (section
	// 4).
	Strict Codec = codec{head: `{"jsonrpc":"2.0",`}

	// Bare takes messages with or without that member, though not one that says
	// something else, and writes none. As the peers that leave it out may speak version
	// 1.0, a response may also have both result and error, if one of them is null.
	Bare Codec = codec{head: `{`, bare: true}
)

// codec is both of them; the difference is small.
type codec struct {
	head string // how each object begins
	bare bool
}

func (c codec) String() string {
	if c.bare {
		return "bare"
	}
	return "strict"
}
