package layers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Breach is one place where the sources break a rule.
type Breach struct {
	File string // slash-separated, relative to the tree
	Line int
	Rule string // what is not allowed, and why
}

func (b Breach) String() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Rule) }

// Check reads every Go file of the tree except those in testdata, vendor and hidden directories, and returns the number
// of files read with all breaches in order of place. A file that does not parse is an error.
func Check(tree fs.FS) (files int, breaches []Breach, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			if name != "." && (base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		files++
		b, err := checkFile(name, src)
		breaches = append(breaches, b...)
		return err
	})
	sort.SliceStable(breaches, func(i, j int) bool {
		a, b := breaches[i], breaches[j]
		return a.File < b.File || a.File == b.File && a.Line < b.Line
	})
	return files, breaches, err
}

// checkFile returns the breaches of one file.
func checkFile(name string, src []byte) ([]Breach, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	dir, test := path.Dir(name), strings.HasSuffix(name, "_test.go")
	var out []Breach
	report := func(p token.Pos, format string, args ...any) {
		out = append(out, Breach{name, set.Position(p).Line, fmt.Sprintf(format, args...)})
	}
	local := map[string]string{} // name in this file → import path
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if why := refuse(dir, test, target); why != "" {
			report(spec.Pos(), "%s", why)
		}
		local[localName(spec, target)] = target
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if c := forbiddenCall(dir, test, local[id.Name], sel.Sel.Name); c != nil {
				report(sel.Pos(), "%s.%s: %s", id.Name, sel.Sel.Name, c.why)
			}
		}
		return true
	})
	return out, nil
}

// refuse tells why a file of dir may not import target; empty: it may.
func refuse(dir string, test bool, target string) string {
	for dep, homes := range reserved {
		if !under(target, dep) || under(target, dep+"/v2") {
			continue
		}
		if homes == nil {
			return target + " is not used in this module"
		}
		if !under(dir, homes...) {
			return fmt.Sprintf("only %s may import %s", strings.Join(homes, " and "), target)
		}
	}
	numeric := under(dir, numerics...)
	if numeric && !test && slices.Contains(closed, target) {
		return fmt.Sprintf("%s is numerics and must not import %s", dir, target)
	}
	if !under(target, module) {
		return ""
	}
	target = strings.TrimPrefix(strings.TrimPrefix(target, module), "/")
	home, allowed := rule(dir)
	if home == "" {
		return fmt.Sprintf("%s is not listed in internal/layers/rules_test.go", dir)
	}
	if test && target == "internal/seeded" {
		return ""
	}
	if under(target, home) || slices.Contains(allowed, "*") || under(target, allowed...) {
		return ""
	}
	if test && numeric && (under(target, numerics...) || under(target, "internal/space")) {
		return ""
	}
	return fmt.Sprintf("%s must not import %s", home, target)
}

// rule finds the nearest listed ancestor of dir and what it may import.
func rule(dir string) (home string, allowed []string) {
	for d := dir; d != "."; d = path.Dir(d) {
		if a, ok := imports[d]; ok {
			return d, a
		}
	}
	return "", nil
}

// forbiddenCall finds the rule that pkg.name breaks in dir, or nil.
func forbiddenCall(dir string, test bool, pkg, name string) *call {
	for i := range calls {
		c := &calls[i]
		if c.pkg != pkg || !c.where(dir, test) {
			continue
		}
		if slices.Contains(c.names, name) {
			return c
		}
		// Types of the package, such as rand.Rand, are no calls; a generic
		// function or a method value is caught with the rest.
		if c.names == nil && !slices.Contains(c.except, name) && !slices.Contains(randTypes, name) {
			return c
		}
	}
	return nil
}

// randTypes are the types of math/rand/v2.
var randTypes = []string{"Rand", "Source", "PCG", "ChaCha8", "Zipf"}

// localName is the name by which a file refers to an import.
func localName(spec *ast.ImportSpec, target string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(target)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		return path.Base(path.Dir(target))
	}
	return base
}

// under reports whether p is one of the roots or lies below one.
func under(p string, roots ...string) bool {
	for _, r := range roots {
		if p == r || strings.HasPrefix(p, r+"/") {
			return true
		}
	}
	return false
}
