package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
)

// peerFlags are the flags of every command that is a peer: how records and messages
// look, and what is shown of them.
type peerFlags struct {
	dialect  string
	framing  string
	limit    byteSize
	strictID bool
	verbose  bool
}

// framingAuto leaves the framing to what there is: the dialect, the handshake, or the
// first bytes that arrive.
const framingAuto = "auto"

// framings are the values of --framing.
var framings = []string{"lines", "header", "concat", "seq", framingAuto}

// dialectAuto leaves the dialect to the handshake, or to the first records that are
// read.
const dialectAuto = "auto"

// dialectNames are the values of --dialect, the default first.
var dialectNames = append([]string{dialectAuto}, dialect.Names()...)

// spoken returns the dialect that the flag names, and whatever auto is where it names
// none.
func (p *peerFlags) spoken(auto parley.Dialect) parley.Dialect {
	d, err := dialect.Lookup(p.dialect)
	if err != nil {
		d = auto // "auto" is the one name that the flag lets through and no dialect has
	}
	return d
}

// add adds the flags; auto says what --framing auto goes by.
func (p *peerFlags) add(cmd *cobra.Command, auto string) {
	p.dialect, p.framing, p.limit = dialectNames[0], framingAuto, frame.DefaultLimit
	flags := cmd.Flags()
	flags.Var(&choice[string]{"dialect", &p.dialect, dialectNames}, "dialect", "what both sides agreed on: "+list(dialectNames)+", which is as --init has it, or else jsonrpc")
	flags.Var(&choice[string]{"framing", &p.framing, framings}, "framing",
		"how records are marked: "+list(framings)+", which is as "+auto)
	flags.Var(&p.limit, "limit", "largest record that is read, as 65536, 64k or 64MiB")
	flags.BoolVar(&p.strictID, "strict-id", false, "let an answer match a call by the exact text of its id only")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "show each record on stderr: → sent, ← received")
	complete(cmd, "dialect", dialectNames...)
	complete(cmd, "framing", framings...)
}

// framed returns the framing that the flags name, and whatever auto is where they
// name none.
func (p *peerFlags) framed(auto frame.Framing) frame.Framing {
	f, err := frame.ByName(p.framing)
	if err != nil {
		f = auto // "auto" is the one name that the flag lets through and no framing has
	}
	return f.Limit(int64(p.limit))
}

// patience is a duration that may be 0, for no end of it.
type patience time.Duration

// String writes whole seconds as such, up to some minutes.
func (p *patience) String() string {
	d := time.Duration(*p)
	if seconds := d / time.Second; d%time.Second == 0 && seconds < 600 {
		return strconv.Itoa(int(seconds)) + "s"
	}
	return d.String()
}

// Type is what help shows for the value.
func (*patience) Type() string { return "duration" }

// Set reads a duration as time.ParseDuration does.
func (p *patience) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("want a duration, as 500ms, 10s or 2m; 0 for no end")
	}
	*p = patience(d)
	return nil
}

// byteSize is a number of bytes, at least one, that is written with or without a unit.
type byteSize int64

// byteUnits are the units in lower case. One letter means the power of 1024, as with
// dd and ls; kB and its like mean the power of 1000 (IEC 80000-13).
var byteUnits = map[string]int64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
}

// String writes the number with the largest unit that divides it.
func (b *byteSize) String() string {
	n := int64(*b)
	for _, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := byteUnits[strings.ToLower(unit)]; n >= size && n%size == 0 {
			return strconv.FormatInt(n/size, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10)
}

// Type is what help shows for the value.
func (*byteSize) Type() string { return "bytes" }

// Set reads a number and a unit.
func (b *byteSize) Set(text string) error {
	unit := strings.TrimLeft(text, "0123456789")
	digits := text[:len(text)-len(unit)]
	size, known := byteUnits[strings.ToLower(strings.TrimSpace(unit))]
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case digits == "" || !known:
		units := []string{"k", "m", "g", "KiB", "MiB", "GiB", "kB", "MB", "GB"}
		return fmt.Errorf("want a number of bytes, as 65536, 64k or 64MiB; units: %s", list(units))
	case err != nil || n > math.MaxInt64/size:
		return errors.New("the number is too large")
	case n == 0:
		return errors.New("want at least one byte")
	}
	*b = byteSize(n * size)
	return nil
}
