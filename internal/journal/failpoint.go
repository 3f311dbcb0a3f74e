package journal

// Tests end or hold up the process at a failpoint and in the middle of a write (failpoint_test.go).
var (
	failpoint = func(string) {}
	failwrite = func(string, file, []byte) {}
)
