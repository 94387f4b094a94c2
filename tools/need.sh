#!/bin/sh
# Usage: need.sh PROGRAM...
#
# Says what to install before a step fails in a way that does not say it. Every program that is missing
# or too old is named, not only the first one, so that one round of installing is enough.
set -u

# The versions that the README promises. Go's is the one in go.mod, Node's the one of the interop tests.
go_minor=26
node_major=20

missing=0
complain() {
	printf 'make: %s\n' "$1" >&2
	missing=1
}

# number VALUE: VALUE if it is a number, else 0, so that an answer we cannot read counts as too old.
number() {
	case $1 in
	'' | *[!0-9]*) echo 0 ;;
	*) echo "$1" ;;
	esac
}

need_go() {
	version=$(go env GOVERSION 2>/dev/null)
	minor=$(number "$(printf '%s\n' "$version" | sed -n 's/^.*go1\.\([0-9]*\).*$/\1/p')")
	if [ "$minor" -lt "$go_minor" ]; then
		complain "go is ${version:-unreadable}, parley needs go1.$go_minor or later: install it from https://go.dev/dl/"
	fi
}

need_node() {
	version=$(node --version 2>/dev/null)
	major=$(number "$(printf '%s\n' "$version" | sed -n 's/^v\([0-9]*\)\..*$/\1/p')")
	if [ "$major" -lt "$node_major" ]; then
		complain "node is ${version:-unreadable}, the interop tests need v$node_major or later: install it from https://nodejs.org/"
	fi
}

for program in "$@"; do
	if ! command -v "$program" >/dev/null 2>&1; then
		case $program in
		go) complain "go is not installed: parley needs go1.$go_minor or later, from https://go.dev/dl/" ;;
		node) complain "node is not installed: the interop tests need v$node_major or later, from https://nodejs.org/ (Debian: apt-get install nodejs)" ;;
		npm) complain "npm is not installed: it comes with Node from https://nodejs.org/ (Debian: apt-get install npm)" ;;
		git) complain "git is not installed: get it from https://git-scm.com/ (Debian: apt-get install git)" ;;
		*) complain "$program is not installed" ;;
		esac
		continue
	fi
	case $program in
	go) need_go ;;
	node) need_node ;;
	esac
done
exit "$missing"
