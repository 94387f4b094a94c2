package ledger

// A Kind says what a record is in the words of its dialect.
type Kind uint8

// The kinds.
const (
	KindInvalid              Kind = iota // no message of the dialect: Entry.Err says why
	KindBlank                            // nothing but white space
	KindRequest                          // wants an answer
	KindNotification                     // wants none
	KindResponse                         // a result
	KindError                            // an error
	KindBatch                            // several messages: Entry.Parts
	KindEvent                            // a record of a stream that calls nothing by name
	KindControlRequest                   // Claude's stream: a request
	KindControlResponse                  // and its answer, be it a result or an error
	KindControlCancelRequest             // and the note that takes one back
	KindProcess                          // no record of either side: what the process did
)

// kindNames are what String returns.
var kindNames = [...]string{
	"invalid", "blank", "request", "notification", "response", "error", "batch", "event",
	"control_request", "control_response", "control_cancel_request", "process",
}

// String returns the name of the kind, as the tool writes it.
func (k Kind) String() string { return kindNames[k] }

// A State says what has become of a debt or, on the record that settles one, of the
// answer.
type State uint8

// The states.
const (
	StateNone      State = iota // nothing is owed
	StateOpen                   // an answer is owed
	StateAnswered               // answered with a result
	StateFailed                 // answered with an error, or with what is no answer
	StateCancelled              // taken back by who asked
	StateWithdrawn              // not needed any more, says who asked
	StateLate                   // of an answer: the debt was cancelled or withdrawn before
	StateOrphan                 // of an answer: it settles nothing
)

var stateNames = [...]string{"", "open", "answered", "failed", "cancelled", "withdrawn", "late", "orphan"}

// String returns the name of the state; that of StateNone is empty.
func (s State) String() string { return stateNames[s] }

// A Because is the rule by which an entry is what it is. [Entry.Why] says it in words.
type Because uint8

// The rules. The record that a rule is about is [Entry.About].
const (
	BecauseNothing       Because = iota
	BecauseCall                  // an id: whoever sent it waits
	BecauseNoBatch               // a call in a batch, in a dialect that has none
	BecauseNote                  // no id: nobody waits
	BecauseBatch                 // several messages: each of Parts has its own
	BecauseEvent                 // an event: nobody waits
	BecauseKeepAlive             // a sign of life that says nothing
	BecauseProcess               // what a process does owes nothing
	BecauseBlank                 // white space says nothing
	BecauseInvalid               // not read as a message
	BecauseReused                // a call whose id is open already
	BecauseReply                 // settles About
	BecauseSameValue             // settles About, whose id is written in another way
	BecauseBadReply              // no good answer, but it names About, which fails by it
	BecauseRefusal               // an error without an id, about a record that was no message
	BecauseOrphan                // an answer to nothing
	BecauseAmbiguous             // an answer that could be to more than one
	BecauseDuplicate             // a second answer to About
	BecauseLate                  // an answer to About, which was cancelled or withdrawn
	BecauseAcknowledged          // an answer inside an acknowledgement, to a note
	BecauseCancel                // takes About back
	BecauseCancelNothing         // takes something back that is not open
	BecauseWithdraw              // About needs no answer any more
	BecauseProgress              // reports on About
	BecauseProgressLate          // reports on About, which is settled
	BecauseInputRequired         // answers About and asks for it again with more
	BecauseRetry                 // asks About again, with what was required
	BecauseStream                // a call that stays open for as long as its notes are wanted
	BecausePending               // was asked before this stream began, says About
)
