package codex

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// From the server: calls. Those that wait for a person are in Dialect.Waits.
const (
	// CommandApproval asks whether a command may run, and waits for a person.
	CommandApproval parley.Method[CommandApprovalParams, *ApprovalResult] = "item/commandExecution/requestApproval"
	// FileChangeApproval asks whether files may be changed, and waits for a person.
	FileChangeApproval parley.Method[FileChangeApprovalParams, *ApprovalResult] = "item/fileChange/requestApproval"
	// PermissionsApproval asks for more permissions, and waits for a person.
	PermissionsApproval parley.Method[PermissionsApprovalParams, *PermissionsApprovalResult] = "item/permissions/requestApproval"
	// RequestUserInput asks the user questions, and waits for a person.
	RequestUserInput parley.Method[UserInputParams, *UserInputResult] = "item/tool/requestUserInput"
	// Elicitation passes on a question of an MCP server, and waits for a person.
	Elicitation parley.Method[ElicitationParams, *ElicitationResult] = "mcpServer/elicitation/request"
	// ToolCall calls a tool of the client.
	ToolCall parley.Method[ToolCallParams, *ToolCallResult] = "item/tool/call"
	// AccountChatgptAuthTokensRefresh asks for fresh tokens, where the client logs in.
	AccountChatgptAuthTokensRefresh parley.Method[message.Raw, message.Raw] = "account/chatgptAuthTokens/refresh"
	// AttestationGenerate asks for a proof of what the client is.
	AttestationGenerate parley.Method[message.Raw, message.Raw] = "attestation/generate"
	// CurrentTimeRead asks for the time, where the client sets it.
	CurrentTimeRead parley.Method[message.Raw, message.Raw] = "currentTime/read"
	// ApplyPatchApproval asks whether files may be changed, and waits for a person (legacy).
	ApplyPatchApproval parley.Method[ApplyPatchApprovalParams, *ApprovalResult] = "applyPatchApproval"
	// ExecCommandApproval asks whether a command may run, and waits for a person (legacy).
	ExecCommandApproval parley.Method[ExecCommandApprovalParams, *ApprovalResult] = "execCommandApproval"
)

// From the server: notes about threads, turns and items.
const (
	// ThreadStarted tells of a thread that was started, taken up or forked.
	ThreadStarted parley.Note[ThreadStartedParams] = "thread/started"
	// ThreadStatusChanged tells whether a thread is idle, at work, or waits for a person.
	ThreadStatusChanged parley.Note[ThreadStatusChangedParams] = "thread/status/changed"
	// ThreadArchived tells that a thread was put away.
	ThreadArchived parley.Note[ThreadParams] = "thread/archived"
	// ThreadUnarchived tells that a thread was taken out of the archive.
	ThreadUnarchived parley.Note[ThreadParams] = "thread/unarchived"
	// ThreadDeleted tells that a thread was deleted for good.
	ThreadDeleted parley.Note[ThreadParams] = "thread/deleted"
	// ThreadClosed tells that a thread has left the memory.
	ThreadClosed parley.Note[ThreadParams] = "thread/closed"
	// ThreadNameUpdated tells the new name of a thread.
	ThreadNameUpdated parley.Note[message.Raw] = "thread/name/updated"
	// ThreadSettingsUpdated tells the new settings of a thread.
	ThreadSettingsUpdated parley.Note[message.Raw] = "thread/settings/updated"
	// ThreadTokenUsageUpdated tells how many tokens a thread has used.
	ThreadTokenUsageUpdated parley.Note[TokenUsageUpdatedParams] = "thread/tokenUsage/updated"
	// ThreadCompacted tells that the history was shortened (legacy; now an item).
	ThreadCompacted parley.Note[message.Raw] = "thread/compacted"
	// ThreadReverted tells that a thread was taken back to an earlier state.
	ThreadReverted parley.Note[message.Raw] = "thread/reverted"
	// ThreadGoalUpdated tells the goal of a thread.
	ThreadGoalUpdated parley.Note[message.Raw] = "thread/goal/updated"
	// ThreadGoalCleared tells that a thread has no goal any more.
	ThreadGoalCleared parley.Note[message.Raw] = "thread/goal/cleared"
	// ThreadQueueChanged tells that the inputs that wait have changed.
	ThreadQueueChanged parley.Note[message.Raw] = "thread/queue/changed"
	// ThreadEnvironmentConnected tells that the place where a thread runs is connected.
	ThreadEnvironmentConnected parley.Note[message.Raw] = "thread/environment/connected"
	// ThreadEnvironmentDisconnected tells that the place where a thread runs is connected no more.
	ThreadEnvironmentDisconnected parley.Note[message.Raw] = "thread/environment/disconnected"
	// TurnStarted tells that a turn has begun.
	TurnStarted parley.Note[TurnParams] = "turn/started"
	// TurnCompleted tells that a turn is over, and how: completed, interrupted or failed.
	TurnCompleted parley.Note[TurnParams] = "turn/completed"
	// TurnDiffUpdated tells what the turn has changed in files so far.
	TurnDiffUpdated parley.Note[TurnDiffUpdatedParams] = "turn/diff/updated"
	// TurnPlanUpdated tells what the agent plans to do.
	TurnPlanUpdated parley.Note[TurnPlanUpdatedParams] = "turn/plan/updated"
	// TurnModerationMetadata tells what moderation found in a turn.
	TurnModerationMetadata parley.Note[message.Raw] = "turn/moderationMetadata"
	// ItemStarted tells that an item has begun: a message, a command, a change.
	ItemStarted parley.Note[ItemStartedParams] = "item/started"
	// ItemCompleted tells that an item is over; this is how it counts.
	ItemCompleted parley.Note[ItemCompletedParams] = "item/completed"
	// AgentMessageDelta is more of the text of the agent.
	AgentMessageDelta parley.Note[DeltaParams] = "item/agentMessage/delta"
	// ItemPlanDelta is more of the text of a plan.
	ItemPlanDelta parley.Note[DeltaParams] = "item/plan/delta"
	// ItemReasoningSummaryTextDelta is more of the summary of what the model thinks.
	ItemReasoningSummaryTextDelta parley.Note[ReasoningDeltaParams] = "item/reasoning/summaryTextDelta"
	// ItemReasoningSummaryPartAdded tells that the next part of the summary of what the model thinks begins.
	ItemReasoningSummaryPartAdded parley.Note[message.Raw] = "item/reasoning/summaryPartAdded"
	// ItemReasoningTextDelta is more of what the model thinks.
	ItemReasoningTextDelta parley.Note[ReasoningDeltaParams] = "item/reasoning/textDelta"
	// ItemCommandExecutionOutputDelta is more of what a command writes.
	ItemCommandExecutionOutputDelta parley.Note[DeltaParams] = "item/commandExecution/outputDelta"
	// ItemCommandExecutionTerminalInteraction tells what was written to the stdin of a command.
	ItemCommandExecutionTerminalInteraction parley.Note[message.Raw] = "item/commandExecution/terminalInteraction"
	// ItemFileChangeOutputDelta is more of what a change of files writes (legacy).
	ItemFileChangeOutputDelta parley.Note[DeltaParams] = "item/fileChange/outputDelta"
	// ItemFileChangePatchUpdated tells what a change of files is by now.
	ItemFileChangePatchUpdated parley.Note[message.Raw] = "item/fileChange/patchUpdated"
	// ItemMCPToolCallProgress tells how far a tool of an MCP server is.
	ItemMCPToolCallProgress parley.Note[message.Raw] = "item/mcpToolCall/progress"
	// ItemAutoApprovalReviewStarted tells that the automatic reviewer looks at an action.
	ItemAutoApprovalReviewStarted parley.Note[message.Raw] = "item/autoApprovalReview/started"
	// ItemAutoApprovalReviewCompleted tells what the automatic reviewer decided.
	ItemAutoApprovalReviewCompleted parley.Note[message.Raw] = "item/autoApprovalReview/completed"
	// RawResponseItemCompleted is an item as the model gave it (internal).
	RawResponseItemCompleted parley.Note[message.Raw] = "rawResponseItem/completed"
	// RawResponseCompleted is an answer as the model gave it (internal).
	RawResponseCompleted parley.Note[message.Raw] = "rawResponse/completed"
	// HookStarted tells that a hook runs.
	HookStarted parley.Note[message.Raw] = "hook/started"
	// HookCompleted tells how a hook ended.
	HookCompleted parley.Note[message.Raw] = "hook/completed"
	// Resolved tells that a call of the server is settled or not needed any more.
	Resolved parley.Note[ResolvedParams] = "serverRequest/resolved"
	// ThreadRealtimeStarted tells that talking by voice has begun.
	ThreadRealtimeStarted parley.Note[message.Raw] = "thread/realtime/started"
	// ThreadRealtimeItemAdded is an item of a talk by voice.
	ThreadRealtimeItemAdded parley.Note[message.Raw] = "thread/realtime/itemAdded"
	// ThreadRealtimeTranscriptDelta is more of what was said.
	ThreadRealtimeTranscriptDelta parley.Note[message.Raw] = "thread/realtime/transcript/delta"
	// ThreadRealtimeTranscriptDone is all that was said.
	ThreadRealtimeTranscriptDone parley.Note[message.Raw] = "thread/realtime/transcript/done"
	// ThreadRealtimeOutputAudioDelta is more of the sound of the agent.
	ThreadRealtimeOutputAudioDelta parley.Note[message.Raw] = "thread/realtime/outputAudio/delta"
	// ThreadRealtimeSDP is the answer of WebRTC that a talk begins with.
	ThreadRealtimeSDP parley.Note[message.Raw] = "thread/realtime/sdp"
	// ThreadRealtimeError tells that a talk by voice has failed.
	ThreadRealtimeError parley.Note[message.Raw] = "thread/realtime/error"
	// ThreadRealtimeClosed tells that a talk by voice is over.
	ThreadRealtimeClosed parley.Note[message.Raw] = "thread/realtime/closed"
)

// From the server: notes about everything else.
const (
	// ErrorNote tells that a turn met an error, and whether it is tried again.
	ErrorNote parley.Note[ErrorParams] = "error"
	// Warning tells the user of something that may go wrong.
	Warning parley.Note[WarningParams] = "warning"
	// GuardianWarning tells the user what the automatic reviewer warns of.
	GuardianWarning parley.Note[WarningParams] = "guardianWarning"
	// ConfigWarning tells that something about the configuration is not right.
	ConfigWarning parley.Note[ConfigWarningParams] = "configWarning"
	// DeprecationNotice tells that something will go away.
	DeprecationNotice parley.Note[DeprecationNoticeParams] = "deprecationNotice"
	// ModelRerouted tells that another model answers than was asked for.
	ModelRerouted parley.Note[message.Raw] = "model/rerouted"
	// ModelVerification tells that the account needs to be verified for the model.
	ModelVerification parley.Note[message.Raw] = "model/verification"
	// ModelSafetyBufferingUpdated tells that an answer is held back while it is checked.
	ModelSafetyBufferingUpdated parley.Note[message.Raw] = "model/safetyBuffering/updated"
	// AccountUpdated tells that the account has changed.
	AccountUpdated parley.Note[message.Raw] = "account/updated"
	// AccountLoginCompleted tells how a login ended.
	AccountLoginCompleted parley.Note[message.Raw] = "account/login/completed"
	// AccountRateLimitsUpdated tells how far the limits of the account are used.
	AccountRateLimitsUpdated parley.Note[message.Raw] = "account/rateLimits/updated"
	// AppListUpdated tells that the apps have changed.
	AppListUpdated parley.Note[message.Raw] = "app/list/updated"
	// SkillsChanged tells that skills have changed, and are to be listed again.
	SkillsChanged parley.Note[message.Raw] = "skills/changed"
	// MCPServerOauthLoginCompleted tells how a login to an MCP server ended.
	MCPServerOauthLoginCompleted parley.Note[message.Raw] = "mcpServer/oauthLogin/completed"
	// MCPServerStartupStatusUpdated tells whether an MCP server could be started.
	MCPServerStartupStatusUpdated parley.Note[message.Raw] = "mcpServer/startupStatus/updated"
	// RemoteControlStatusChanged tells whether other devices can control the server.
	RemoteControlStatusChanged parley.Note[RemoteControlStatusParams] = "remoteControl/status/changed"
	// ExternalAgentConfigImportProgress tells how far taking over a configuration is.
	ExternalAgentConfigImportProgress parley.Note[message.Raw] = "externalAgentConfig/import/progress"
	// ExternalAgentConfigImportCompleted tells that a configuration was taken over.
	ExternalAgentConfigImportCompleted parley.Note[message.Raw] = "externalAgentConfig/import/completed"
	// FSChanged tells of changes under a path that is watched.
	FSChanged parley.Note[message.Raw] = "fs/changed"
	// FuzzyFileSearchSessionUpdated tells the files that were found so far.
	FuzzyFileSearchSessionUpdated parley.Note[message.Raw] = "fuzzyFileSearch/sessionUpdated"
	// FuzzyFileSearchSessionCompleted tells that all files were looked at.
	FuzzyFileSearchSessionCompleted parley.Note[message.Raw] = "fuzzyFileSearch/sessionCompleted"
	// CommandExecOutputDelta is more of what a command of command/exec writes, in base64.
	CommandExecOutputDelta parley.Note[message.Raw] = "command/exec/outputDelta"
	// ProcessOutputDelta is more of what a command of process/spawn writes, in base64.
	ProcessOutputDelta parley.Note[message.Raw] = "process/outputDelta"
	// ProcessExited tells how a command of process/spawn ended.
	ProcessExited parley.Note[message.Raw] = "process/exited"
	// WindowsWorldWritableWarning tells of folders that the sandbox on Windows cannot protect.
	WindowsWorldWritableWarning parley.Note[message.Raw] = "windows/worldWritableWarning"
	// WindowsSandboxSetupCompleted tells that the sandbox on Windows is set up.
	WindowsSandboxSetupCompleted parley.Note[message.Raw] = "windowsSandbox/setupCompleted"
)
