package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// irace reads a parameters file: one parameter a line,
//
//	name "switch" type (values) [| condition]
//
// then optional sections [conditions] (name condition), [forbidden] (one
// expression a line) and [global]. Types are c, o, i and r, the last two also
// with ",log".
// command is what runs a trial; the switches of the parameters go behind it.
func (c *converter) irace(text string, command []string) {
	c.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if command != nil {
		c.command = listNode()
		for _, word := range command {
			c.command.Content = append(c.command.Content, textNode(word))
		}
	}
	type pending struct {
		p    *converted
		text string
		at   *yaml.Node
	}
	var conditions []pending
	section := "parameters"
	for i := range c.lines {
		line := strings.TrimRight(stripComment(c.lines[i]), " \t")
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			continue
		}
		at := &yaml.Node{Line: i + 1, Column: len([]rune(line)) - len([]rune(body)) + 1}
		if body[0] == '[' {
			section = strings.Trim(body, "[]")
			if section != "parameters" && section != "conditions" && section != "forbidden" && section != "global" {
				c.errorf(at, "sections: [conditions], [forbidden], [global]", "%q is not a section", section)
			}
			continue
		}
		switch section {
		case "parameters":
			p, when := c.iraceParameter(at, body)
			if p != nil && when != "" && when != "TRUE" {
				conditions = append(conditions, pending{p, when, at})
			}
		case "conditions":
			name, when, _ := strings.Cut(body, " ")
			when = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(when), "|"))
			if p := c.index[name]; p == nil {
				c.errorf(at, "", "%q is not a parameter", name)
			} else {
				conditions = append(conditions, pending{p, when, at})
			}
		case "forbidden":
			if f := c.rExpression(at, body); f != "" {
				c.forbidden = append(c.forbidden, f)
			}
		case "global":
			c.warnf(at, "", "%s is left out", body)
		}
	}
	for _, d := range conditions {
		if when := c.rExpression(d.at, d.text); when != "" {
			d.p.when = append(d.p.when, when)
		}
	}
}

// stripComment cuts a line at a # outside quotes.
func stripComment(line string) string {
	var quote rune
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '#':
			return line[:i]
		}
	}
	return line
}

var iraceLine = lazily(`^([A-Za-z0-9_.-]+)\s+("[^"]*"|'[^']*')\s+([a-z])(,log)?\s*\(([^()]*)\)\s*(?:\|\s*(.*))?$`)

func (c *converter) iraceParameter(at *yaml.Node, body string) (p *converted, condition string) {
	m := iraceLine().FindStringSubmatch(body)
	if m == nil {
		c.errorf(at, `name "--switch=" type (values) | condition`, "this is not a parameter of irace; bounds that depend on other parameters cannot be converted")
		return nil, ""
	}
	if c.index[m[1]] != nil {
		c.errorf(at, "", "%q appears twice", m[1])
		return nil, ""
	}
	p = c.param(at, m[1])
	if c.command != nil {
		c.command.Content = append(c.command.Content, textNode(iraceArgument(strings.Trim(m[2], `"'`), p.name)))
	}
	var values []string
	for _, v := range strings.Split(m[5], ",") {
		values = append(values, strings.Trim(strings.TrimSpace(v), `"'`))
	}
	switch m[3] {
	case "c", "o":
		kind := map[string]string{"c": "categorical", "o": "ordinal"}[m[3]]
		list := listNode()
		for _, v := range values { // irace has no types: what looks like a number is one
			list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Line: at.Line, Column: at.Column})
		}
		c.choices(p, kind, list)
	case "i", "r":
		kind := map[string]string{"i": "int", "r": "float"}[m[3]]
		if len(values) != 2 {
			c.errorf(at, "", "%s needs two bounds", p.name)
			return nil, ""
		}
		for _, v := range values {
			if _, msg := parseNumber(v); msg != "" {
				c.errorf(at, "bounds that depend on other parameters cannot be converted", "%s", msg)
				return nil, ""
			}
		}
		p.number(kind, values[0], values[1], m[4] != "")
	default:
		c.errorf(at, "types: c, o, i, r", "%q is not a type of irace", m[3])
	}
	return p, strings.TrimSpace(m[6])
}

// iraceArgument is the argument, or the group of arguments, that a switch and a value
// are for irace: the switch, with its blanks, directly before the value.
func iraceArgument(sw, name string) string {
	arg := sw + "{" + name + "}"
	if strings.Contains(strings.TrimSpace(sw)+"x", " ") || strings.HasSuffix(sw, " ") {
		return "[" + arg + "]"
	}
	return arg
}

var rToken = lazily(`^(%in%|&&?|\|\|?|==|!=|<=|>=|[<>!()+*/,-]|c\s*\(|"[^"]*"|'[^']*'|[0-9.]+(?:[eE][-+]?[0-9]+)?|[A-Za-z.][A-Za-z0-9_.]*)`)

// rExpression turns an R expression into one of the study file's: %in% c(…), &,
// | and ! become words. It returns "" after an error.
func (c *converter) rExpression(at *yaml.Node, text string) string {
	words := map[string]string{"%in%": "in", "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "TRUE": "true", "FALSE": "false"}
	var out []string
	list := false
	inList := func() bool { return len(out) > 0 && out[len(out)-1] == "in" }
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		tok := rToken().FindString(rest)
		if tok == "" {
			c.errorf(at, "", "this part of an R expression cannot be converted: %s", rest)
			return ""
		}
		rest = rest[len(tok):]
		_, msg := parseNumber(tok)
		switch {
		case strings.HasSuffix(tok, "(") && tok[0] == 'c' && inList():
			out, list = append(out, "["), true
		case tok == "(" && inList():
			out, list = append(out, "["), true
		case tok == ")" && list:
			out, list = append(out, "]"), false
		case words[tok] != "":
			out = append(out, words[tok])
		case tok[0] == '"' || tok[0] == '\'':
			out = append(out, quoteWord(tok[1:len(tok)-1]))
		case msg == "":
			out = append(out, tok)
		case c.index[tok] != nil:
			out = append(out, quoteWord(c.index[tok].name))
		case isLetter(rune(tok[0])) || tok[0] == '.':
			c.errorf(at, "", "%q is not a parameter, and functions cannot be converted", tok)
			return ""
		default:
			out = append(out, tok)
		}
	}
	return strings.Join(out, " ")
}
