//go:build !failpoints

package journal

// failpoint is where tests built with the tag failpoints kill the process.
func failpoint(string) {}

// failwrite is where they kill it in the middle of a write.
func failwrite(string, file, []byte) {}
