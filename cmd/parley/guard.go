package main

import "os"

// A guard ends what our children have started if we are killed and cannot do it
// ourselves. A child is often a launcher (sh -c, npx, uvx): Linux kills it together with
// us, but not the server behind it, and other systems not even that. So we start this
// program once more, as a guard, and tell it over a pipe whose end it sees when we die:
//
//	+1234   process group 1234 is a child of ours
//	-1234   it has gone, so that its number may soon belong to others
//	EOF     we have died: what was not taken back is ended, with SIGTERM and then SIGKILL
//
// A run that ends in order takes the guard with it. The guard is a net below the ladder
// of package spawn, so that whatever goes wrong with it is no error: there is just no
// net. On Windows it is not needed, because the system ends a job with its last handle.

// guardWord is the one argument that makes this program a guard.
const guardWord = "__guard"

// isGuard reports whether this process was started as a guard.
func isGuard() bool { return len(os.Args) == 2 && os.Args[1] == guardWord }
