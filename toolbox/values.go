package toolbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parley-rpc/parley/message"
)

// A refusal is why a tool is not run with the arguments of a call. Its JSON is the data
// of a refused call, as package parley has it too.
type refusal struct {
	Pointer string `json:"pointer"` // where in the arguments, as a JSON pointer (RFC 6901)
	Reason  string `json:"reason"`
}

func (r *refusal) Error() string {
	if r.Pointer == "" {
		return r.Reason
	}
	return r.Pointer + ": " + r.Reason
}

// Bounds on what a refusal shows, in bytes: of the reason, and of the value in it.
const (
	shownReason = 400
	shownValue  = 60
)

// refuse makes a refusal of an input.
func refuse(input, format string, args ...any) *refusal {
	escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(input) // RFC 6901, section 3
	return &refusal{"/" + escaped, shorten(fmt.Sprintf(format, args...), shownReason)}
}

// shorten returns at most n bytes of a text, and shows where there was more.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// values checks the arguments of a call and returns the text of each input that has a
// value, be it by default. Absent arguments are no arguments.
func (t *tool) values(args message.Raw) (map[string]string, error) {
	given := make(map[string]message.Raw)
	if err := args.Decode(&given); err != nil {
		return nil, &refusal{Reason: shorten(fmt.Sprintf("the arguments are no object with the inputs as its members: %v", err), shownReason)}
	}
	values := make(map[string]string, len(t.inputs))
	for _, in := range t.inputs {
		raw, ok := given[in.name]
		delete(given, in.name)
		switch {
		case ok:
			text, err := in.text(raw)
			if err != nil {
				return nil, err
			}
			values[in.name] = text
		case in.standard != nil:
			values[in.name] = *in.standard
		case in.required:
			return nil, refuse(in.name, "this input is required")
		}
	}
	if len(given) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(given)))
		return nil, refuse(name, "%s has no such input; it has %s", t.Name, t.inputNames())
	}
	return values, nil
}

// inputNames lists the inputs in a sentence.
func (t *tool) inputNames() string {
	if len(t.inputs) == 0 {
		return "none"
	}
	names := make([]string, len(t.inputs))
	for i, in := range t.inputs {
		names[i] = in.name
	}
	return strings.Join(names, ", ")
}
