package main

import (
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/recording"
)

// A chosen is the dialect by which a stream is read, and why it is that one.
type chosen struct {
	dialect parley.Dialect
	why     string
	sure    bool // more records would not change it
}

// choose returns the dialect that --dialect names, or the one that the first records of a
// stream speak.
func (x *explainFlags) choose(f frame.Framing, records []recording.Record) chosen {
	if d, err := dialect.Lookup(x.dialect); err == nil {
		return chosen{d, "--dialect says so", true}
	}
	// "auto" is the one name that the flag lets through and no dialect has.
	var raw [][]byte
	for i := range records {
		if records[i].Process == "" && records[i].Err == nil {
			raw = append(raw, records[i].Raw)
		}
	}
	guess := dialect.Sniff(f, raw)
	return chosen{guess.Dialect, guess.Why, guess.Sure}
}

// family is the dialect that names the digests and the sides of a dialect: the eras of a
// protocol, such as "mcp-legacy", share them.
func family(name string) string {
	first, _, _ := strings.Cut(name, "-")
	return first
}
