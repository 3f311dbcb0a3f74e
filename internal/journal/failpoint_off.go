//go:build !failpoints

package journal

// failpoint is where tests built with the tag failpoints kill the process.
func failpoint(string) {}
