package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/message"
)

// version is set by the linker (make build). Without it the build information of the
// module counts, which `go install …@v1.2.3` fills in.
var version string

func versionCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Show the version",
		Example: "  parley version --format json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionInfo{versionName(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			text := fmt.Appendf(nil, "parley %s (%s, %s)", v.Version, v.Go, v.Platform)
			if a.format == formatJSON {
				var err error
				if text, err = message.Encode(v); err != nil {
					return err
				}
			}
			return a.print(text)
		},
	}
	addFormat(cmd, a, formatText, formatJSON)
	return cmd
}

// versionInfo is what version says, with --format json.
type versionInfo struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionName is the version of this program. It is also what a server is told in a
// handshake.
func versionName() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
