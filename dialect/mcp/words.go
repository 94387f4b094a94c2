package mcp

import (
	"slices"

	"github.com/parley-rpc/parley"
)

// sharedWords are the words that both eras have, with the same sender. The requests of
// the server among them travel inside results in the modern era.
var sharedWords = []parley.Word{
	{Method: string(ListTools), From: parley.SideClient, Doc: "Asks for the tools of the server."},
	{Method: string(CallTool), From: parley.SideClient, Doc: "Runs a tool."},
	{Method: string(ListResources), From: parley.SideClient, Doc: "Asks for the resources of the server."},
	{Method: string(ListResourceTemplates), From: parley.SideClient, Doc: "Asks for the families of resources that the server has."},
	{Method: string(ReadResource), From: parley.SideClient, Doc: "Asks for what a resource holds."},
	{Method: string(ListPrompts), From: parley.SideClient, Doc: "Asks for the prompts of the server."},
	{Method: string(GetPrompt), From: parley.SideClient, Doc: "Asks for a prompt with its blanks filled in."},
	{Method: string(Complete), From: parley.SideClient, Doc: "Asks how an argument may go on that somebody is typing."},
	{Method: string(CreateMessage), From: parley.SideServer, Doc: "Asks for an answer of the client's model, which a person may refuse."},
	{Method: string(ListRoots), From: parley.SideServer, Doc: "Asks for the folders that the server may work in."},
	{Method: string(Elicit), From: parley.SideServer, Doc: "Asks the user something, by a form or on a page."},
	{Method: string(Cancelled), Note: true, Doc: "Takes a request back, which is not answered any more."},
	{Method: string(LogMessage), Note: true, From: parley.SideServer, Doc: "Says what the server has to log."},
	{Method: string(ToolsChanged), Note: true, From: parley.SideServer, Doc: "Says that the list of tools is another one now."},
	{Method: string(PromptsChanged), Note: true, From: parley.SideServer, Doc: "Says that the list of prompts is another one now."},
	{Method: string(ResourcesChanged), Note: true, From: parley.SideServer, Doc: "Says that the list of resources is another one now."},
	{Method: string(ResourceUpdated), Note: true, From: parley.SideServer, Doc: "Says that a resource holds something else now."},
}

// legacyWords are those of the revisions up to 2025-11-25. Tasks have no side: whoever
// was asked for one keeps it.
var legacyWords = slices.Concat(sharedWords, []parley.Word{
	{Method: string(Initialize), From: parley.SideClient, Doc: "Opens a conversation, agrees on a version and tells what both sides can do."},
	{Method: string(Ping), Doc: "Asks whether the other side is still there."},
	{Method: string(SetLevel), From: parley.SideClient, Doc: "Says from which level on the client wants log messages."},
	{Method: string(Subscribe), From: parley.SideClient, Doc: "Asks to be told when a resource changes."},
	{Method: string(Unsubscribe), From: parley.SideClient, Doc: "Asks to be told no more."},
	{Method: string(GetTask), Doc: "Asks where a task is."},
	{Method: string(CancelTask), Doc: "Asks to end a task early."},
	{Method: string(ListTasks), Doc: "Asks for the tasks of the other side; 2025-11-25 only."},
	{Method: string(TaskResult), Doc: "Waits for a task to end and asks for its result; 2025-11-25 only."},
	{Method: string(Initialized), Note: true, From: parley.SideClient, Doc: "Says that the client is ready after the answer to initialize."},
	{Method: string(RootsChanged), Note: true, From: parley.SideClient, Doc: "Says that the client lets the server work in other folders now."},
	{Method: string(Progress), Note: true, Doc: "Says how far a request has come, to a caller that asked for it."},
	{Method: string(ElicitationCompleted), Note: true, From: parley.SideServer, Doc: "Says that the user is done with a page; 2025-11-25 only."},
	{Method: string(TaskStatusChanged), Note: true, Doc: "Says where a task is now; 2025-11-25 only."},
})

// modernWords are those of the revision 2026-07-28 and of the extension tasks.
var modernWords = slices.Concat(sharedWords, []parley.Word{
	{Method: string(Discover), From: parley.SideClient, Doc: "Asks which versions the server speaks and what it can do."},
	{Method: string(Listen), From: parley.SideClient, Doc: "Opens a stream of notes, and is answered when that stream ends."},
	{Method: string(GetTask), From: parley.SideClient, Doc: "Asks where a task is."},
	{Method: string(UpdateTask), From: parley.SideClient, Doc: "Answers what a task has asked."},
	{Method: string(CancelTask), From: parley.SideClient, Doc: "Asks to end a task early."},
	{Method: string(Progress), Note: true, From: parley.SideServer, Doc: "Says how far a request has come, to a caller that asked for it."},
	{Method: string(Acknowledged), Note: true, From: parley.SideServer, Doc: "Says which notes a stream of subscriptions/listen will carry, and is the first of them."},
	{Method: string(TaskChanged), Note: true, From: parley.SideServer, Doc: "Says where a task is now, and what has come of it."},
})

// union returns the words of a and of b, each once. A word that they have from
// different sides may come from either.
func union(a, b []parley.Word) []parley.Word {
	all := slices.Clone(a)
	for _, word := range b {
		i, ok := find(all, word.Method)
		switch {
		case !ok:
			all = append(all, word)
		case all[i].From != word.From:
			all[i].From = parley.SideUnknown
		}
	}
	return all
}

// find returns where in words the method is, and whether it is there.
func find(words []parley.Word, method string) (int, bool) {
	i := slices.IndexFunc(words, func(w parley.Word) bool { return w.Method == method })
	return i, i >= 0
}
