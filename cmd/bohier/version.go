package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"bohier/internal/report"
)

// version is set by the linker for releases; otherwise the build's own record
// of the commit is shown.
var version = ""

type versionOptions struct{ format format }

func newVersion(g *globals) *cobra.Command {
	var o versionOptions
	c := g.command("version [flags]", args(0, 0, ""), o.run, 7)
	g.addFormat(c, "text", "json")
	return c
}

func (o *versionOptions) run(s call, args []string) error {
	v, commit := versionName(), ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	if s.format.name == "json" {
		return s.json(report.Version{
			Schema: "bohier/version/1", Version: v, Commit: commit,
			Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		})
	}
	return s.write(fmt.Appendf(nil, "bohier %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// versionName is what this build calls itself.
func versionName() string {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "" {
		v = info.Main.Version
	}
	if v == "" || v == "(devel)" {
		return "devel"
	}
	return v
}
