package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// endpoint answers a method of MCP in the eras that have it.
type endpoint struct {
	legacy, modern bool
	handler        parley.Handler
}

// endpoints are the methods of MCP that a server answers. Tasks are not among them: they
// are not offered, so their methods are as unknown as any other.
var endpoints = map[string]endpoint{
	string(Initialize):            {legacy: true, handler: parley.Func(initialize)},
	string(Ping):                  {legacy: true, handler: parley.Func(ping)},
	string(SetLevel):              {legacy: true, handler: parley.Func(setLevel)},
	string(Subscribe):             {legacy: true, handler: parley.Func(subscribe)},
	string(Unsubscribe):           {legacy: true, handler: parley.Func(unsubscribe)},
	string(Discover):              {modern: true, handler: parley.Func(discover)},
	string(Listen):                {modern: true, handler: parley.Func(listen)},
	string(ListTools):             {legacy: true, modern: true, handler: parley.Func(listTools)},
	string(CallTool):              {legacy: true, modern: true, handler: parley.Func(callTool)},
	string(ListResources):         {legacy: true, modern: true, handler: parley.Func(listResources)},
	string(ListResourceTemplates): {legacy: true, modern: true, handler: parley.Func(listTemplates)},
	string(ReadResource):          {legacy: true, modern: true, handler: parley.Func(readResource)},
	string(ListPrompts):           {legacy: true, modern: true, handler: parley.Func(listPrompts)},
	string(GetPrompt):             {legacy: true, modern: true, handler: parley.Func(getPrompt)},
	string(Complete):              {legacy: true, modern: true, handler: parley.Func(complete)},
}

// supportedVersions are all that the server speaks, the newest first. Those of the
// legacy era are spoken after initialize.
var supportedVersions = []string{Version20260728, Version20251125, Version20250618, Version20250326, Version20241105}

// exchange is one request, and in which words it is answered.
type exchange struct {
	link    *link
	era     Era    // 0: a plain method on a connection that no initialize has opened
	version string // "" likewise
	client  ClientCapabilities
	level   Level   // modern: from which level on the request may be logged about; "": never
	rounds  *rounds // what a modern request has asked and been told; nil where it may not ask
}

// exchangeKey is the key of the exchange in the ctx of a handler.
type exchangeKey struct{}

func exchangeFrom(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// handle answers a request: by an endpoint, or as a plain method.
func (l *link) handle(ctx context.Context, method string, params message.Raw) (any, error) {
	req := parley.RequestFrom(ctx)
	if req.IsNote() {
		return nil, l.note(ctx, method, params)
	}
	e, known := endpoints[method]
	if !known {
		return l.plain(context.WithValue(ctx, exchangeKey{}, l.outside()), method, params)
	}
	x, refusal := l.exchange(req)
	switch {
	case refusal != nil:
		return nil, refusal
	case x.era == EraLegacy && !e.legacy, x.era == EraModern && !e.modern:
		return nil, message.MethodNotFound
	}
	return e.handler(context.WithValue(ctx, exchangeKey{}, x), method, params)
}

// outside is the exchange of a method that is not MCP's. On a connection that
// initialize has opened its handler may still ask the client and log.
func (l *link) outside() *exchange {
	if open := l.opened.Load(); open != nil {
		return &exchange{link: l, era: EraLegacy, version: open.version, client: open.client}
	}
	return &exchange{link: l}
}

// plain answers a method that is not MCP's.
func (l *link) plain(ctx context.Context, method string, params message.Raw) (any, error) {
	result, err := l.server.mux.Handle(ctx, method, params)
	// It is this very error that a Mux returns for a method that it does not have.
	if err == error(message.MethodNotFound) && l.server.info.Plain != nil { //nolint:errorlint // see above
		return l.server.info.Plain(ctx, method, params)
	}
	return result, err
}

// note takes a note. The old name of notifications/initialized is still sent by some.
func (l *link) note(ctx context.Context, method string, params message.Raw) error {
	switch method {
	case string(Initialized), "initialized":
		l.becomeReady()
		return nil
	case string(RootsChanged):
		return nil // nothing of them is kept
	}
	_, err := l.plain(context.WithValue(ctx, exchangeKey{}, l.outside()), method, params)
	return err
}

// arrive sees each call as the reader does, in the order of the wire. It opens the
// legacy era, and refuses what cannot be answered in any.
func (l *link) arrive(req *message.Request) *message.Error {
	if req.Method == string(Initialize) {
		return l.open(req)
	}
	if _, known := endpoints[req.Method]; !known || l.opened.Load() != nil {
		return nil
	}
	_, refusal := l.exchange(req)
	return refusal
}

// open opens the legacy era. One that cannot be read opens nothing, and may be sent
// again; a version that is not known is no fault ("Lifecycle", version negotiation).
func (l *link) open(req *message.Request) *message.Error {
	if l.opened.Load() != nil {
		return message.InvalidRequest.Withf("the connection is initialized already")
	}
	var params InitializeParams
	if err := req.Params.Decode(&params); err != nil {
		return invalid(err)
	}
	if params.ProtocolVersion == "" {
		return invalidAt("/protocolVersion", "a version is required")
	}
	version := AnswerVersion(params.ProtocolVersion)
	l.opened.Store(&opening{req, version, params.Capabilities, l.server.capabilities(version)})
	return nil
}

// exchange finds the era of a request of MCP ("Versioning", backward compatibility): one
// that names its version in _meta is modern; any other is legacy, and needs an initialize
// before it, unless it is a ping. Both may share a connection.
func (l *link) exchange(req *message.Request) (*exchange, *message.Error) {
	open := l.opened.Load()
	meta, _ := req.Params.Member(metaMember)
	version, stated := meta.Member(MetaProtocolVersion)
	switch {
	case stated && (open == nil || !isLegacy(version)):
		return l.modern(meta)
	case open != nil:
		return &exchange{link: l, era: EraLegacy, version: open.version, client: open.client}, nil
	case req.Method == string(Ping):
		return &exchange{link: l, era: EraLegacy, version: LatestLegacy}, nil
	case endpoints[req.Method].modern:
		return nil, invalidAt("/"+metaMember+"/"+pointerPart(MetaProtocolVersion), "the version is missing, and no initialize came before")
	}
	return nil, message.InvalidRequest.Withf("initialize has to come first")
}

// isLegacy reports whether the JSON text is the name of a legacy version.
func isLegacy(version message.Raw) bool {
	var name string
	_ = version.Decode(&name) // what is no string names no version
	era, known := EraOfVersion(name)
	return known && era == EraLegacy
}

// modern checks what every modern request has to say ("General fields", _meta). Members
// that a server can do without are not looked at, so that none of them is a fault.
func (l *link) modern(meta message.Raw) (*exchange, *message.Error) {
	var says struct {
		Version      string              `json:"io.modelcontextprotocol/protocolVersion"`
		Capabilities *ClientCapabilities `json:"io.modelcontextprotocol/clientCapabilities"`
		Level        Level               `json:"io.modelcontextprotocol/logLevel"`
	}
	version, _ := meta.Member(MetaProtocolVersion)
	if err := version.Decode(&says.Version); err != nil {
		return nil, invalidAt("/"+metaMember+"/"+pointerPart(MetaProtocolVersion), "want a string")
	}
	// The version comes first: another one may have other members.
	if era, known := EraOfVersion(says.Version); !known || era != EraModern {
		return nil, message.NewError(CodeUnsupportedVersion, "Unsupported protocol version").
			With(UnsupportedVersion{Supported: supportedVersions, Requested: brief(says.Version)})
	}
	if err := meta.Decode(&says); err != nil {
		return nil, invalidUnder("/"+metaMember, err)
	}
	if says.Capabilities == nil {
		return nil, invalidAt("/"+metaMember+"/"+pointerPart(MetaClientCapabilities), "the capabilities are missing")
	}
	return &exchange{link: l, era: EraModern, version: says.Version, client: *says.Capabilities, level: says.Level}, nil
}

// meta is the _meta of a result: in the modern era the server names itself there.
func (x *exchange) meta(meta message.Raw) message.Raw {
	if x.era != EraModern {
		return meta
	}
	if meta.IsZero() {
		return x.link.server.selfMeta
	}
	self, _ := x.link.server.selfMeta.Member(MetaServerInfo)
	if with, err := meta.Set(self, MetaServerInfo); err == nil {
		return with
	}
	return meta // it is no object, and not ours to judge
}

// kind is the type of a result that answers what was asked.
func (x *exchange) kind() string {
	if x.era == EraModern {
		return ResultComplete
	}
	return ""
}

// cacheable is what a result says that a modern client may keep.
func (x *exchange) cacheable() Cacheable {
	if x.era == EraModern {
		return x.link.server.cacheable()
	}
	return Cacheable{}
}

func (x *exchange) empty() EmptyResult {
	return EmptyResult{ResultType: x.kind(), Meta: x.meta(nil)}
}

func initialize(ctx context.Context, _ EmptyParams) (*InitializeResult, error) {
	l := exchangeFrom(ctx).link
	open := l.opened.Load()
	return &InitializeResult{
		ProtocolVersion: open.version,
		Capabilities:    open.server,
		ServerInfo:      l.server.implementation(open.version),
		Instructions:    l.server.info.Instructions,
	}, nil
}

func ping(ctx context.Context, _ EmptyParams) (EmptyResult, error) {
	return exchangeFrom(ctx).empty(), nil
}

func setLevel(ctx context.Context, p SetLevelParams) (EmptyResult, error) {
	x := exchangeFrom(ctx)
	level, ok := p.Level.Slog()
	if !ok {
		return EmptyResult{}, invalidAt("/level", fmt.Sprintf("there is no level %q", brief(string(p.Level))))
	}
	x.link.level.Set(level)
	return x.empty(), nil
}

func discover(ctx context.Context, _ EmptyParams) (*DiscoverResult, error) {
	x := exchangeFrom(ctx)
	s := x.link.server
	return &DiscoverResult{
		ResultType:        x.kind(),
		SupportedVersions: slices.Clone(supportedVersions),
		Capabilities:      s.capabilities(x.version),
		Instructions:      s.info.Instructions,
		Cacheable:         x.cacheable(),
		Meta:              x.meta(nil),
	}, nil
}
