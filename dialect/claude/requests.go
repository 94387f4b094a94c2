package claude

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The other calls of the client. They differ from version to version, so their params
// and results are left as they are.
const (
	// MCPStatus lists the MCP servers and how they are.
	MCPStatus parley.Method[message.Raw, message.Raw] = "mcp_status"
	// MCPSetServers replaces the MCP servers.
	MCPSetServers parley.Method[message.Raw, message.Raw] = "mcp_set_servers"
	// MCPReconnect connects an MCP server again.
	MCPReconnect parley.Method[message.Raw, message.Raw] = "mcp_reconnect"
	// MCPToggle turns an MCP server on or off.
	MCPToggle parley.Method[message.Raw, message.Raw] = "mcp_toggle"
	// MCPCall calls a tool of an MCP server.
	MCPCall parley.Method[message.Raw, message.Raw] = "mcp_call"
	// MCPReadResource reads a resource of an MCP server.
	MCPReadResource parley.Method[message.Raw, message.Raw] = "mcp_read_resource"
	// RewindFiles puts files back to what they were at a message.
	RewindFiles parley.Method[message.Raw, message.Raw] = "rewind_files"
	// StopTask stops a background task.
	StopTask parley.Method[message.Raw, message.Raw] = "stop_task"
	// BackgroundTasks moves running tasks to the background.
	BackgroundTasks parley.Method[message.Raw, message.Raw] = "background_tasks"
	// GetTaskOutput reads what a background task wrote.
	GetTaskOutput parley.Method[message.Raw, message.Raw] = "get_task_output"
	// CancelAsyncMessage takes back a message that waits for its turn.
	CancelAsyncMessage parley.Method[message.Raw, message.Raw] = "cancel_async_message"
	// GetContextUsage says how full the context is.
	GetContextUsage parley.Method[message.Raw, message.Raw] = "get_context_usage"
	// GetUsage says what was used of the limits.
	GetUsage parley.Method[message.Raw, message.Raw] = "get_usage"
	// GetSessionCost says what the conversation has cost.
	GetSessionCost parley.Method[message.Raw, message.Raw] = "get_session_cost"
	// ListModels lists the models to choose from.
	ListModels parley.Method[message.Raw, message.Raw] = "list_models"
	// GetSettings reads the settings.
	GetSettings parley.Method[message.Raw, message.Raw] = "get_settings"
	// ApplyFlagSettings sets what flags of the command line set.
	ApplyFlagSettings parley.Method[message.Raw, message.Raw] = "apply_flag_settings"
	// UpdateSettings changes the settings.
	UpdateSettings parley.Method[message.Raw, message.Raw] = "update_settings"
	// ListPermissionRules lists the rules of what may run.
	ListPermissionRules parley.Method[message.Raw, message.Raw] = "list_permission_rules"
	// GetHooksListing lists the hooks.
	GetHooksListing parley.Method[message.Raw, message.Raw] = "get_hooks_listing"
	// ReloadPlugins loads the plugins again.
	ReloadPlugins parley.Method[message.Raw, message.Raw] = "reload_plugins"
	// ReloadSkills loads the skills again.
	ReloadSkills parley.Method[message.Raw, message.Raw] = "reload_skills"
	// ReloadOutputStyles loads the output styles again.
	ReloadOutputStyles parley.Method[message.Raw, message.Raw] = "reload_output_styles"
	// ReadFile reads a file on the agent's side.
	ReadFile parley.Method[message.Raw, message.Raw] = "read_file"
	// SeedReadState tells the agent of files that count as read.
	SeedReadState parley.Method[message.Raw, message.Raw] = "seed_read_state"
	// FileSuggestions completes the name of a file.
	FileSuggestions parley.Method[message.Raw, message.Raw] = "file_suggestions"
	// RenameSession gives the conversation another title.
	RenameSession parley.Method[message.Raw, message.Raw] = "rename_session"
	// SetColor sets the color of the conversation.
	SetColor parley.Method[message.Raw, message.Raw] = "set_color"
	// SetHasSubscribers says whether anybody watches.
	SetHasSubscribers parley.Method[message.Raw, message.Raw] = "set_has_subscribers"
	// RegisterRepoRoot names the root of a repository.
	RegisterRepoRoot parley.Method[message.Raw, message.Raw] = "register_repo_root"
	// GetBinaryVersion says which version the agent is.
	GetBinaryVersion parley.Method[message.Raw, message.Raw] = "get_binary_version"
	// SideQuestion asks the model beside the conversation.
	SideQuestion parley.Method[message.Raw, message.Raw] = "side_question"
)
