package words

import (
	"slices"

	"github.com/parley-rpc/parley/message"
)

// meta is the member of params that says what is about them, and MetaProtocolVersion the
// key there that a modern request must have.
const (
	meta                = "_meta"
	progressToken       = "progressToken"
	MetaProtocolVersion = "io.modelcontextprotocol/protocolVersion"
)

// The revisions of the protocol, by the names under which they are negotiated.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"

	LatestLegacy = Version20251125 // what a legacy client asks for
	Latest       = Version20260728
)

// legacyVersions are the revisions that begin with a handshake.
var legacyVersions = []string{Version20241105, Version20250326, Version20250618, Version20251125}

// EraOfVersion returns the era of a revision. It is false for a revision that is not
// known here.
func EraOfVersion(version string) (Era, bool) {
	switch {
	case slices.Contains(legacyVersions, version):
		return EraLegacy, true
	case version == Version20260728:
		return EraModern, true
	}
	return 0, false
}

// An Era is one of the two protocols that share the name MCP.
type Era uint8

// The eras.
const (
	EraLegacy Era = iota + 1 // revisions up to 2025-11-25: a handshake, then state
	EraModern                // revision 2026-07-28: every request stands alone
)

// String returns "legacy", "modern" or "unknown".
func (e Era) String() string {
	switch e {
	case EraLegacy:
		return "legacy"
	case EraModern:
		return "modern"
	}
	return "unknown"
}

// EraOf tells by a request, best the first one of a stream, which era its sender
// speaks. A method that only one era has decides; else a protocol version in the _meta
// of the params means the modern era, which requires it there. It is false if the
// request could be of either.
func EraOf(req *message.Request) (Era, bool) {
	_, legacy := find(legacyWords, req.Method)
	_, modern := find(modernWords, req.Method)
	switch {
	case legacy && !modern:
		return EraLegacy, true
	case modern && !legacy:
		return EraModern, true
	}
	meta, _ := req.Params.Member(meta)
	if _, ok := meta.Member(MetaProtocolVersion); ok {
		return EraModern, true
	}
	return 0, false
}
