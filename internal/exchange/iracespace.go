package exchange

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/config"
	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
)

// irace reads a file of parameters, or one that begins in another section: one parameter a line,
//
//	name "switch" type (values) [| condition]
//
// then optional sections [conditions] (name condition), [forbidden] (one expression a line) and [global] (digits = 4).
// Types are c, o, i and r, the last two also with ",log". The switches go behind the command, if there is one.
func (c *converter) irace(section string, text []byte) {
	type condition struct {
		p    *config.DraftParam
		text string
		at   config.Node
	}
	var conditions []condition
	var head []string // of the points
	for i, line := range iraceLines(text) {
		body := strings.TrimLeft(line, " \t")
		at := c.src.At(i+1, len([]rune(line))-len([]rune(body))+1)
		if body[0] == '[' {
			section = strings.Trim(body, "[]")
			if !slices.Contains([]string{"parameters", "conditions", "forbidden", "global"}, section) {
				at.Errorf("sections: [conditions], [forbidden], [global]", "%q is not a section", section)
			}
			continue
		}
		switch section {
		case "parameters":
			p, when := c.iraceParameter(at, body)
			if p != nil && when != "" && when != "TRUE" {
				conditions = append(conditions, condition{p, when, at})
			}
		case "conditions":
			name, when, _ := strings.Cut(body, " ")
			when = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(when), "|"))
			if p := c.index[name]; p == nil {
				at.Errorf("", "%q is not a parameter", name)
			} else {
				conditions = append(conditions, condition{p, when, at})
			}
		case "forbidden":
			if f := c.rExpression(at, body); f != "" {
				c.Forbidden = append(c.Forbidden, f)
			}
		case "global", "scenario":
			m := iraceOption().FindStringSubmatch(body)
			if m != nil && m[1] == "digits" {
				c.iraceDigits(at, m[2])
			} else if section == "global" {
				at.Warnf("", "%s is left out", body)
			}
		case "points":
			cells := lists.Of(strings.Fields(body), func(cell string) string { return strings.Trim(cell, `"'`) })
			if head == nil {
				head = cells
			} else {
				c.iracePoint(at, head, cells)
			}
		}
	}
	for _, d := range conditions {
		if when := c.rExpression(d.at, d.text); when != "" {
			d.p.When = append(d.p.When, when)
		}
	}
}

// iraceDigits rounds the real parameters to so many digits after the point.
func (c *converter) iraceDigits(at config.Node, text string) {
	digits, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		at.Errorf("", "digits needs a whole number, not %q", text)
		return
	}
	step := config.Decimal(math.Pow(10, -float64(digits)))
	var without []string
	for _, p := range c.Params {
		low, high := config.Multiples(p.Low, p.High, step)
		switch {
		case p.Type != "float":
		case low != p.Low || high != p.High:
			without = append(without, p.Name)
		default:
			p.Step = step
		}
	}
	if len(without) > 0 {
		at.Warnf("write step: or precision:", "digits = %d is left out for %s, whose bounds have more", digits,
			space.Listed(without))
	}
}

// iracePoint adds a configuration to be tried first, by the names of parameters; NA is no value.
func (c *converter) iracePoint(at config.Node, names, cells []string) {
	point := map[string]config.DraftValue{}
	for k, text := range cells[:min(len(cells), len(names))] {
		p := c.index[names[k]]
		if p == nil || text == "NA" || p.Type == "" {
			continue
		}
		values := p.Values
		if !p.Choice() {
			values = []config.DraftValue{config.Untyped(text)}
		}
		i := slices.IndexFunc(values, func(v config.DraftValue) bool {
			return v.Text == text && (p.Choice() || v.Kind == space.Number)
		})
		if i < 0 {
			at.Warnf("", "the configuration with %s = %s is left out: that is no value", names[k], text)
			return
		}
		point[p.Name] = values[i]
	}
	c.Points = append(c.Points, point)
}

var (
	iraceLine  = lazy.Regexp(`^([^\s"']+)\s+("[^"]*"|'[^']*')\s+([a-z])(,log)?\s*\((.*?)\)\s*(?:\|\s*(.*))?$`)
	iraceValue = lazy.Regexp(`\s*("[^"]*"|'[^']*'|[^,]*?)\s*(?:,|$)`)
)

func (c *converter) iraceParameter(at config.Node, body string) (p *config.DraftParam, condition string) {
	m := iraceLine().FindStringSubmatch(body)
	if m == nil {
		at.Errorf(`name "--switch=" type (values) | condition`,
			"this is not a parameter of irace; bounds that depend on other parameters cannot be converted")
		return nil, ""
	}
	if p = c.param(at, m[1]); p == nil {
		return nil, ""
	}
	if c.Command != nil {
		c.Command = append(c.Command, iraceArgument(strings.Trim(m[2], `"'`), p.Name))
	}
	values := lists.Of(iraceValue().FindAllStringSubmatch(m[5], -1),
		func(v []string) config.DraftValue { return config.Untyped(strings.Trim(v[1], `"'`)) })
	switch m[3] {
	case "c", "o":
		c.oneOf(p, m[3] == "o", at, values)
	case "i", "r":
		if len(values) != 2 {
			at.Errorf("", "%s needs two bounds", p.Name)
			return nil, ""
		}
		var bound [2]float64
		for k, v := range values {
			if v.Kind != space.Number {
				at.Errorf("bounds that depend on other parameters cannot be converted", "%q is not a number", v.Text)
				return nil, ""
			}
			bound[k], _ = strconv.ParseFloat(v.Text, 64)
		}
		p.Number(map[string]string{"i": "int", "r": "float"}[m[3]], bound[0], bound[1], strings.TrimPrefix(m[4], ","))
	default:
		at.Errorf("types: c, o, i, r", "%q is not a type of irace", m[3])
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

var rToken = lazy.Regexp(`^(%in%|%%|&&?|\|\|?|==|!=|<=|>=|[<>!()+*/,-]|c\s*\(|"[^"]*"|'[^']*'|[0-9.]+(?:[eE][-+]?[0-9]+)?|[\pL.][\pL\pM\pN_.]*)`)

// rExpression turns an R expression into one of the study file: %in% c(…), &,
// | and ! become words. It returns "" after an error.
func (c *converter) rExpression(at config.Node, text string) string {
	words := map[string]string{"%in%": "in", "%%": "%", "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not",
		"TRUE": "true", "FALSE": "false"}
	var out []string
	list := false
	inList := func() bool { return len(out) > 0 && out[len(out)-1] == "in" }
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		tok := rToken().FindString(rest)
		if tok == "" {
			at.Errorf("", "this part of an R expression cannot be converted: %s", rest)
			return ""
		}
		rest = rest[len(tok):]
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
			out = append(out, word(tok[1:len(tok)-1]))
		case c.index[tok] != nil:
			out = append(out, word(c.index[tok].Name))
		case tok[0] >= 'A' && tok[0] != '.' && tok != "c" || tok[0] == '.' && len(tok) > 1 && (tok[1] < '0' || tok[1] > '9'):
			at.Errorf("", "%q is not a parameter, and functions cannot be converted", tok)
			return ""
		default:
			out = append(out, tok)
		}
	}
	return strings.Join(out, " ")
}
