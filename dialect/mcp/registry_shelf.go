package mcp

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/parley-rpc/parley/message"
)

// maxPage is the size in bytes that a page of a list stays under, unless one thing alone
// is larger.
const maxPage = 1 << 20

// shelf is a list of things of one kind, sorted by name so that pages come in one order
// whoever asks. It is never changed once others can see it.
type shelf[T any] struct {
	kind  string // the member of a result that holds the list
	names []string
	items []T
	fit   func(item T, version string) any

	// texts are the things as JSON, by version: made when first asked for.
	texts map[string]func() []message.Raw
}

// newShelf makes a list of the things, by their names.
func newShelf[T any](kind string, fit func(T, string) any, things map[string]T) *shelf[T] {
	s := &shelf[T]{kind: kind, fit: fit, names: slices.Sorted(maps.Keys(things))}
	for _, name := range s.names {
		s.items = append(s.items, things[name])
	}
	return s.encoded()
}

// encoded has the texts made anew.
func (s *shelf[T]) encoded() *shelf[T] {
	s.texts = make(map[string]func() []message.Raw, len(supportedVersions))
	for _, version := range supportedVersions {
		s.texts[version] = sync.OnceValue(func() []message.Raw {
			texts := make([]message.Raw, len(s.items))
			for i, item := range s.items {
				// It had a JSON form when it was added, and fit only takes members away.
				texts[i], _ = message.Encode(s.fit(item, version))
			}
			return texts
		})
	}
	return s
}

// find returns the thing with the name.
func (s *shelf[T]) find(name string) (item T, ok bool) {
	i, ok := slices.BinarySearch(s.names, name)
	if ok {
		item = s.items[i]
	}
	return item, ok
}

// with returns a shelf that has the thing, too, in the place of one with its name.
func (s *shelf[T]) with(name string, item T) *shelf[T] {
	next := &shelf[T]{kind: s.kind, fit: s.fit, names: slices.Clone(s.names), items: slices.Clone(s.items)}
	if i, ok := slices.BinarySearch(s.names, name); ok {
		next.items[i] = item
	} else {
		next.names = slices.Insert(next.names, i, name)
		next.items = slices.Insert(next.items, i, item)
	}
	return next.encoded()
}

// without returns a shelf that does not have the thing.
func (s *shelf[T]) without(name string) *shelf[T] {
	next := &shelf[T]{kind: s.kind, fit: s.fit, names: slices.Clone(s.names), items: slices.Clone(s.items)}
	if i, ok := slices.BinarySearch(s.names, name); ok {
		next.names = slices.Delete(next.names, i, i+1)
		next.items = slices.Delete(next.items, i, i+1)
	}
	return next.encoded()
}

// page returns what a list request is answered with. Pages are put together from texts
// that are there already.
//
// A cursor is the name of the last thing before the page. So a list that changes between
// two pages shows nothing twice, and leaves out nothing that was there all the time. An
// empty cursor is one like others ("Pagination"), which is never given out here.
func (s *shelf[T]) page(x *exchange, cursor *string) (message.Raw, error) {
	from := 0
	if cursor != nil {
		last, ok := s.openCursor(*cursor)
		if !ok {
			return nil, invalidAt("/cursor", "this cursor was not given out here")
		}
		if i, found := slices.BinarySearch(s.names, last); found {
			from = i + 1
		} else {
			from = i
		}
	}
	texts := s.texts[x.version]()[from:]
	n, size := 0, 0
	for n < len(texts) && n < x.link.server.info.PageSize && (n == 0 || size+len(texts[n]) < maxPage) {
		size += len(texts[n]) + len(",")
		n++
	}
	const around = 1 << 10 // bytes that a page has beside its things, most often
	page := append(make(message.Raw, 0, size+around), '{')
	if x.era == EraModern {
		page = append(page, `"resultType":"`+ResultComplete+`",`...)
	}
	page = append(page, `"`+s.kind+`":[`...)
	for i, text := range texts[:n] {
		if i > 0 {
			page = append(page, ',')
		}
		page = append(page, text...)
	}
	page = append(page, ']')
	if n < len(texts) {
		page = append(page, `,"nextCursor":"`+s.sealCursor(s.names[from+n-1])+`"`...)
	}
	if x.era == EraModern {
		rest, err := message.Encode(listTail{x.cacheable(), x.meta(nil)})
		if err != nil {
			return nil, err
		}
		page = append(append(page, ','), rest[1:len(rest)-1]...)
	}
	return append(page, '}'), nil
}

// listTail is what a modern page says beside its things.
type listTail struct {
	Cacheable
	Meta message.Raw `json:"_meta"`
}

// sealCursor makes a cursor of a name. It says of which list it is, so that one of
// another list is not taken for it.
func (s *shelf[T]) sealCursor(name string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(s.kind + ":" + name))
}

func (s *shelf[T]) openCursor(cursor string) (name string, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	name, ok = strings.CutPrefix(string(text), s.kind+":")
	return name, err == nil && ok && name != ""
}

// fitTool leaves out of a tool what its version does not have.
func fitTool(t *tool, version string) any {
	fitted := t.Tool
	if version < Version20250326 {
		fitted.Annotations = nil
	}
	if version < Version20250618 {
		fitted.Title, fitted.Meta = "", nil
	}
	if !t.hasOutput(version) {
		fitted.OutputSchema = nil
	}
	if version < Version20251125 {
		fitted.Icons = nil
	}
	if version != Version20251125 {
		fitted.Execution = nil
	}
	return fitted
}

// fitResource leaves out of a resource what its version does not have.
func fitResource(r *resource, version string) any {
	fitted := r.Resource
	if version < Version20250618 {
		fitted.Title, fitted.Meta = "", nil
	}
	if version < Version20251125 {
		fitted.Icons = nil
	}
	return fitted
}

// fitTemplate leaves out of a template what its version does not have.
func fitTemplate(t *template, version string) any {
	fitted := t.ResourceTemplate
	if version < Version20250618 {
		fitted.Title, fitted.Meta = "", nil
	}
	if version < Version20251125 {
		fitted.Icons = nil
	}
	return fitted
}

// fitPrompt leaves out of a prompt what its version does not have.
func fitPrompt(p *prompt, version string) any {
	fitted := p.Prompt
	if version < Version20250618 {
		fitted.Title, fitted.Meta = "", nil
		fitted.Arguments = slices.Clone(fitted.Arguments)
		for i := range fitted.Arguments {
			fitted.Arguments[i].Title = ""
		}
	}
	if version < Version20251125 {
		fitted.Icons = nil
	}
	return fitted
}
