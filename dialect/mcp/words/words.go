package words

import (
	"slices"

	"github.com/parley-rpc/parley"
)

// sharedWords are the words that both eras have, with the same sender. The requests of
// the server among them travel inside results in the modern era.
var sharedWords = []parley.Word{
	{Method: "tools/list", From: parley.SideClient, Doc: "Asks for the tools of the server."},
	{Method: "tools/call", From: parley.SideClient, Doc: "Runs a tool."},
	{Method: "resources/list", From: parley.SideClient, Doc: "Asks for the resources of the server."},
	{Method: "resources/templates/list", From: parley.SideClient, Doc: "Asks for the families of resources that the server has."},
	{Method: "resources/read", From: parley.SideClient, Doc: "Asks for what a resource holds."},
	{Method: "prompts/list", From: parley.SideClient, Doc: "Asks for the prompts of the server."},
	{Method: "prompts/get", From: parley.SideClient, Doc: "Asks for a prompt with its blanks filled in."},
	{Method: "completion/complete", From: parley.SideClient, Doc: "Asks how an argument may go on that somebody is typing."},
	{Method: "sampling/createMessage", From: parley.SideServer, Doc: "Asks for an answer of the client's model, which a person may refuse."},
	{Method: "roots/list", From: parley.SideServer, Doc: "Asks for the folders that the server may work in."},
	{Method: "elicitation/create", From: parley.SideServer, Doc: "Asks the user something, by a form or on a page."},
	{Method: "notifications/cancelled", Note: true, Doc: "Takes a request back, which is not answered any more."},
	{Method: "notifications/message", Note: true, From: parley.SideServer, Doc: "Says what the server has to log."},
	{Method: "notifications/tools/list_changed", Note: true, From: parley.SideServer, Doc: "Says that the list of tools is another one now."},
	{Method: "notifications/prompts/list_changed", Note: true, From: parley.SideServer, Doc: "Says that the list of prompts is another one now."},
	{Method: "notifications/resources/list_changed", Note: true, From: parley.SideServer, Doc: "Says that the list of resources is another one now."},
	{Method: "notifications/resources/updated", Note: true, From: parley.SideServer, Doc: "Says that a resource holds something else now."},
}

// legacyWords are those of the revisions up to 2025-11-25. Tasks have no side: whoever
// was asked for one keeps it.
var legacyWords = slices.Concat(sharedWords, []parley.Word{
	{Method: "initialize", From: parley.SideClient, Doc: "Opens a conversation, agrees on a version and tells what both sides can do."},
	{Method: "ping", Doc: "Asks whether the other side is still there."},
	{Method: "logging/setLevel", From: parley.SideClient, Doc: "Says from which level on the client wants log messages."},
	{Method: "resources/subscribe", From: parley.SideClient, Doc: "Asks to be told when a resource changes."},
	{Method: "resources/unsubscribe", From: parley.SideClient, Doc: "Asks to be told no more."},
	{Method: "tasks/get", Doc: "Asks where a task is."},
	{Method: "tasks/cancel", Doc: "Asks to end a task early."},
	{Method: "tasks/list", Doc: "Asks for the tasks of the other side; 2025-11-25 only."},
	{Method: "tasks/result", Doc: "Waits for a task to end and asks for its result; 2025-11-25 only."},
	{Method: "notifications/initialized", Note: true, From: parley.SideClient, Doc: "Says that the client is ready after the answer to initialize."},
	{Method: "notifications/roots/list_changed", Note: true, From: parley.SideClient, Doc: "Says that the client lets the server work in other folders now."},
	{Method: "notifications/progress", Note: true, Doc: "Says how far a request has come, to a caller that asked for it."},
	{Method: "notifications/elicitation/complete", Note: true, From: parley.SideServer, Doc: "Says that the user is done with a page; 2025-11-25 only."},
	{Method: "notifications/tasks/status", Note: true, Doc: "Says where a task is now; 2025-11-25 only."},
})

// modernWords are those of the revision 2026-07-28 and of the extension tasks.
var modernWords = slices.Concat(sharedWords, []parley.Word{
	{Method: "server/discover", From: parley.SideClient, Doc: "Asks which versions the server speaks and what it can do."},
	{Method: "subscriptions/listen", From: parley.SideClient, Doc: "Opens a stream of notes, and is answered when that stream ends."},
	{Method: "tasks/get", From: parley.SideClient, Doc: "Asks where a task is."},
	{Method: "tasks/update", From: parley.SideClient, Doc: "Answers what a task has asked."},
	{Method: "tasks/cancel", From: parley.SideClient, Doc: "Asks to end a task early."},
	{Method: "notifications/progress", Note: true, From: parley.SideServer, Doc: "Says how far a request has come, to a caller that asked for it."},
	{Method: "notifications/subscriptions/acknowledged", Note: true, From: parley.SideServer, Doc: "Says which notes a stream of subscriptions/listen will carry, and is the first of them."},
	{Method: "notifications/tasks", Note: true, From: parley.SideServer, Doc: "Says where a task is now, and what has come of it."},
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
