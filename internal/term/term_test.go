package term

import (
	"bytes"
	"os"
	"testing"
)

func TestColour(t *testing.T) {
	tests := []struct {
		name     string
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"a terminal has colour", true, nil, true},
		{"a pipe has none", false, nil, false},
		{"NO_COLOR turns it off", true, map[string]string{"NO_COLOR": "1"}, false},
		{"NO_COLOR turns it off whatever it says", true, map[string]string{"NO_COLOR": "0"}, false},
		{"an empty NO_COLOR is as good as none", true, map[string]string{"NO_COLOR": ""}, true},
		{"a dumb terminal has none", true, map[string]string{"TERM": "dumb"}, false},
		{"CLICOLOR_FORCE turns it on in a pipe", false, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"CLICOLOR_FORCE=0 forces nothing", false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"CLICOLOR_FORCE=0 does not turn it off either", true, map[string]string{"CLICOLOR_FORCE": "0"}, true},
		{"CLICOLOR_FORCE beats a dumb terminal", true, map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, true},
		{"NO_COLOR beats CLICOLOR_FORCE", true, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := colour(test.terminal, func(name string) string { return test.env[name] }); got != test.want {
				t.Errorf("colour = %v, want %v", got, test.want)
			}
		})
	}
}

// What is no terminal is plain and 80 columns wide, whether it has a descriptor or not.
func TestLookOfWhatIsNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	none := func(string) string { return "" }
	want := Look{Width: 80}
	if got := LookOf(w, none); got != want {
		t.Errorf("a pipe looks like %+v, want %+v", got, want)
	}
	if got := LookOf(new(bytes.Buffer), none); got != want {
		t.Errorf("a buffer looks like %+v, want %+v", got, want)
	}
}
