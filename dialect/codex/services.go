package codex

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// From the client: models, the account and the configuration.
const (
	// ModelList lists the models, page by page.
	ModelList parley.Method[message.Raw, message.Raw] = "model/list"
	// ModelProviderList lists the providers of models.
	ModelProviderList parley.Method[message.Raw, message.Raw] = "modelProvider/list"
	// ModelProviderConfigWrite configures a provider of models.
	ModelProviderConfigWrite parley.Method[message.Raw, message.Raw] = "modelProvider/config/write"
	// ModelProviderDefaultSet chooses the provider of models.
	ModelProviderDefaultSet parley.Method[message.Raw, message.Raw] = "modelProvider/default/set"
	// ModelProviderCapabilitiesRead returns what a provider of models can do.
	ModelProviderCapabilitiesRead parley.Method[message.Raw, message.Raw] = "modelProvider/capabilities/read"
	// AccountRead returns who is logged in.
	AccountRead parley.Method[message.Raw, message.Raw] = "account/read"
	// AccountLoginStart begins to log in.
	AccountLoginStart parley.Method[message.Raw, message.Raw] = "account/login/start"
	// AccountLoginCancel gives up logging in.
	AccountLoginCancel parley.Method[message.Raw, message.Raw] = "account/login/cancel"
	// AccountLogout logs out.
	AccountLogout parley.Method[message.Raw, message.Raw] = "account/logout"
	// AccountRateLimitsRead returns the limits of the account and how far they are used.
	AccountRateLimitsRead parley.Method[message.Raw, message.Raw] = "account/rateLimits/read"
	// AccountRateLimitResetCreditConsume spends a credit to reset a limit.
	AccountRateLimitResetCreditConsume parley.Method[message.Raw, message.Raw] = "account/rateLimitResetCredit/consume"
	// AccountUsageRead returns what the account has used.
	AccountUsageRead parley.Method[message.Raw, message.Raw] = "account/usage/read"
	// AccountWorkspaceMessagesRead returns the messages of the account's workspace.
	AccountWorkspaceMessagesRead parley.Method[message.Raw, message.Raw] = "account/workspaceMessages/read"
	// AccountSendAddCreditsNudgeEmail asks the owner of the workspace for credits by mail.
	AccountSendAddCreditsNudgeEmail parley.Method[message.Raw, message.Raw] = "account/sendAddCreditsNudgeEmail"
	// AccountSecuritySetupRead returns how the account is secured.
	AccountSecuritySetupRead parley.Method[message.Raw, message.Raw] = "account/securitySetup/read"
	// AccountGatewayOAuthRead returns the state of a login to a gateway.
	AccountGatewayOAuthRead parley.Method[message.Raw, message.Raw] = "account/gatewayOAuth/read"
	// AccountGatewayOAuthLogin begins to log in to a gateway.
	AccountGatewayOAuthLogin parley.Method[message.Raw, message.Raw] = "account/gatewayOAuth/login"
	// AccountGatewayOAuthCancel gives up logging in to a gateway.
	AccountGatewayOAuthCancel parley.Method[message.Raw, message.Raw] = "account/gatewayOAuth/cancel"
	// AccountBedrockDiscover finds credentials for Amazon Bedrock.
	AccountBedrockDiscover parley.Method[message.Raw, message.Raw] = "account/bedrock/discover"
	// AccountBedrockSetup configures Amazon Bedrock.
	AccountBedrockSetup parley.Method[message.Raw, message.Raw] = "account/bedrock/setup"
	// AccountBedrockCheckGovCloudRequirements checks what Amazon Bedrock in GovCloud asks for.
	AccountBedrockCheckGovCloudRequirements parley.Method[message.Raw, message.Raw] = "account/bedrock/checkGovCloudRequirements"
	// AccountGCPSetup configures Google Cloud.
	AccountGCPSetup parley.Method[message.Raw, message.Raw] = "account/gcp/setup"
	// AccountSessionList lists the accounts that are logged in.
	AccountSessionList parley.Method[message.Raw, message.Raw] = "accountSession/list"
	// AccountSessionSwitch changes to another account.
	AccountSessionSwitch parley.Method[message.Raw, message.Raw] = "accountSession/switch"
	// GetAuthStatus returns how the client is logged in (legacy).
	GetAuthStatus parley.Method[message.Raw, message.Raw] = "getAuthStatus"
	// UserVerificationStatus returns whether the user can be verified on this device.
	UserVerificationStatus parley.Method[message.Raw, message.Raw] = "userVerification/status"
	// UserVerificationEnroll makes this device able to verify the user.
	UserVerificationEnroll parley.Method[message.Raw, message.Raw] = "userVerification/enroll"
	// UserVerificationDelete forgets this device.
	UserVerificationDelete parley.Method[message.Raw, message.Raw] = "userVerification/delete"
	// UserVerificationVerify verifies the user.
	UserVerificationVerify parley.Method[message.Raw, message.Raw] = "userVerification/verify"
	// UserVerificationCancel gives up verifying the user.
	UserVerificationCancel parley.Method[message.Raw, message.Raw] = "userVerification/cancel"
	// ConfigRead returns the configuration in force.
	ConfigRead parley.Method[message.Raw, message.Raw] = "config/read"
	// ConfigValueWrite changes a value of the user's configuration.
	ConfigValueWrite parley.Method[message.Raw, message.Raw] = "config/value/write"
	// ConfigBatchWrite changes several values of the user's configuration at once.
	ConfigBatchWrite parley.Method[message.Raw, message.Raw] = "config/batchWrite"
	// ConfigMCPServerReload reads the configuration of MCP servers again.
	ConfigMCPServerReload parley.Method[message.Raw, message.Raw] = "config/mcpServer/reload"
	// ConfigRequirementsRead returns what an administrator demands of the configuration.
	ConfigRequirementsRead parley.Method[message.Raw, message.Raw] = "configRequirements/read"
	// ExternalAgentConfigDetect finds the configuration of other agents.
	ExternalAgentConfigDetect parley.Method[message.Raw, message.Raw] = "externalAgentConfig/detect"
	// ExternalAgentConfigImport takes over the configuration of another agent.
	ExternalAgentConfigImport parley.Method[message.Raw, message.Raw] = "externalAgentConfig/import"
	// ExternalAgentConfigImportRecordHistory remembers what was taken over.
	ExternalAgentConfigImportRecordHistory parley.Method[message.Raw, message.Raw] = "externalAgentConfig/import/recordHistory"
	// ExternalAgentConfigImportReadHistories returns what was taken over.
	ExternalAgentConfigImportReadHistories parley.Method[message.Raw, message.Raw] = "externalAgentConfig/import/readHistories"
	// ExperimentalFeatureList lists the features that are not stable yet.
	ExperimentalFeatureList parley.Method[message.Raw, message.Raw] = "experimentalFeature/list"
	// ExperimentalFeatureEnablementSet turns features that are not stable yet on or off.
	ExperimentalFeatureEnablementSet parley.Method[message.Raw, message.Raw] = "experimentalFeature/enablement/set"
	// PermissionProfileList lists the named sets of permissions.
	PermissionProfileList parley.Method[message.Raw, message.Raw] = "permissionProfile/list"
	// CollaborationModeList lists the ways of working together, such as planning.
	CollaborationModeList parley.Method[message.Raw, message.Raw] = "collaborationMode/list"
)

// From the client: what the agent can use.
const (
	// SkillsList lists the skills for some folders.
	SkillsList parley.Method[message.Raw, message.Raw] = "skills/list"
	// SkillsConfigWrite turns a skill on or off.
	SkillsConfigWrite parley.Method[message.Raw, message.Raw] = "skills/config/write"
	// SkillsExtraRootsSet names more folders that have skills.
	SkillsExtraRootsSet parley.Method[message.Raw, message.Raw] = "skills/extraRoots/set"
	// HooksList lists the hooks for some folders.
	HooksList parley.Method[message.Raw, message.Raw] = "hooks/list"
	// MarketplaceAdd adds a place to get plugins from.
	MarketplaceAdd parley.Method[message.Raw, message.Raw] = "marketplace/add"
	// MarketplaceRemove removes a place to get plugins from.
	MarketplaceRemove parley.Method[message.Raw, message.Raw] = "marketplace/remove"
	// MarketplaceUpgrade brings a place to get plugins from up to date.
	MarketplaceUpgrade parley.Method[message.Raw, message.Raw] = "marketplace/upgrade"
	// PluginList lists the plugins that there are.
	PluginList parley.Method[message.Raw, message.Raw] = "plugin/list"
	// PluginSearch searches the plugins.
	PluginSearch parley.Method[message.Raw, message.Raw] = "plugin/search"
	// PluginInstalled lists the plugins that are installed.
	PluginInstalled parley.Method[message.Raw, message.Raw] = "plugin/installed"
	// PluginRead returns a plugin.
	PluginRead parley.Method[message.Raw, message.Raw] = "plugin/read"
	// PluginSkillRead returns a skill of a plugin.
	PluginSkillRead parley.Method[message.Raw, message.Raw] = "plugin/skill/read"
	// PluginInstall installs a plugin.
	PluginInstall parley.Method[message.Raw, message.Raw] = "plugin/install"
	// PluginUninstall removes a plugin.
	PluginUninstall parley.Method[message.Raw, message.Raw] = "plugin/uninstall"
	// PluginReconcile makes what is installed what should be.
	PluginReconcile parley.Method[message.Raw, message.Raw] = "plugin/reconcile"
	// PluginShareSave shares a plugin.
	PluginShareSave parley.Method[message.Raw, message.Raw] = "plugin/share/save"
	// PluginShareUpdateTargets says with whom a plugin is shared.
	PluginShareUpdateTargets parley.Method[message.Raw, message.Raw] = "plugin/share/updateTargets"
	// PluginShareList lists the plugins that are shared.
	PluginShareList parley.Method[message.Raw, message.Raw] = "plugin/share/list"
	// PluginShareCheckout takes a plugin that is shared.
	PluginShareCheckout parley.Method[message.Raw, message.Raw] = "plugin/share/checkout"
	// PluginShareDelete ends the sharing of a plugin.
	PluginShareDelete parley.Method[message.Raw, message.Raw] = "plugin/share/delete"
	// AppList lists the apps that there are.
	AppList parley.Method[message.Raw, message.Raw] = "app/list"
	// AppRead returns apps.
	AppRead parley.Method[message.Raw, message.Raw] = "app/read"
	// AppInstalled lists the apps that are installed.
	AppInstalled parley.Method[message.Raw, message.Raw] = "app/installed"
	// MCPServerStatusList lists the MCP servers with their tools and state.
	MCPServerStatusList parley.Method[message.Raw, message.Raw] = "mcpServerStatus/list"
	// MCPServerOauthLogin begins to log in to an MCP server.
	MCPServerOauthLogin parley.Method[message.Raw, message.Raw] = "mcpServer/oauth/login"
	// MCPServerResourceRead reads a resource of an MCP server.
	MCPServerResourceRead parley.Method[message.Raw, message.Raw] = "mcpServer/resource/read"
	// MCPServerToolCall calls a tool of an MCP server.
	MCPServerToolCall parley.Method[message.Raw, message.Raw] = "mcpServer/tool/call"
	// MCPServerEventStreamStart begins to pass on the events of an MCP server.
	MCPServerEventStreamStart parley.Method[message.Raw, message.Raw] = "mcpServer/event/stream/start"
	// MCPServerEventStreamStop ends passing on the events of an MCP server.
	MCPServerEventStreamStop parley.Method[message.Raw, message.Raw] = "mcpServer/event/stream/stop"
	// MemoryStatus returns the state of what the agent remembers.
	MemoryStatus parley.Method[message.Raw, message.Raw] = "memory/status"
	// MemoryReset forgets what the agent remembers.
	MemoryReset parley.Method[message.Raw, message.Raw] = "memory/reset"
)

// From the client: files, commands and projects.
const (
	// FSReadFile reads a file, in base64.
	FSReadFile parley.Method[message.Raw, message.Raw] = "fs/readFile"
	// FSWriteFile writes a file, in base64.
	FSWriteFile parley.Method[message.Raw, message.Raw] = "fs/writeFile"
	// FSCreateDirectory makes a folder.
	FSCreateDirectory parley.Method[message.Raw, message.Raw] = "fs/createDirectory"
	// FSGetMetadata returns what a path is and its times.
	FSGetMetadata parley.Method[message.Raw, message.Raw] = "fs/getMetadata"
	// FSReadDirectory lists a folder.
	FSReadDirectory parley.Method[message.Raw, message.Raw] = "fs/readDirectory"
	// FSRemove deletes a file or a folder.
	FSRemove parley.Method[message.Raw, message.Raw] = "fs/remove"
	// FSCopy copies a file or a folder.
	FSCopy parley.Method[message.Raw, message.Raw] = "fs/copy"
	// FSWatch begins to tell of changes under a path.
	FSWatch parley.Method[message.Raw, message.Raw] = "fs/watch"
	// FSUnwatch ends telling of changes under a path.
	FSUnwatch parley.Method[message.Raw, message.Raw] = "fs/unwatch"
	// FuzzyFileSearch finds files by parts of their names, once.
	FuzzyFileSearch parley.Method[message.Raw, message.Raw] = "fuzzyFileSearch"
	// FuzzyFileSearchSessionStart begins to find files while the user types.
	FuzzyFileSearchSessionStart parley.Method[message.Raw, message.Raw] = "fuzzyFileSearch/sessionStart"
	// FuzzyFileSearchSessionUpdate says what the user has typed by now.
	FuzzyFileSearchSessionUpdate parley.Method[message.Raw, message.Raw] = "fuzzyFileSearch/sessionUpdate"
	// FuzzyFileSearchSessionStop ends finding files while the user types.
	FuzzyFileSearchSessionStop parley.Method[message.Raw, message.Raw] = "fuzzyFileSearch/sessionStop"
	// CommandExec runs a command in the sandbox, and is answered when it has ended.
	CommandExec parley.Method[message.Raw, message.Raw] = "command/exec"
	// CommandExecWrite writes to the stdin of a command of command/exec, or closes it.
	CommandExecWrite parley.Method[message.Raw, message.Raw] = "command/exec/write"
	// CommandExecTerminate ends a command of command/exec.
	CommandExecTerminate parley.Method[message.Raw, message.Raw] = "command/exec/terminate"
	// CommandExecResize changes the size of the terminal of a command of command/exec.
	CommandExecResize parley.Method[message.Raw, message.Raw] = "command/exec/resize"
	// ProcessSpawn runs a command outside the sandbox.
	ProcessSpawn parley.Method[message.Raw, message.Raw] = "process/spawn"
	// ProcessWriteStdin writes to the stdin of a command of process/spawn.
	ProcessWriteStdin parley.Method[message.Raw, message.Raw] = "process/writeStdin"
	// ProcessKill ends a command of process/spawn.
	ProcessKill parley.Method[message.Raw, message.Raw] = "process/kill"
	// ProcessResizePty changes the size of the terminal of a command of process/spawn.
	ProcessResizePty parley.Method[message.Raw, message.Raw] = "process/resizePty"
	// EnvironmentAdd adds a place where threads can run.
	EnvironmentAdd parley.Method[message.Raw, message.Raw] = "environment/add"
	// EnvironmentInfo returns what is known of a place where threads can run.
	EnvironmentInfo parley.Method[message.Raw, message.Raw] = "environment/info"
	// EnvironmentStatus returns whether a place where threads can run can be reached.
	EnvironmentStatus parley.Method[message.Raw, message.Raw] = "environment/status"
	// ProjectList lists the projects.
	ProjectList parley.Method[message.Raw, message.Raw] = "project/list"
	// ProjectRead returns a project.
	ProjectRead parley.Method[message.Raw, message.Raw] = "project/read"
	// ProjectCreate makes a project.
	ProjectCreate parley.Method[message.Raw, message.Raw] = "project/create"
	// ProjectImport makes a project of a folder that there is.
	ProjectImport parley.Method[message.Raw, message.Raw] = "project/import"
	// ProjectUpdate changes a project.
	ProjectUpdate parley.Method[message.Raw, message.Raw] = "project/update"
	// ProjectMove puts a project in another place of the list.
	ProjectMove parley.Method[message.Raw, message.Raw] = "project/move"
	// ProjectDelete deletes a project.
	ProjectDelete parley.Method[message.Raw, message.Raw] = "project/delete"
)

// From the client: the server itself, and the rest.
const (
	// ServerDiagnostics returns how the server is.
	ServerDiagnostics parley.Method[message.Raw, message.Raw] = "server/diagnostics"
	// RolloutCompress makes stored threads smaller.
	RolloutCompress parley.Method[message.Raw, message.Raw] = "rollout/compress"
	// RemoteControlEnable lets other devices control the server.
	RemoteControlEnable parley.Method[message.Raw, message.Raw] = "remoteControl/enable"
	// RemoteControlDisable ends the control of the server by other devices.
	RemoteControlDisable parley.Method[message.Raw, message.Raw] = "remoteControl/disable"
	// RemoteControlStatusRead returns whether other devices can control the server.
	RemoteControlStatusRead parley.Method[message.Raw, message.Raw] = "remoteControl/status/read"
	// RemoteControlPairingStart begins to pair a device.
	RemoteControlPairingStart parley.Method[message.Raw, message.Raw] = "remoteControl/pairing/start"
	// RemoteControlPairingStatus returns how far the pairing is.
	RemoteControlPairingStatus parley.Method[message.Raw, message.Raw] = "remoteControl/pairing/status"
	// RemoteControlClientList lists the devices that are paired.
	RemoteControlClientList parley.Method[message.Raw, message.Raw] = "remoteControl/client/list"
	// RemoteControlClientRevoke takes from a paired device the right to control the server.
	RemoteControlClientRevoke parley.Method[message.Raw, message.Raw] = "remoteControl/client/revoke"
	// WindowsSandboxSetupStart begins to set up the sandbox on Windows.
	WindowsSandboxSetupStart parley.Method[message.Raw, message.Raw] = "windowsSandbox/setupStart"
	// WindowsSandboxReadiness returns whether the sandbox on Windows is ready.
	WindowsSandboxReadiness parley.Method[message.Raw, message.Raw] = "windowsSandbox/readiness"
	// FeedbackUpload sends a report to the makers.
	FeedbackUpload parley.Method[message.Raw, message.Raw] = "feedback/upload"
	// FeedbackSave stores a report here.
	FeedbackSave parley.Method[message.Raw, message.Raw] = "feedback/save"
	// GetConversationSummary returns the summary of a stored thread (legacy).
	GetConversationSummary parley.Method[message.Raw, message.Raw] = "getConversationSummary"
	// GitDiffToRemote returns what differs from the remote branch (legacy).
	GitDiffToRemote parley.Method[message.Raw, message.Raw] = "gitDiffToRemote"
	// MockExperimentalMethod tests that unstable methods are refused unless asked for.
	MockExperimentalMethod parley.Method[message.Raw, message.Raw] = "mock/experimentalMethod"
)
