package codex

import "github.com/parley-rpc/parley/message"

// A Choice is one of several alternatives: on the wire a bare name, such as "accept", or an
// object with one member, such as {"acceptWithExecpolicyAmendment":{…}}, whose name is the choice
// and whose value has the details. Anything else is kept whole in Detail, without a name.
type Choice struct {
	Name   string
	Detail message.Raw
}

// A Decision answers an approval; the constants are what its Name may be. A request that
// has AvailableDecisions wants one of those.
type Decision = Choice

// The decisions of the approvals of items.
const (
	Accept           = "accept"
	AcceptForSession = "acceptForSession" // and do not ask again for the like
	Decline          = "decline"          // the turn goes on without it
	CancelTurn       = "cancel"           // and the turn ends as interrupted

	// AcceptWithExecpolicyAmendment also allows commands that begin alike from now on. Its detail
	// is {"execpolicy_amendment": [words]}.
	AcceptWithExecpolicyAmendment = "acceptWithExecpolicyAmendment"
	// ApplyNetworkPolicyAmendment allows or denies a host from now on. Its detail is
	// {"network_policy_amendment": {"host", "action"}}.
	ApplyNetworkPolicyAmendment = "applyNetworkPolicyAmendment"
)

// The decisions of the legacy approvals, applyPatchApproval and execCommandApproval.
const (
	LegacyApproved           = "approved"
	LegacyApprovedForSession = "approved_for_session"
	LegacyDenied             = "denied"
	LegacyAbort              = "abort"
)

// An ApprovalPolicy says when the agent asks before it does something; the constants are
// what its Name may be. With the name granular the detail says it for each kind of question.
type ApprovalPolicy = Choice

// The policies.
const (
	AskUntrusted = "untrusted"  // before all that is not known to be harmless
	AskOnFailure = "on-failure" // when something failed in the sandbox
	AskOnRequest = "on-request" // when the model wants it
	AskNever     = "never"
	AskGranular  = "granular"
)

// IsZero reports whether there is no choice.
func (c Choice) IsZero() bool { return c.Name == "" && c.Detail.IsZero() }

// MarshalJSON writes the bare name, the object, or the detail alone if there is no name. The
// zero Choice is null.
func (c Choice) MarshalJSON() ([]byte, error) {
	switch {
	case c.Name == "":
		return message.Encode(c.Detail)
	case c.Detail.IsZero():
		return message.Encode(c.Name)
	}
	return message.Encode(map[string]message.Raw{c.Name: c.Detail})
}

// UnmarshalJSON reads what MarshalJSON writes, and keeps all else. It never fails.
func (c *Choice) UnmarshalJSON(text []byte) error {
	*c = Choice{}
	raw := message.Raw(text)
	if string(text) == "null" {
		return nil
	}
	if raw.Decode(&c.Name) == nil && c.Name != "" {
		return nil
	}
	c.Name = ""
	var members map[string]message.Raw
	if raw.Decode(&members) == nil && len(members) == 1 {
		for name, detail := range members {
			c.Name, c.Detail = name, detail
		}
		if c.Name != "" {
			return nil
		}
	}
	return c.Detail.UnmarshalJSON(text)
}
