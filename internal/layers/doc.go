// Package layers is a test of the architecture: which package may import which, and which calls are allowed where.
//
// Check reads the Go sources of a tree and returns every breach; the test of this package runs it over the whole
// module, so a forbidden import fails `make test` on a machine with nothing but Go. The rules are data, in
// rules_test.go, and said nowhere else: docs/layout.md shows them by `make golden`. The deliberately bad files of
// testdata/bad.txtar show that each rule fires.
//
// A new package under internal must be entered in rules_test.go before it compiles
// past the tests: that is the moment to decide on its imports.
package layers
