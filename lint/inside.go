package lint

import (
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// inside reads the messages inside a message, such as those of MCP that Claude's control
// messages carry. They have the envelope of JSON-RPC whatever is around them, and ids of
// their own.
func (p *pass) inside() {
	outer := p.entry
	p.carried = "/request/message"
	if _, reply := outer.Message.(*message.Response); reply {
		p.carried = "/response/response/mcp_response"
	}
	for i := range outer.Parts {
		p.entry = &outer.Parts[i]
		switch {
		case p.entry.Because == ledger.BecausePending: // a list of what was asked before
		case p.entry.Message != nil:
			p.message()
		default:
			if p.entry.Err != nil {
				p.badEnvelope()
			}
		}
	}
	p.entry, p.carried = outer, ""
}

// isOwnFault reports whether the message inside another one is at fault for what it is
// refused for. A name that stands twice was found in the record as a whole. That an
// answer has no id counts only where something was asked: the Agent SDK for Python
// acknowledges a notification with one.
func (p *pass) isOwnFault(r *Rule) bool {
	return r != duplicateMember && (r != answerWithoutID || p.entry.Because == ledger.BecauseBadReply)
}
