package claude

import "github.com/parley-rpc/parley"

// words are the records and requests that the protocol names. The server is the agent,
// the client the SDK or editor that started it. The sentences are those of the constants.
var words = []parley.Word{
	// Records that are notes.
	{Method: string(User), Note: true, Doc: "Is a turn of the user from the client, or a tool's result from the agent."},
	{Method: string(UpdateEnvironmentVariables), Note: true, From: parley.SideClient, Doc: "Sets variables of the agent's process."},
	{Method: string(System), Note: true, From: parley.SideServer, Doc: "Is news of the agent about itself; its subtype says what about."},
	{Method: string(Assistant), Note: true, From: parley.SideServer, Doc: "Is a message of the model, whole."},
	{Method: string(Result), Note: true, From: parley.SideServer, Doc: "Ends a turn, well or not."},
	{Method: string(StreamEvent), Note: true, From: parley.SideServer, Doc: "Is a piece of a message of the model that is being written."},
	{Method: string(RateLimitEvent), Note: true, From: parley.SideServer, Doc: "Says how much of the limits of the account is used."},
	{Method: string(ToolProgress), Note: true, From: parley.SideServer, Doc: "Says that a tool still runs."},
	{Method: string(ToolUseSummary), Note: true, From: parley.SideServer, Doc: "Sums up what tools did."},
	{Method: string(AuthStatus), Note: true, From: parley.SideServer, Doc: "Says how far a login is."},
	{Method: string(PromptSuggestion), Note: true, From: parley.SideServer, Doc: "Offers the user a next prompt."},
	{Method: string(ConversationReset), Note: true, From: parley.SideServer, Doc: "Says that the conversation begins anew."},
	{Method: string(TranscriptMirror), Note: true, From: parley.SideServer, Doc: "Is what the agent writes to its transcript, for the SDK to keep."},
	{Method: string(ControlCancelRequest), Note: true, Doc: "Takes a control_request back."},

	// Calls of the agent.
	{Method: string(CanUseTool), From: parley.SideServer, Doc: "Asks for the permission to run a tool."},
	{Method: string(HookCallback), From: parley.SideServer, Doc: "Runs a hook that the client registered when it initialized."},
	{Method: string(Elicitation), From: parley.SideServer, Doc: "Passes on a question of an MCP server to the user."},
	{Method: string(RequestUserDialog), From: parley.SideServer, Doc: "Opens a dialog."},

	// Calls of either side.
	{Method: string(MCPMessage), Doc: "Carries a JSON-RPC message to an MCP server on the other side, whichever side that is."},

	// Calls of the client.
	{Method: string(Initialize), From: parley.SideClient, Doc: "Registers hooks, MCP servers and prompts."},
	{Method: string(Interrupt), From: parley.SideClient, Doc: "Stops the turn, which then ends with a result."},
	{Method: string(SetPermissionMode), From: parley.SideClient, Doc: "Says which tools run without a question."},
	{Method: string(SetModel), From: parley.SideClient, Doc: "Changes the model."},
	{Method: string(SetMaxThinkingTokens), From: parley.SideClient, Doc: "Bounds how long the model thinks."},
	{Method: string(MCPStatus), From: parley.SideClient, Doc: "Lists the MCP servers and how they are."},
	{Method: string(MCPSetServers), From: parley.SideClient, Doc: "Replaces the MCP servers."},
	{Method: string(MCPReconnect), From: parley.SideClient, Doc: "Connects an MCP server again."},
	{Method: string(MCPToggle), From: parley.SideClient, Doc: "Turns an MCP server on or off."},
	{Method: string(MCPCall), From: parley.SideClient, Doc: "Calls a tool of an MCP server."},
	{Method: string(MCPReadResource), From: parley.SideClient, Doc: "Reads a resource of an MCP server."},
	{Method: string(RewindFiles), From: parley.SideClient, Doc: "Puts files back to what they were at a message."},
	{Method: string(StopTask), From: parley.SideClient, Doc: "Stops a background task."},
	{Method: string(BackgroundTasks), From: parley.SideClient, Doc: "Moves running tasks to the background."},
	{Method: string(GetTaskOutput), From: parley.SideClient, Doc: "Reads what a background task wrote."},
	{Method: string(CancelAsyncMessage), From: parley.SideClient, Doc: "Takes back a message that waits for its turn."},
	{Method: string(GetContextUsage), From: parley.SideClient, Doc: "Says how full the context is."},
	{Method: string(GetUsage), From: parley.SideClient, Doc: "Says what was used of the limits."},
	{Method: string(GetSessionCost), From: parley.SideClient, Doc: "Says what the conversation has cost."},
	{Method: string(ListModels), From: parley.SideClient, Doc: "Lists the models to choose from."},
	{Method: string(GetSettings), From: parley.SideClient, Doc: "Reads the settings."},
	{Method: string(ApplyFlagSettings), From: parley.SideClient, Doc: "Sets what flags of the command line set."},
	{Method: string(UpdateSettings), From: parley.SideClient, Doc: "Changes the settings."},
	{Method: string(ListPermissionRules), From: parley.SideClient, Doc: "Lists the rules of what may run."},
	{Method: string(GetHooksListing), From: parley.SideClient, Doc: "Lists the hooks."},
	{Method: string(ReloadPlugins), From: parley.SideClient, Doc: "Loads the plugins again."},
	{Method: string(ReloadSkills), From: parley.SideClient, Doc: "Loads the skills again."},
	{Method: string(ReloadOutputStyles), From: parley.SideClient, Doc: "Loads the output styles again."},
	{Method: string(ReadFile), From: parley.SideClient, Doc: "Reads a file on the agent's side."},
	{Method: string(SeedReadState), From: parley.SideClient, Doc: "Tells the agent of files that count as read."},
	{Method: string(FileSuggestions), From: parley.SideClient, Doc: "Completes the name of a file."},
	{Method: string(RenameSession), From: parley.SideClient, Doc: "Gives the conversation another title."},
	{Method: string(SetColor), From: parley.SideClient, Doc: "Sets the color of the conversation."},
	{Method: string(SetHasSubscribers), From: parley.SideClient, Doc: "Says whether anybody watches."},
	{Method: string(RegisterRepoRoot), From: parley.SideClient, Doc: "Names the root of a repository."},
	{Method: string(GetBinaryVersion), From: parley.SideClient, Doc: "Says which version the agent is."},
	{Method: string(SideQuestion), From: parley.SideClient, Doc: "Asks the model beside the conversation."},
}

// names are the words by themselves. A record that says a known one shares its text.
var names = func() map[string]string {
	m := make(map[string]string, len(words))
	for _, w := range words {
		m[w.Method] = w.Method
	}
	return m
}()

// known returns word as a string, without an allocation if the protocol names it.
func known(word []byte) string {
	if name, ok := names[string(word)]; ok {
		return name
	}
	return string(word)
}
