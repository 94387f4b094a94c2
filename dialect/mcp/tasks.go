package mcp

import "github.com/parley-rpc/parley/message"

// A TaskStatus is where a task is. The last three are final.
type TaskStatus string

// The statuses. A tool that failed by its own account ([CallToolResult.IsError]) is
// completed in the extension, and was failed in revision 2025-11-25.
const (
	TaskWorking       TaskStatus = "working"
	TaskInputRequired TaskStatus = "input_required"
	TaskCompleted     TaskStatus = "completed"
	TaskFailed        TaskStatus = "failed"
	TaskCancelled     TaskStatus = "cancelled"
)

// Final reports whether the task is over.
func (s TaskStatus) Final() bool {
	return s == TaskCompleted || s == TaskFailed || s == TaskCancelled
}

// Task is a call that goes on after it was answered. How long it is kept, and how often
// it should be asked for, has other names in revision 2025-11-25 than in the extension.
type Task struct {
	TaskID        string     `json:"taskId"`
	Status        TaskStatus `json:"status"`
	StatusMessage string     `json:"statusMessage,omitzero"` // for people
	CreatedAt     string     `json:"createdAt"`              // ISO 8601
	LastUpdatedAt string     `json:"lastUpdatedAt"`

	// TTLMs is how long the task is kept after it was created, in milliseconds, or
	// null for as long as the server likes; required in the extension. PollIntervalMs
	// is how long to wait before asking again.
	TTLMs          message.Raw `json:"ttlMs,omitzero"`
	PollIntervalMs *int64      `json:"pollIntervalMs,omitzero"`

	// TTL and PollInterval are the same in revision 2025-11-25.
	TTL          message.Raw `json:"ttl,omitzero"`
	PollInterval *int64      `json:"pollInterval,omitzero"`
}

// TaskRequest asks for a task instead of an answer, in revision 2025-11-25. In the
// extension a server decides by itself.
type TaskRequest struct {
	TTL *int64 `json:"ttl,omitzero"` // milliseconds
}

// TaskParams name a task.
type TaskParams struct {
	TaskID string      `json:"taskId"`
	Meta   message.Raw `json:"_meta,omitzero"`
}

// TaskDetail is a task with what has come of it. In the extension it has the result,
// the error or the open questions inside; in revision 2025-11-25 the result is fetched
// with tasks/result, and questions come as requests.
type TaskDetail struct {
	ResultType string `json:"resultType,omitzero"`
	Task
	Result        message.Raw             `json:"result,omitzero"`        // completed: that of the call
	Error         *message.Error          `json:"error,omitzero"`         // failed
	InputRequests map[string]InputRequest `json:"inputRequests,omitzero"` // input_required
	Meta          message.Raw             `json:"_meta,omitzero"`
}

// CancelTaskResult is the answer to tasks/cancel: the task in revision 2025-11-25, and
// nothing but a receipt in the extension, where a task may go on after it.
type CancelTaskResult struct {
	ResultType string `json:"resultType,omitzero"`
	*Task
	Meta message.Raw `json:"_meta,omitzero"`
}

// UpdateTaskParams answer open questions of a task, by their keys.
type UpdateTaskParams struct {
	TaskID         string                 `json:"taskId"`
	InputResponses map[string]message.Raw `json:"inputResponses"`
	Meta           message.Raw            `json:"_meta,omitzero"`
}

// ListTasksResult is a page of tasks.
type ListTasksResult struct {
	Tasks      []Task      `json:"tasks"`
	NextCursor *string     `json:"nextCursor,omitzero"` // nil: the last page
	Meta       message.Raw `json:"_meta,omitzero"`
}
