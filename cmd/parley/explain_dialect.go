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

	// side is who wrote the records of which nobody noted that, if all are of one side.
	side    parley.Side
	sideWhy string
}

// The values of --side: nobody notes who writes a raw stream.
const (
	sideAuto   = "auto" // as the first records have it
	sideClient = "client"
	sideServer = "server"
)

var explainSides = []string{sideAuto, sideClient, sideServer, sideBoth}

// alone tells whether all records are of one side, and why.
func (x *explainFlags) alone(d parley.Dialect, raw [][]byte) (parley.Side, string) {
	switch x.side {
	case sideClient:
		return parley.SideClient, "--side says so"
	case sideServer:
		return parley.SideServer, "--side says so"
	case sideBoth:
		return parley.SideUnknown, ""
	}
	return dialect.SniffSide(d, raw)
}

// choose returns the dialect that --dialect names, or the one that the first records of a
// stream speak.
func (x *explainFlags) choose(f frame.Framing, records []recording.Record) chosen {
	var raw, heads [][]byte
	sided := false
	for i := range records {
		rec := &records[i]
		if rec.Process != "" {
			continue
		}
		heads = append(heads, rec.Raw) // of a record that was not read whole, its head
		if sided = sided || rec.From != parley.SideUnknown; rec.Err == nil {
			raw = append(raw, rec.Raw)
		}
	}
	c := chosen{why: "--dialect says so", sure: true}
	var err error
	if c.dialect, err = dialect.Lookup(x.dialect); err != nil {
		// "auto" is the one name that the flag lets through and no dialect has.
		guess := dialect.Sniff(f, raw)
		c = chosen{dialect: guess.Dialect, why: guess.Why, sure: guess.Sure}
	}
	if !sided {
		c.side, c.sideWhy = x.alone(c.dialect, heads)
	}
	return c
}

// family is the dialect that names the digests and the sides of a dialect: the eras of a
// protocol, such as "mcp-legacy", share them.
func family(name string) string {
	first, _, _ := strings.Cut(name, "-")
	return first
}
