package journal

import (
	stdflag "flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var rewrite = stdflag.Bool("update", false, "rewrite the table of records in the manual")

// TestFormatPage: the page about the journal lists every kind of record with the fields
// it must and may have, and explains every field.
func TestFormatPage(t *testing.T) {
	const page = "../../docs/reference/journal.md"
	kinds, err := parser.ParseFile(token.NewFileSet(), "record.go", nil, parser.ParseComments|parser.SkipObjectResolution)
	must(t, err)
	names := func(set field) string {
		var out []string
		for name, f := range fieldNames {
			if set&f != 0 {
				out = append(out, name)
			}
		}
		slices.SortFunc(out, func(a, b string) int { return fieldNames[a].order() - fieldNames[b].order() })
		return strings.Join(out, ", ")
	}
	var table strings.Builder
	rows := 0
	table.WriteString("| `t` | must have | may have | says |\n|---|---|---|---|\n")
	ast.Inspect(kinds, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Names) != 1 || !strings.HasPrefix(v.Names[0].Name, "Kind") {
			return true
		}
		kind := Kind(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
		r := rules[kind]
		table.WriteString("| `" + string(kind) + "` | " + names(r.must) + " | " + names(r.may&^r.must) + " | " +
			strings.TrimSpace(v.Comment.Text()) + " |\n")
		rows++
		return true
	})
	if rows != len(rules) {
		t.Fatalf("%d kinds with a comment, want %d", rows, len(rules))
	}
	const begin, end = "<!-- records -->\n", "<!-- end of records -->"
	text, err := os.ReadFile(page)
	must(t, err)
	before, rest, _ := strings.Cut(string(text), begin)
	got, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no table of records", page)
	}
	switch want := table.String(); {
	case got == want:
	case *rewrite:
		must(t, os.WriteFile(page, []byte(before+begin+want+end+after), 0o666))
	default:
		t.Errorf("%s shows\n%s\nthe program has (make golden)\n%s", page, got, want)
	}
	for name := range fieldNames {
		if !strings.Contains(after, "`"+name+"`") {
			t.Errorf("%s does not explain %s", page, name)
		}
	}
}

// order is the bit's number.
func (f field) order() (n int) {
	for f >>= 1; f > 0; f >>= 1 {
		n++
	}
	return n
}

// The pointers to a record's members are in the order of its columns.
func TestMembers(t *testing.T) {
	var r Record
	for k, p := range r.members() {
		if at := reflect.ValueOf(&r).Elem().Field(k).Addr().Interface(); p != at {
			t.Errorf("member %s is %T, want %T", columns[k].name, p, at)
		}
	}
}
