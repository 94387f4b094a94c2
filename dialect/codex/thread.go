package codex

import "github.com/parley-rpc/parley/message"

// ThreadStartParams are the params of [ThreadStart]. What is left out is as configured.
type ThreadStartParams struct {
	ThreadSettings
	ServiceName        string `json:"serviceName,omitzero"`
	Ephemeral          *bool  `json:"ephemeral,omitzero"`          // not stored
	SessionStartSource string `json:"sessionStartSource,omitzero"` // "startup" or "clear"
	ThreadSource       string `json:"threadSource,omitzero"`       // "user", "subagent", …
}

// ThreadResumeParams are the params of [ThreadResume].
type ThreadResumeParams struct {
	ThreadID string `json:"threadId"`
	ThreadSettings
	ExcludeTurns bool `json:"excludeTurns,omitzero"` // the result has no turns
}

// ThreadForkParams are the params of [ThreadFork].
type ThreadForkParams struct {
	ThreadID string `json:"threadId"`
	ThreadSettings
	Ephemeral    *bool `json:"ephemeral,omitzero"`    // not stored
	ExcludeTurns bool  `json:"excludeTurns,omitzero"` // the result has no turns
}

// ThreadSettings are what a thread is started with. What is left out is as configured, or, in a
// thread that was stored, as it was.
type ThreadSettings struct {
	Model                 string                 `json:"model,omitzero"`
	ModelProvider         string                 `json:"modelProvider,omitzero"`
	ServiceTier           string                 `json:"serviceTier,omitzero"`
	CWD                   string                 `json:"cwd,omitzero"`
	RuntimeWorkspaceRoots []string               `json:"runtimeWorkspaceRoots,omitzero"` // absolute paths
	ApprovalPolicy        ApprovalPolicy         `json:"approvalPolicy,omitzero"`
	ApprovalsReviewer     string                 `json:"approvalsReviewer,omitzero"` // who is asked: "user", …
	Sandbox               SandboxMode            `json:"sandbox,omitzero"`
	Permissions           string                 `json:"permissions,omitzero"` // a named set, instead of a sandbox
	Config                map[string]message.Raw `json:"config,omitzero"`
	BaseInstructions      string                 `json:"baseInstructions,omitzero"`
	DeveloperInstructions string                 `json:"developerInstructions,omitzero"`
	Personality           string                 `json:"personality,omitzero"`
}

// A SandboxMode names what commands may do without being asked about.
type SandboxMode string

// The modes.
const (
	SandboxReadOnly         SandboxMode = "read-only"
	SandboxWorkspaceWrite   SandboxMode = "workspace-write"
	SandboxDangerFullAccess SandboxMode = "danger-full-access"
)

// A SandboxPolicy is the same in detail.
type SandboxPolicy struct {
	Type                string      `json:"type"`                         // "readOnly", "workspaceWrite", "dangerFullAccess" or "externalSandbox"
	NetworkAccess       message.Raw `json:"networkAccess,omitzero"`       // true or false; externalSandbox: "restricted" or "enabled"
	WritableRoots       []string    `json:"writableRoots,omitzero"`       // workspaceWrite: absolute paths
	ExcludeTmpdirEnvVar *bool       `json:"excludeTmpdirEnvVar,omitzero"` // workspaceWrite
	ExcludeSlashTmp     *bool       `json:"excludeSlashTmp,omitzero"`     // workspaceWrite
}

// ThreadStartResult is the result of [ThreadStart], [ThreadResume] and [ThreadFork]: the thread,
// and the settings that hold for it.
type ThreadStartResult struct {
	Thread                  Thread         `json:"thread"`
	Model                   string         `json:"model"`
	ModelProvider           string         `json:"modelProvider"`
	ServiceTier             string         `json:"serviceTier,omitzero"`
	DisabledPluginIDs       []string       `json:"disabledPluginIds,omitzero"`
	CWD                     string         `json:"cwd"`
	RuntimeWorkspaceRoots   []string       `json:"runtimeWorkspaceRoots,omitzero"`
	InstructionSources      []string       `json:"instructionSources,omitzero"` // files
	ApprovalPolicy          ApprovalPolicy `json:"approvalPolicy"`
	ApprovalsReviewer       string         `json:"approvalsReviewer,omitzero"`
	Sandbox                 SandboxPolicy  `json:"sandbox"`
	ActivePermissionProfile message.Raw    `json:"activePermissionProfile,omitzero"`
	ReasoningEffort         string         `json:"reasoningEffort,omitzero"`
	MultiAgentMode          string         `json:"multiAgentMode,omitzero"`
}

// A Thread is a conversation. Times are in seconds since 1970.
type Thread struct {
	ID                   string        `json:"id"`
	Environments         []Environment `json:"environments,omitzero"`
	Extra                message.Raw   `json:"extra,omitzero"`
	SessionID            string        `json:"sessionId,omitzero"` // of all threads that came of one
	ForkedFromID         string        `json:"forkedFromId,omitzero"`
	AttachedToThreadID   string        `json:"attachedToThreadId,omitzero"`
	ParentThreadID       string        `json:"parentThreadId,omitzero"`
	Preview              string        `json:"preview"` // most often what the user said first
	Ephemeral            bool          `json:"ephemeral"`
	Section              message.Raw   `json:"section,omitzero"`
	SectionEnteredAt     *int64        `json:"sectionEnteredAt,omitzero"`
	ProjectID            string        `json:"projectId,omitzero"`
	HistoryMode          string        `json:"historyMode,omitzero"`
	ModelProvider        string        `json:"modelProvider"`
	Model                string        `json:"model,omitzero"`
	ReasoningEffort      string        `json:"reasoningEffort,omitzero"`
	CreatedAt            int64         `json:"createdAt"`
	UpdatedAt            int64         `json:"updatedAt"`
	RecencyAt            *int64        `json:"recencyAt,omitzero"`
	Status               ThreadStatus  `json:"status"`
	Path                 string        `json:"path,omitzero"` // of the file that stores it
	CWD                  string        `json:"cwd"`
	CLIVersion           string        `json:"cliVersion"`
	Originator           string        `json:"originator,omitzero"`
	Source               Choice        `json:"source"` // "cli", "vscode", "exec", …
	CanAcceptDirectInput *bool         `json:"canAcceptDirectInput,omitzero"`
	ThreadSource         string        `json:"threadSource,omitzero"`
	AgentNickname        string        `json:"agentNickname,omitzero"`
	AgentRole            string        `json:"agentRole,omitzero"`
	GitInfo              *GitInfo      `json:"gitInfo,omitzero"`
	Name                 string        `json:"name,omitzero"`
	DaybreakEnabled      *bool         `json:"daybreakEnabled,omitzero"`
	Turns                []Turn        `json:"turns"` // empty unless the method says otherwise
}

// An Environment is a place where a thread runs.
type Environment struct {
	EnvironmentID         string   `json:"environmentId"`
	CWD                   string   `json:"cwd"`
	RuntimeWorkspaceRoots []string `json:"runtimeWorkspaceRoots,omitzero"`
}

// GitInfo is the state of the repository in which a thread was started.
type GitInfo struct {
	SHA       string `json:"sha,omitzero"`
	Branch    string `json:"branch,omitzero"`
	OriginURL string `json:"originUrl,omitzero"`
}

// A ThreadStatus says what a thread is doing.
type ThreadStatus struct {
	Type        StatusType   `json:"type"`
	ActiveFlags []ActiveFlag `json:"activeFlags,omitzero"` // active: what it waits for; none: it is at work
}

// A StatusType is the state of a thread.
type StatusType string

// The states.
const (
	StatusNotLoaded   StatusType = "notLoaded"
	StatusIdle        StatusType = "idle"
	StatusActive      StatusType = "active"
	StatusSystemError StatusType = "systemError"
)

// An ActiveFlag says what an active thread waits for. Both may be set at once.
type ActiveFlag string

// The flags.
const (
	WaitingOnApproval  ActiveFlag = "waitingOnApproval"
	WaitingOnUserInput ActiveFlag = "waitingOnUserInput"
)

// ThreadParams name a thread and say no more.
type ThreadParams struct {
	ThreadID string `json:"threadId"`
}

// ThreadListParams are the params of [ThreadList].
type ThreadListParams struct {
	Cursor         string   `json:"cursor,omitzero"` // of the page before; "" is the first page
	Limit          *int     `json:"limit,omitzero"`
	SortKey        string   `json:"sortKey,omitzero"` // "created_at" or "updated_at"
	ModelProviders []string `json:"modelProviders,omitzero"`
	SourceKinds    []string `json:"sourceKinds,omitzero"`
	Archived       *bool    `json:"archived,omitzero"` // true: only those; else only the others
	CWD            string   `json:"cwd,omitzero"`
	SearchTerm     string   `json:"searchTerm,omitzero"`
}

// ThreadListResult is the result of [ThreadList].
type ThreadListResult struct {
	Data       []Thread `json:"data"`
	NextCursor string   `json:"nextCursor,omitzero"` // "": this was the last page
}

// LoadedListParams are the params of [ThreadLoadedList].
type LoadedListParams struct {
	Cursor string `json:"cursor,omitzero"` // of the page before; "" is the first page
	Limit  *int   `json:"limit,omitzero"`
}

// LoadedListResult is the result of [ThreadLoadedList].
type LoadedListResult struct {
	Data       []string `json:"data"`                // ids of threads
	NextCursor string   `json:"nextCursor,omitzero"` // "": this was the last page
}

// ThreadReadParams are the params of [ThreadRead].
type ThreadReadParams struct {
	ThreadID     string `json:"threadId"`
	IncludeTurns bool   `json:"includeTurns,omitzero"`
}

// ThreadReadResult is a thread: the result of [ThreadRead], [ThreadUnarchive] and
// [ThreadRollback].
type ThreadReadResult struct {
	Thread Thread `json:"thread"`
}

// ThreadUnsubscribeResult is the result of [ThreadUnsubscribe].
type ThreadUnsubscribeResult struct {
	Status string `json:"status"` // "unsubscribed", "notSubscribed" or "notLoaded"
}

// ThreadNameSetParams are the params of [ThreadNameSet].
type ThreadNameSetParams struct {
	ThreadID string `json:"threadId"`
	Name     string `json:"name"`
}

// ThreadRollbackParams are the params of [ThreadRollback].
type ThreadRollbackParams struct {
	ThreadID string `json:"threadId"`
	NumTurns int    `json:"numTurns"` // from the end, 1 or more
}
