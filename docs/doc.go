// Package docs holds the documentation, the schemas that the program prints, and the tests of both.
package docs

import "embed"

// Schemas are the JSON Schemas of the output of commands with -o json, NAME.schema.json each.
//
//go:embed reference/*.schema.json
var Schemas embed.FS
