package mcp

import "github.com/parley-rpc/parley/message"

// The types of a result in the modern era, where every result has one. An absent one
// means complete; one that is not known makes the result invalid ("Results").
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
	ResultTask          = "task" // extension tasks
)

// EmptyParams are the params of a request or note that says all by its name.
type EmptyParams struct {
	Meta message.Raw `json:"_meta,omitzero"`
}

// EmptyResult is the answer of a request that only had to be done.
type EmptyResult struct {
	ResultType string      `json:"resultType,omitzero"`
	Meta       message.Raw `json:"_meta,omitzero"`
}

// ListParams are the params of every list. Pages are asked for one after another; a
// cursor is opaque, and an empty one is a cursor too ("Pagination").
type ListParams struct {
	Cursor *string     `json:"cursor,omitzero"` // nil: the first page
	Meta   message.Raw `json:"_meta,omitzero"`
}

// Cacheable is in results that a modern client may keep. Both members are required
// there ("Caching"), and absent in the legacy era.
type Cacheable struct {
	TTLMs      *int64 `json:"ttlMs,omitzero"`      // milliseconds; 0 means that it is stale at once
	CacheScope string `json:"cacheScope,omitzero"` // public or private
}

// InputRequired is in a modern result whose type is input_required: the server wants
// something of the client before it goes on ("Multi round-trip requests"). The client
// gathers the answers and sends the request again, under a new id and with the state as
// it was given. At least one of the two members is there; a result that has one and no
// type is written as input_required.
type InputRequired struct {
	InputRequests map[string]InputRequest `json:"inputRequests,omitzero"`
	RequestState  *string                 `json:"requestState,omitzero"`
}

// An InputRequest is a request of the server inside a result: [Elicit], [CreateMessage]
// or [ListRoots]. It has no id; the key under which it stands names its answer.
type InputRequest struct {
	Method string      `json:"method"`
	Params message.Raw `json:"params,omitzero"`
}

// typeOr returns the type under which a result with r in it is written: the one that
// it has, or else input_required if r asks something.
func (r InputRequired) typeOr(resultType string) string {
	if resultType == "" && (r.InputRequests != nil || r.RequestState != nil) {
		return ResultInputRequired
	}
	return resultType
}

// isComplete reports whether a result of that type answers what was asked.
func isComplete(resultType string) bool {
	return resultType == "" || resultType == ResultComplete
}
