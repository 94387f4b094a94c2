package message

// A Message is a [*Request], a [*Response], a [Batch], or, only as a member of a batch,
// a [*ParseError].
//
// The set is closed, so that a switch over it can be complete.
type Message interface{ isMessage() }

func (*Request) isMessage()    {}
func (*Response) isMessage()   {}
func (Batch) isMessage()       {}
func (*ParseError) isMessage() {}

// A Request asks the peer to do something: a call with an id, a note without (JSON-RPC
// 2.0, section 4).
type Request struct {
	ID     ID // absent: a note. [NullID] is an id, and wants an answer.
	Method string
	Params Raw      // an array or an object, or absent
	Extra  []Member // members that are not of the envelope, in the order they came
}

// IsNote reports whether nobody waits for an answer.
func (r *Request) IsNote() bool { return r.ID.IsZero() }

// A Response settles a call (JSON-RPC 2.0, section 5).
type Response struct {
	ID     ID       // [NullID] if the peer could not tell which call it answers
	Result Raw      // any JSON value, null among them; absent if and only if Error is set
	Error  *Error   // nil: the call succeeded
	Extra  []Member // members that are not of the envelope, in the order they came
}

// A Batch is several messages in one record (JSON-RPC 2.0, section 6). A member that is
// no message is the [*ParseError] that says what is wrong with it; a batch inside a
// batch is such a member.
type Batch []Message

// A Member is a member of an object: its name without quotes and escapes, and the text
// of its value.
type Member struct {
	Name  string
	Value Raw
}

// A Kind says what a record is, or claims to be. A record that is refused has one as
// well: it decides whether the refusal may be sent, and whether a call fails by it.
type Kind uint8

// The kinds.
const (
	KindUnknown Kind = iota // neither a method nor a result or an error was seen
	KindCall                // a method and an id
	KindNote                // a method, a string, and no id
	KindReply               // a result or an error
	KindHybrid              // a method, and also a result or an error
	KindBatch               // an array
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	switch k {
	case KindCall:
		return "call"
	case KindNote:
		return "note"
	case KindReply:
		return "reply"
	case KindHybrid:
		return "hybrid"
	case KindBatch:
		return "batch"
	case KindUnknown:
	}
	return "unknown"
}
