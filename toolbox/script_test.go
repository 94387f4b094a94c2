package toolbox

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A value never becomes a part of a script, whichever way an interpreter is started and
// its options are written; behind the script it is an argument, and welcome.
func TestScripts(t *testing.T) {
	for _, c := range []struct {
		run  []string
		want []int // the arguments that are refused
	}{
		{[]string{"sh", "-c", "echo {v}"}, []int{2}},
		{[]string{"/bin/sh", "-e", "-uc", "echo {v}"}, []int{3}},
		{[]string{"bash", "-o", "pipefail", "-c", "echo {v}"}, []int{4}},
		{[]string{"bash", "-euo", "pipefail", "-c", "echo {v}"}, []int{4}},
		{[]string{"bash", "-c", "-o", "pipefail", "echo {v}"}, []int{4}},
		{[]string{"bash", "-co", "pipefail", "echo {v}"}, []int{3}},
		{[]string{"bash", "--rcfile", "x", "-c", "echo {v}"}, []int{4}},
		{[]string{"sh", "-ce", "echo {v}"}, []int{2}},
		{[]string{"sh", "-c", "--", "echo {v}"}, []int{3}},
		{[]string{"sh", "-c", "+x", "-", "echo {v}"}, []int{4}},
		{[]string{"sh", "+x", "-c", "echo {v}"}, []int{3}},
		{[]string{"sh", "-{w}", "echo {v}"}, []int{1, 2}},
		{[]string{"sh", "{w}", "-c", "echo {v}"}, []int{3}},
		{[]string{"env", "sh", "-c", "echo {v}"}, []int{3}},
		{[]string{"env", "A=b", "sh", "-c", "echo {v}"}, []int{4}},
		{[]string{"env", "-S", "sh -c 'echo {v}'"}, []int{2}},
		{[]string{"env", "-i", "A=b", "-Ssh -c 'echo {v}'"}, []int{3}},
		{[]string{"timeout", "5", "nice", "busybox", "sh", "-c", "echo {v}"}, []int{6}},
		{[]string{"fish", "--command=echo {v}"}, []int{1}},
		{[]string{"BASH.EXE", "-c", "echo {v}"}, []int{2}},
		{[]string{`C:\Windows\cmd.exe`, "/d", "/C", "echo", "{v}"}, []int{4}},
		{[]string{"pwsh", "-NoProfile", "-Command", "echo", "{v}"}, []int{4}},
		{[]string{"powershell", "-EncodedCommand", "{v}"}, []int{2}},
		{[]string{"python3.14", "-Bc", "print({v})"}, []int{2}},
		{[]string{"python3", "-cprint({v})"}, []int{1}},
		{[]string{"perl", "-ne", "print", "-e", "{v}"}, []int{4}},
		{[]string{"node", "--eval={v}"}, []int{1}},
		{[]string{"ruby", "-rjson", "-e", "{v}"}, []int{3}},

		{[]string{"sh", "-c", `echo "$1"`, "sh", "{v}"}, nil},
		{[]string{"sh", "-c", "--", `echo "$1"`, "x", "-c", "{v}"}, nil},
		{[]string{"bash", "-euo", "pipefail", "-c", `echo "$1"`, "sh", "{v}"}, nil},
		{[]string{"bash", "-co", "pipefail", `echo "$1"`, "sh", "{v}"}, nil},
		{[]string{"sh", "-c", `exec "$@"`, "sh", "sh", "-c", "{v}"}, []int{6}},
		{[]string{"sh", "-c", `echo "$@"`, "sh", "{v}", "-n{v}", "-c"}, nil},
		{[]string{"sh", "script", "-c", "{v}"}, nil},
		{[]string{"env", "A={v}", "cat"}, nil},
		{[]string{"pwsh", "-File", "x.ps1", "{v}"}, nil},
		{[]string{"python3", "-m", "pytest", "-c", "{v}"}, nil},
		{[]string{"python3", "-c", "import sys", "{v}"}, nil},
		{[]string{"perl", "-e", "print @ARGV", "{v}"}, nil},
		{[]string{"node", "x.js", "-e", "{v}"}, nil},
		{[]string{"grep", "-c", "{v}", "sh"}, nil},
	} {
		var read tool
		for _, word := range c.run {
			parsed, err := parseTemplate(word)
			if err != nil {
				t.Fatal(err)
			}
			read.run = append(read.run, parsed)
		}
		if diff := cmp.Diff(c.want, read.scripts()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fmt.Sprintf("%q", c.run), diff)
		}
	}
}
