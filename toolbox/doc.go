// Package toolbox serves programs as tools: a YAML file says which, and what they are
// called with. They answer as plain methods by their names ([Box.Handle]) and as tools
// of MCP ([Box.Tools]). docs/tools.md has the format of the file.
//
//	box, err := toolbox.Load("tools.yaml", nil)
//	if err != nil { ... } // toolbox.Faults: everything that is wrong, with line and column
//	defer box.Close()
//	server := mcp.NewServer(nil, mcp.Info{Name: "tools", Version: "1", Plain: box.Handle})
//	err = server.SetTools(box.Tools())
//
// # Values
//
// No shell is between a call and a program. A run is a list of arguments, and a
// placeholder in one stands for the value of an input: the value fills a part of that
// argument, whatever is in it, and is not read again. So a call can add no argument, no
// option and no command. A value that would bring the dash at the start of an argument
// is refused, unless the tool says allow_dash; so is a NUL, which no argument can hold.
// An input that may be missing and is takes the argument or the variable along that has
// its placeholder. Text of any length goes through stdin.
//
// # Running
//
// A program gets the null device for its stdin, or a text, and never ours; pipes for
// stdout and stderr; and an environment in which nothing is that it has not asked for,
// beside where programs and homes are and how people write. Its stdout is the result.
// What is over max_output is counted and dropped while it comes, so that a flood costs
// no memory. Lines of stderr go to the caller as log notes, and as progress where they
// report any.
//
// # Ending
//
// A run is the life of the process that was started. When it ends, when its time is up,
// when the call is taken back and when the Box is closed, what is left of its process
// group gets SIGTERM and a second later SIGKILL; on Windows its job is ended at once.
// The call returns when nothing is left. A process that has left its group is out of
// reach; if it holds the output open, the call waits 250 ms for what is still in it.
// Should this program itself be killed, Linux kills the process, and Windows all of the
// job; [Options].Started lets a program do better elsewhere.
//
// # Order
//
// Calls run side by side, of each tool as many as its concurrency says, and of all tools
// as many as have a max_output of 64 MiB together; the others wait in their order. A
// caller that does not take its answers starts no more runs. A note runs nothing. [Box.Watch] and [Box.Reload] change the
// tools for calls that begin later. A call goes on with the tool that it began with.
//
// # Errors
//
// [Load] and [Box.Reload] return [Faults]. A call whose arguments do not fit is refused
// with -32602 and a JSON pointer. A tool that failed is, for a plain call, an error with
// the code [CodeFailed] and a [Failure]; for MCP a result with isError and the same in
// words. That is so if the program cannot be started, ends with another exit code than 0
// or by a signal, takes too long, or writes no JSON where it promised some.
package toolbox
