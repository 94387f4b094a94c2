package codex

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// words.go is made from the constants of this package: the first words of a block say who
// sends, and the comment of a constant says what. Change it there and run
// go test ./dialect/codex -run TestWords -update.

// From the client: threads. A thread is a conversation, a turn one round of it.
const (
	// Initialize opens the connection, once and before all else.
	Initialize parley.Method[InitializeParams, *InitializeResult] = "initialize"
	// ThreadStart starts a thread, whose notes this connection gets from then on.
	ThreadStart parley.Method[ThreadStartParams, *ThreadStartResult] = "thread/start"
	// ThreadResume takes up a thread that was stored.
	ThreadResume parley.Method[ThreadResumeParams, *ThreadStartResult] = "thread/resume"
	// ThreadFork starts a thread from the history of another.
	ThreadFork parley.Method[ThreadForkParams, *ThreadStartResult] = "thread/fork"
	// ThreadList lists the stored threads, page by page.
	ThreadList parley.Method[ThreadListParams, *ThreadListResult] = "thread/list"
	// ThreadLoadedList lists the threads that are in memory.
	ThreadLoadedList parley.Method[LoadedListParams, *LoadedListResult] = "thread/loaded/list"
	// ThreadRead returns a stored thread without taking it up.
	ThreadRead parley.Method[ThreadReadParams, *ThreadReadResult] = "thread/read"
	// ThreadArchive puts a thread away.
	ThreadArchive parley.Method[ThreadParams, Empty] = "thread/archive"
	// ThreadUnarchive takes a thread out of the archive.
	ThreadUnarchive parley.Method[ThreadParams, *ThreadReadResult] = "thread/unarchive"
	// ThreadDelete deletes a thread for good.
	ThreadDelete parley.Method[ThreadParams, Empty] = "thread/delete"
	// ThreadUnsubscribe ends the notes of a thread to this connection.
	ThreadUnsubscribe parley.Method[ThreadParams, *ThreadUnsubscribeResult] = "thread/unsubscribe"
	// ThreadNameSet names a thread.
	ThreadNameSet parley.Method[ThreadNameSetParams, Empty] = "thread/name/set"
	// ThreadCompactStart begins to shorten the history that the model sees.
	ThreadCompactStart parley.Method[ThreadParams, Empty] = "thread/compact/start"
	// ThreadRollback drops the last turns of a thread (older servers).
	ThreadRollback parley.Method[ThreadRollbackParams, *ThreadReadResult] = "thread/rollback"
	// ThreadShellCommand runs a command of the user in a thread, outside the sandbox.
	ThreadShellCommand parley.Method[message.Raw, message.Raw] = "thread/shellCommand"
	// ThreadMetadataUpdate changes what is stored about a thread, such as its branch.
	ThreadMetadataUpdate parley.Method[message.Raw, message.Raw] = "thread/metadata/update"
	// ThreadSettingsUpdate changes the model, sandbox and the like for the turns to come.
	ThreadSettingsUpdate parley.Method[message.Raw, message.Raw] = "thread/settings/update"
	// ThreadTurnsList lists the turns of a thread, page by page.
	ThreadTurnsList parley.Method[message.Raw, message.Raw] = "thread/turns/list"
	// ThreadItemsList lists the items of a thread, page by page.
	ThreadItemsList parley.Method[message.Raw, message.Raw] = "thread/items/list"
	// ThreadItemsRead returns an item of a thread.
	ThreadItemsRead parley.Method[message.Raw, message.Raw] = "thread/items/read"
	// ThreadTimelineList lists what happened in a thread, page by page.
	ThreadTimelineList parley.Method[message.Raw, message.Raw] = "thread/timeline/list"
	// ThreadInjectItems adds items to the history that the model sees.
	ThreadInjectItems parley.Method[message.Raw, message.Raw] = "thread/inject_items"
	// ThreadRevert takes a thread back to an earlier state.
	ThreadRevert parley.Method[message.Raw, message.Raw] = "thread/revert"
	// ThreadSearch searches the stored threads.
	ThreadSearch parley.Method[message.Raw, message.Raw] = "thread/search"
	// ThreadSearchCancel ends a search for threads.
	ThreadSearchCancel parley.Method[message.Raw, message.Raw] = "thread/search/cancel"
	// ThreadSearchStream searches the stored threads and gives results as they are found.
	ThreadSearchStream parley.Method[message.Raw, message.Raw] = "thread/search/stream"
	// ThreadSearchStreamCancel ends a search whose results come as they are found.
	ThreadSearchStreamCancel parley.Method[message.Raw, message.Raw] = "thread/search/stream/cancel"
	// ThreadSearchOccurrences finds where in the threads a text stands.
	ThreadSearchOccurrences parley.Method[message.Raw, message.Raw] = "thread/searchOccurrences"
	// ThreadReadStateUpdate remembers how far the user has read a thread.
	ThreadReadStateUpdate parley.Method[message.Raw, message.Raw] = "thread/readState/update"
	// ThreadGoalSet gives a thread a goal to work towards by itself.
	ThreadGoalSet parley.Method[message.Raw, message.Raw] = "thread/goal/set"
	// ThreadGoalGet returns the goal of a thread.
	ThreadGoalGet parley.Method[message.Raw, message.Raw] = "thread/goal/get"
	// ThreadGoalClear takes the goal from a thread.
	ThreadGoalClear parley.Method[message.Raw, message.Raw] = "thread/goal/clear"
	// ThreadQueueAdd adds an input that a thread takes up when its turn is over.
	ThreadQueueAdd parley.Method[message.Raw, message.Raw] = "thread/queue/add"
	// ThreadQueueList lists the inputs that wait for a thread.
	ThreadQueueList parley.Method[message.Raw, message.Raw] = "thread/queue/list"
	// ThreadQueueUpdate changes an input that waits.
	ThreadQueueUpdate parley.Method[message.Raw, message.Raw] = "thread/queue/update"
	// ThreadQueueDelete drops an input that waits.
	ThreadQueueDelete parley.Method[message.Raw, message.Raw] = "thread/queue/delete"
	// ThreadQueueReorder puts the inputs that wait in another order.
	ThreadQueueReorder parley.Method[message.Raw, message.Raw] = "thread/queue/reorder"
	// ThreadQueueStart begins with the inputs that wait.
	ThreadQueueStart parley.Method[message.Raw, message.Raw] = "thread/queue/start"
	// ThreadAttachmentAdd attaches something to a thread.
	ThreadAttachmentAdd parley.Method[message.Raw, message.Raw] = "thread/attachment/add"
	// ThreadAttachmentList lists what is attached to a thread.
	ThreadAttachmentList parley.Method[message.Raw, message.Raw] = "thread/attachment/list"
	// ThreadAttachmentRemove takes off what is attached to a thread.
	ThreadAttachmentRemove parley.Method[message.Raw, message.Raw] = "thread/attachment/remove"
	// ThreadAttachmentOwnerList lists the threads that something is attached to.
	ThreadAttachmentOwnerList parley.Method[message.Raw, message.Raw] = "thread/attachmentOwner/list"
	// ThreadSectionMove moves a thread to a section of the list.
	ThreadSectionMove parley.Method[message.Raw, message.Raw] = "thread/section/move"
	// ThreadSectionList lists the sections that threads are sorted into.
	ThreadSectionList parley.Method[message.Raw, message.Raw] = "threadSection/list"
	// ThreadSectionCreate makes a section.
	ThreadSectionCreate parley.Method[message.Raw, message.Raw] = "threadSection/create"
	// ThreadSectionUpdate changes a section.
	ThreadSectionUpdate parley.Method[message.Raw, message.Raw] = "threadSection/update"
	// ThreadSectionDelete deletes a section.
	ThreadSectionDelete parley.Method[message.Raw, message.Raw] = "threadSection/delete"
	// ThreadSample asks the model without a turn.
	ThreadSample parley.Method[message.Raw, message.Raw] = "thread/sample"
	// ThreadSampleCancel takes back a question to the model without a turn.
	ThreadSampleCancel parley.Method[message.Raw, message.Raw] = "thread/sample/cancel"
	// ThreadPredictionRequest asks what the user may want to say next.
	ThreadPredictionRequest parley.Method[message.Raw, message.Raw] = "thread/prediction/request"
	// ThreadMemoryRead returns what a thread remembers.
	ThreadMemoryRead parley.Method[message.Raw, message.Raw] = "thread/memory/read"
	// ThreadMemoryModeSet says whether a thread may remember and be remembered.
	ThreadMemoryModeSet parley.Method[message.Raw, message.Raw] = "thread/memoryMode/set"
	// ThreadGuardianReview asks the automatic reviewer about an action.
	ThreadGuardianReview parley.Method[message.Raw, message.Raw] = "thread/guardianReview"
	// ThreadApproveGuardianDeniedAction allows what the automatic reviewer denied.
	ThreadApproveGuardianDeniedAction parley.Method[message.Raw, message.Raw] = "thread/approveGuardianDeniedAction"
	// ThreadPrepareApprovedPlan makes ready to carry out a plan that the user approved.
	ThreadPrepareApprovedPlan parley.Method[message.Raw, message.Raw] = "thread/prepareApprovedPlan"
	// ThreadIncrementElicitation stops the clock of a thread while a person is asked elsewhere.
	ThreadIncrementElicitation parley.Method[message.Raw, message.Raw] = "thread/increment_elicitation"
	// ThreadDecrementElicitation lets the clock of a thread run again.
	ThreadDecrementElicitation parley.Method[message.Raw, message.Raw] = "thread/decrement_elicitation"
	// ThreadBackgroundTerminalsList lists the commands that a thread runs in the background.
	ThreadBackgroundTerminalsList parley.Method[message.Raw, message.Raw] = "thread/backgroundTerminals/list"
	// ThreadBackgroundTerminalsClean ends all commands that a thread runs in the background.
	ThreadBackgroundTerminalsClean parley.Method[message.Raw, message.Raw] = "thread/backgroundTerminals/clean"
	// ThreadBackgroundTerminalsTerminate ends a command that a thread runs in the background.
	ThreadBackgroundTerminalsTerminate parley.Method[message.Raw, message.Raw] = "thread/backgroundTerminals/terminate"
	// ThreadRealtimeStart starts talking by voice in a thread.
	ThreadRealtimeStart parley.Method[message.Raw, message.Raw] = "thread/realtime/start"
	// ThreadRealtimeAppendAudio adds what the user said, as sound.
	ThreadRealtimeAppendAudio parley.Method[message.Raw, message.Raw] = "thread/realtime/appendAudio"
	// ThreadRealtimeAppendText adds what the user said, as text.
	ThreadRealtimeAppendText parley.Method[message.Raw, message.Raw] = "thread/realtime/appendText"
	// ThreadRealtimeAppendSpeech adds what is to be spoken.
	ThreadRealtimeAppendSpeech parley.Method[message.Raw, message.Raw] = "thread/realtime/appendSpeech"
	// ThreadRealtimeStop stops talking by voice.
	ThreadRealtimeStop parley.Method[message.Raw, message.Raw] = "thread/realtime/stop"
	// ThreadRealtimeList lists the talks by voice of a thread.
	ThreadRealtimeList parley.Method[message.Raw, message.Raw] = "thread/realtime/list"
	// ThreadRealtimeListVoices lists the voices that there are.
	ThreadRealtimeListVoices parley.Method[message.Raw, message.Raw] = "thread/realtime/listVoices"
)

// From the client: turns.
const (
	// TurnStart begins a turn with what the user says, and is answered at once.
	TurnStart parley.Method[TurnStartParams, *TurnStartResult] = "turn/start"
	// TurnSteer adds to what the user says while the turn is going on.
	TurnSteer parley.Method[TurnSteerParams, *TurnSteerResult] = "turn/steer"
	// TurnInterrupt ends a turn; that it has ended, turn/completed says.
	TurnInterrupt parley.Method[TurnInterruptParams, Empty] = "turn/interrupt"
	// TurnSettingsUpdate changes the settings of a turn that is going on.
	TurnSettingsUpdate parley.Method[message.Raw, message.Raw] = "turn/settings/update"
	// ReviewStart begins a turn that reviews changes to code.
	ReviewStart parley.Method[message.Raw, message.Raw] = "review/start"
)

// From the client: notes.
const (
	// Initialized tells that the client is ready, after the answer to initialize.
	Initialized parley.Note[message.Raw] = "initialized"
)
