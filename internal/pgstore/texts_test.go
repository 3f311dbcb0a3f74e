package pgstore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// taking are the methods of the driver that take a statement, and which argument it is.
var taking = map[string]int{"Exec": 1, "Query": 1, "QueryRow": 1, "Queue": 0, "Prepare": 2, "ExecParams": 1,
	"exec": 1, "finish": 1}

// TestStatementsAreConstants holds that no value becomes a part of a statement: each is a
// constant or named by one, of those in statements.sql, or one of few exceptions.
func TestStatementsAreConstants(t *testing.T) {
	allowed := map[string]bool{
		"text":      true, // of Schema
		"statement": true, // of finish, whose callers give constants
	}
	files, err := filepath.Glob("*.go")
	must(t, err)
	constants := map[string]bool{}
	var parsed []*ast.File
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		must(t, err)
		parsed = append(parsed, file)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, s := range g.Specs {
					for _, n := range s.(*ast.ValueSpec).Names {
						constants[n.Name] = true
					}
				}
			}
		}
	}
	seen := 0
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			at, ok := taking[name]
			if !ok || len(call.Args) <= at {
				return true
			}
			seen++
			if text := source(call.Args[at]); !constant(call.Args[at], constants) && !allowed[text] {
				t.Errorf("%v: the statement %s is no constant", set.Position(call.Pos()), text)
			}
			return true
		})
	}
	if seen < 25 {
		t.Errorf("only %d statements were found", seen)
	}
}

// constant reports whether an expression is a literal, a constant, or s.sql of one; exec has such a name.
func constant(e ast.Expr, constants map[string]bool) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.Ident:
		return constants[e.Name]
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		return ok && f.Sel.Name == "sql" && len(e.Args) == 1 &&
			(constant(e.Args[0], constants) || source(e.Args[0]) == "name")
	}
	return false
}

// source is an expression as it is written, where it is made of names.
func source(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return source(e.X) + "." + e.Sel.Name
	case *ast.BinaryExpr:
		return source(e.X) + " " + e.Op.String() + " " + source(e.Y)
	}
	return "(other)"
}
