//go:build unix && !linux

package execute

// adoptOrphans does nothing here, nor does killStrays: what leaves the group of a
// trial's command is on its own.
func adoptOrphans() {}

func killStrays(string) {}

func killMarked(...string) bool { return false }
