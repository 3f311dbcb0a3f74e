package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"bohier/internal/report"
)

// version is set by the linker for releases; otherwise the build's own record
// of the commit is shown.
var version = ""

func runVersion(s call, _ []string) error {
	v, commit := versionName(), ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	result := report.Version{
		Schema: "bohier/version/1", Version: v, Commit: commit,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	return present(s, []report.Version{result}, false, func() []byte {
		return fmt.Appendf(nil, "bohier %s %s %s\n", v, result.Go, result.Platform)
	})
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
