package toolbox

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxFile is how long a file of tools may be, in bytes.
const maxFile = 1 << 20

// load reads a file of tools and checks all of it. The error is Faults.
func load(path string) (*tools, error) {
	text, info, bad := readText(path)
	if bad != "" {
		return nil, Faults{{File: path, Text: bad}}
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, Faults{{File: path, Text: fmt.Sprintf("its folder has no name: %v", err)}}
	}
	r := &reader{file: path}
	list := r.readFile(text, folder)
	if len(r.faults) > 0 {
		return nil, r.faults.sorted()
	}
	return newTools(text, info, list), nil
}

// readText returns the text of a file, or why it is not read. It asks the open file who
// may write to it, so that no other file can take its place in between.
func readText(path string) (text []byte, info os.FileInfo, bad string) {
	// A pipe in place of a file would block here.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, "this is no file"
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Sprintf("it cannot be read: %v", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written to it
	info, err = f.Stat()
	if err != nil {
		return nil, nil, fmt.Sprintf("it cannot be read: %v", err)
	}
	if bad := writable(info.Mode()); bad != "" {
		return nil, nil, bad
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil {
		return nil, nil, fmt.Sprintf("it cannot be read: %v", err)
	}
	if b.Len() > maxFile {
		return nil, nil, fmt.Sprintf("it is longer than %d bytes", maxFile)
	}
	return b.Bytes(), info, ""
}
