package message

// Peek says what the first bytes of a record claim that it is, for a record that is too
// long to keep. It goes by the members of the object that it sees before the text
// breaks off or turns out to be faulty; what stands behind them can still change the
// picture.
//
// The kind is known once the name of the member that decides it is seen. A method
// without an id counts as a note, since to answer it might be to answer a note; an id
// that stands behind the params then comes too late. An array is KindBatch, and
// anything else KindUnknown.
//
// The id is given as soon as it is read to its end, even while the kind is unknown.
func Peek(prefix []byte) (Kind, ID) {
	s := scanner{text: prefix}
	s.space()
	switch s.peek() {
	case '[':
		return KindBatch, ID{}
	case '{':
	default:
		return KindUnknown, ID{}
	}
	var e envelope
	s.object(&e, maxDepth-1) // a fault is what this is for
	return e.kind(), e.id()
}

// A Peeker is a [Codec] whose records are not those of JSON-RPC, so that [Peek] can make
// nothing of their first bytes.
type Peeker interface {
	// Peek is what the function of that name is for other codecs.
	Peek(prefix []byte) (Kind, ID)
}

// PeekWith is [Peek] for records of a codec, which may be a [Peeker].
func PeekWith(c Codec, prefix []byte) (Kind, ID) {
	if p, ok := c.(Peeker); ok {
		return p.Peek(prefix)
	}
	return Peek(prefix)
}
