// Command parley talks to JSON-RPC 2.0 peers over stdio, and is one.
//
//	parley demo                                          see it all in two seconds
//	parley serve --reference                             a server on stdin and stdout
//	parley call add a:=3 b:=5 -- parley serve --reference
//
// # Streams
//
// Results go to stdout, everything else to stderr. Everything after "--" is the
// command to run, and its stderr is passed on to ours. exit.go has the exit codes.
package main

import "os"

func main() {
	if isGuard() {
		standGuard(os.Stdin)
		return
	}
	os.Exit(run(os.Args[1:], &app{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		getenv: os.Getenv,
	}))
}
