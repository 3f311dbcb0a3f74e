package pgstore

import (
	_ "embed"
	"fmt"
	"hash/crc32"
	"strings"

	"bohier/internal/study"
)

// Version is that of the schema that this program writes, and the oldest one that it
// works with.
const Version = 1

//go:embed schema.sql
var schemaSQL string

// Schema is the SQL that makes the tables, functions and roles of a schema. Running it
// again changes nothing.
func Schema(name string) (string, error) {
	if !validSchema.MatchString(name) {
		return "", study.Errorf(study.Usage, "small letters, digits and _, at most 51", "%q is no name for a schema", name)
	}
	table := make([]string, 256)
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	for i, v := range castagnoli {
		table[i] = fmt.Sprint(v)
	}
	return strings.NewReplacer("{schema}", name, "{table}", strings.Join(table, ",")).Replace(schemaSQL), nil
}
