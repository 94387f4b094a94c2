package toolbox

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// toolName is what a tool may be called (MCP 2025-11-25, "Tools", tool names).
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// variableName is what a variable of the environment may be called.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// A draft is a tool that is being read.
type draft struct {
	tool
	at     ast.Node            // where the tool begins
	given  map[string]ast.Node // the values by their keys
	folder string              // of the file

	output string
	hints  mcp.ToolAnnotations
}

// toolKeys are the keys of a tool, each with what reads it. What has to do with other
// keys is done by finish.
var toolKeys = map[string]func(*reader, *draft, ast.Node){
	"name":        (*reader).readName,
	"title":       func(r *reader, d *draft, n ast.Node) { d.Title, _ = r.text(n, "title") },
	"description": func(r *reader, d *draft, n ast.Node) { d.Description, _ = r.text(n, "description") },
	"input":       func(r *reader, d *draft, n ast.Node) { d.inputs = r.readInputs(n) },

	"run":     (*reader).readRun,
	"stdin":   func(r *reader, d *draft, n ast.Node) { d.stdin = r.template(n, "stdin") },
	"cwd":     (*reader).readCwd,
	"env":     (*reader).readEnv,
	"inherit": (*reader).readInherit,

	"output":        func(r *reader, d *draft, n ast.Node) { d.output = r.word(n, "output", "text", "json") },
	"output_schema": (*reader).readOutputSchema,
	"progress":      func(r *reader, d *draft, n ast.Node) { d.progress = r.boolean(n, "progress") },

	"timeout":     func(r *reader, d *draft, n ast.Node) { d.timeout = r.duration(n, "timeout", maxTimeout) },
	"concurrency": func(r *reader, d *draft, n ast.Node) { d.concurrency = r.integer(n, "concurrency", 1, maxConcurrency) },
	"max_output":  func(r *reader, d *draft, n ast.Node) { d.maxOutput = r.integer(n, "max_output", 1, maxMaxOutput) },
	"allow_dash":  func(r *reader, d *draft, n ast.Node) { d.allowDash = r.boolean(n, "allow_dash") },

	"read_only":   func(r *reader, d *draft, n ast.Node) { d.hints.ReadOnlyHint = r.boolean(n, "read_only") },
	"idempotent":  func(r *reader, d *draft, n ast.Node) { d.hints.IdempotentHint = r.boolean(n, "idempotent") },
	"destructive": func(r *reader, d *draft, n ast.Node) { d.hints.DestructiveHint = new(r.boolean(n, "destructive")) },
	"open_world":  func(r *reader, d *draft, n ast.Node) { d.hints.OpenWorldHint = new(r.boolean(n, "open_world")) },
}

// readFile reads the text of a file of tools.
func (r *reader) readFile(text []byte, folder string) (all []*tool) {
	root := r.document(text)
	if root == nil {
		return nil
	}
	var members ast.Node
	for _, e := range r.mapping(root, "the file") {
		if e.key == "tools" {
			members = e.value
		} else {
			r.fault(e.at, "there is no key %q here; the file has one, tools", e.key)
		}
	}
	if members == nil {
		if len(r.faults) == 0 {
			r.fault(root, "there is no key tools")
		}
		return nil
	}
	list, _ := r.list(members, "tools")
	first := make(map[string]int)
	for _, n := range list {
		t := r.readTool(n, folder)
		if t == nil {
			continue
		}
		line, _ := place(n)
		if before, twice := first[t.Name]; twice && t.Name != "" {
			r.fault(t.given["name"], "a tool in line %d is called %s already", before, t.Name)
		}
		first[t.Name] = line
		all = append(all, &t.tool)
	}
	return all
}

// readKeys hands the value of each key of a mapping to what reads it, and returns all
// values by their keys; nil if it is no mapping.
func readKeys[T any](r *reader, n ast.Node, what string, into T, keys map[string]func(*reader, T, ast.Node)) map[string]ast.Node {
	faults := len(r.faults)
	entries := r.mapping(n, what)
	if entries == nil && len(r.faults) > faults {
		return nil
	}
	given := make(map[string]ast.Node, len(entries))
	for _, e := range entries {
		read, ok := keys[e.key]
		if !ok {
			r.fault(e.at, "%s has no key %q; it has %s", what, e.key, strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
			continue
		}
		given[e.key] = e.value
		if _, null := e.value.(*ast.NullNode); null {
			r.fault(e.value, "%s has no value", e.key)
			continue
		}
		read(r, into, e.value)
	}
	return given
}

// readTool reads one tool. It is nil if there is nothing to be read.
func (r *reader) readTool(n ast.Node, folder string) *draft {
	d := &draft{at: n, folder: folder}
	d.timeout, d.concurrency, d.maxOutput = defaultTimeout, defaultConcurrency, defaultMaxOutput
	d.given = readKeys(r, n, "a tool", d, toolKeys)
	if d.given == nil {
		return nil
	}
	r.finish(d)
	return d
}

// finish checks what several keys say together, and completes the tool.
func (r *reader) finish(d *draft) {
	for _, key := range []string{"name", "run"} {
		if _, ok := d.given[key]; !ok {
			r.fault(d.at, "this tool has no key %s", key)
		}
	}
	d.json = d.output == "json"
	if n, ok := d.given["output_schema"]; ok && !d.json {
		r.fault(n, "output_schema is for a tool with output: json")
	}
	if d.hints != (mcp.ToolAnnotations{}) {
		d.Annotations = &d.hints
	}
	if d.kept == nil {
		d.kept = inherited(nil)
	}
	r.checkUse(d)
	var err error
	if d.InputSchema, err = schema(d.inputs); err != nil {
		r.fault(d.at, "the inputs make no schema: %v", err)
	}
}

// checkUse holds placeholders against inputs: each has the other, and a value that the
// file itself gives is one that a call may have.
func (r *reader) checkUse(d *draft) {
	used := make(map[string]bool)
	each := func(n ast.Node, t template, word bool) {
		for _, name := range t.inputs() {
			used[name] = true
			in := d.input(name)
			switch {
			case in == nil:
				r.fault(n, "there is no input %s for the placeholder {%s}", name, name)
			case word && !d.allowDash && t.leads(name) && in.standard != nil && strings.HasPrefix(*in.standard, "-"):
				r.fault(n, "the default of %s starts with - and the placeholder with the argument, which is always refused; set allow_dash, or put the - into the argument", name)
			}
		}
	}
	if n, ok := d.given["run"].(*ast.SequenceNode); ok && len(n.Values) == len(d.run) {
		for i, t := range d.run {
			each(n.Values[i], t, true)
		}
		for _, i := range d.scripts() {
			r.fault(n.Values[i], "an interpreter would run what is in the value; put the placeholder behind the script, as an argument of its own (sh -c 'echo \"$1\"' sh {v})")
		}
	}
	each(d.given["stdin"], d.stdin, false)
	for _, v := range d.env {
		each(d.given["env"], v.value, false)
	}
	for _, in := range d.inputs {
		if !used[in.name] {
			r.fault(in.at, "no placeholder {%s} uses this input", in.name)
		}
	}
}

// reserved are method names that are not for tools: as plain methods they would stand in
// the way of the protocol's own.
var reserved = []string{string(mcp.Initialize), string(mcp.Ping)}

func (r *reader) readName(d *draft, n ast.Node) {
	name, ok := r.text(n, "name")
	switch {
	case !ok:
	case !toolName.MatchString(name):
		r.fault(n, "the name of a tool has 1 to 128 letters, digits, _, . and -")
	case slices.Contains(reserved, name), strings.HasPrefix(name, "rpc."):
		r.fault(n, "%s is a name of the protocol; call the tool something else", name)
	}
	d.Name = name
}

func (r *reader) readRun(d *draft, n ast.Node) {
	args, ok := r.list(n, "run")
	if !ok {
		return
	}
	if len(args) == 0 {
		r.fault(n, "run is empty; it is the program and its arguments")
		return
	}
	for _, arg := range args {
		d.run = append(d.run, r.template(arg, "an argument"))
	}
	if len(d.run[0].inputs()) > 0 {
		r.fault(args[0], "the program is the same in every call: no placeholder can be in it")
		return
	}
	d.program = r.program(args[0], d.run[0].text(nil), d.folder)
}

func (r *reader) readCwd(d *draft, n ast.Node) {
	t := r.template(n, "cwd")
	if len(t.inputs()) > 0 {
		r.fault(n, "the folder is the same in every call: no placeholder can be in it")
		return
	}
	dir := t.text(nil)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(d.folder, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		r.fault(n, "there is no folder %s", dir)
		return
	}
	d.dir = dir
}

func (r *reader) readEnv(d *draft, n ast.Node) {
	for _, e := range r.mapping(n, "env") {
		if !variableName.MatchString(e.key) {
			r.fault(e.at, "the name of a variable has letters, digits and _, and begins with no digit")
			continue
		}
		d.env = append(d.env, variable{e.key, r.template(e.value, "a variable")})
	}
}

func (r *reader) readInherit(d *draft, n ast.Node) {
	list, _ := r.list(n, "inherit")
	var names []string
	for _, v := range list {
		name, ok := r.text(v, "the name of a variable")
		if ok && !variableName.MatchString(name) {
			r.fault(v, "the name of a variable has letters, digits and _, and begins with no digit")
		}
		names = append(names, name)
	}
	d.kept = inherited(names)
}

func (r *reader) readOutputSchema(d *draft, n ast.Node) {
	text := r.encoded(n)
	schema, err := mcp.ParseSchema(text)
	if err != nil {
		r.fault(n, "this is no JSON Schema that can be used: %v", err)
		return
	}
	d.schema, d.OutputSchema = schema, text
}

// template reads a text with placeholders; after a fault it is empty.
func (r *reader) template(n ast.Node, what string) template {
	text, ok := r.text(n, what)
	if !ok {
		return nil
	}
	if what != "stdin" && strings.Contains(text, "\x00") {
		r.fault(n, "no argument, variable or path can hold a NUL character; stdin can")
	}
	t, err := parseTemplate(text)
	if err != nil {
		r.fault(n, "%v", err)
	}
	return t
}

// word returns a text that is one of a few words; after a fault, "".
func (r *reader) word(n ast.Node, what string, words ...string) string {
	text, _ := scalar(n)
	if !slices.Contains(words, text) {
		r.fault(n, "%s is one of %s, not %s", what, strings.Join(words, ", "), cmp.Or(text, kind(n)))
		return ""
	}
	return text
}
