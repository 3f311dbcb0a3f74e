package main

import (
	"go/ast"
	"go/token"
)

// other is what each operator becomes: a neighbour that people confuse it with.
var other = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// operators are the changes of one file: every operator for its neighbour, and signs and
// negations left out.
func operators(set *token.FileSet, tree *ast.File, file string) []change {
	var out []change
	add := func(at token.Pos, from token.Token, to string) {
		out = append(out, change{file: file, at: set.Position(at), from: from.String(), to: to})
	}
	swap := func(at token.Pos, from token.Token) {
		if to, ok := other[from]; ok {
			add(at, from, to.String())
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			swap(n.OpPos, n.Op)
		case *ast.AssignStmt:
			swap(n.TokPos, n.Tok)
		case *ast.IncDecStmt:
			swap(n.TokPos, n.Tok)
		case *ast.UnaryExpr:
			if n.Op == token.SUB || n.Op == token.NOT {
				add(n.OpPos, n.Op, "")
			}
		}
		return true
	})
	return out
}
