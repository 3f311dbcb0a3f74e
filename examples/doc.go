// Package examples holds complete studies; README.md lists them. The package has
// no code: its test runs the scripts of every example, so that none goes stale.
package examples
