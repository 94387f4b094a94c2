// Package ledger knows at any moment who owes whom an answer. It is fed with the
// records of both directions of a stream, in the order in which they were seen, and
// says of each: must it be answered, by whom, and was it; what it answers; and what
// everybody is waiting for.
//
// It is pure. It reads nothing, writes nothing and asks no clock: the same records give
// the same entries. It never changes what a peer does.
//
// # Debts
//
// A call makes a debt: whoever got it owes an answer. The debt is settled by an answer
// with the same id from the other side. The two sides number independently, so that
// both may have a call 1 open. An answer is matched by the exact text of its id, else
// by its value if only one open call has that (1, 1.0 and "1"), and the entry says so.
// An id may be used again once it is answered; of two open calls with one id the older
// one is answered first.
//
//	open ──┬── answered    a result
//	       ├── failed      an error, or no message at all
//	       ├── cancelled   taken back, and not answered any more (MCP, Claude) or
//	       │               answered so (-32800 in LSP and ACP, stopReason in ACP)
//	       └── withdrawn   not needed any more (Codex)
//
// An answer that comes after the debt was cancelled or withdrawn is late, and one that
// settles nothing is an orphan. What a dialect knows beyond that — Claude's messages in
// messages, MCP's input_required, the turns of an agent — is read here too.
//
// # Limits
//
// Memory is bounded on endless streams: [Options] bounds the open debts and the settled
// ones that are remembered. What does not fit any more is forgotten, oldest first, and
// counted in [Counts]; its answer is an orphan then.
//
// # Sides
//
// Where nobody noted who sent a record, the ledger infers it: by the words of the
// dialect, by the calls that are open, and by who spoke first. [Entry.Inferred] marks
// it.
package ledger
