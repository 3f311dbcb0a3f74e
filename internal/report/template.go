package report

import (
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A Text is the template of -o template=…: placeholders as in commands, where an
// inactive parameter is empty text, and groups in brackets, such as
// "[--degree {degree}]", that are left out when a placeholder in them is
// inactive. It is immutable.
type Text struct{ pieces []piece }

type piece struct {
	study.Template
	group bool
}

// ParseText reads a template whose placeholders are parameters of the space or
// one of Facts. Brackets around text without placeholders are literal.
func ParseText(s *space.Space, text string) (Text, error) {
	var t Text
	names := s.Names()
	add := func(part string, group bool) error {
		p := study.ParseTemplate(part, names)
		for _, name := range p.Names() {
			if _, ok := s.Index(name); !ok && !slices.Contains(Facts, name) {
				return study.Errorf(study.Usage, "placeholders: "+strings.Join(placeholders(s), " "),
					"the template asks for {%s}, which is no parameter", name)
			}
		}
		t.pieces = append(t.pieces, piece{p, group})
		return nil
	}
	for text != "" {
		open, end := nextGroup(text, names)
		if err := add(text[:open], false); err != nil {
			return Text{}, err
		}
		if open == len(text) {
			break
		}
		if err := add(text[open+1:end], true); err != nil {
			return Text{}, err
		}
		text = text[end+1:]
	}
	return t, nil
}

// nextGroup finds the next brackets that hold a placeholder; open is the length
// of the text when there are none. Brackets in a placeholder are of its name.
func nextGroup(text string, names []string) (open, end int) {
	found := study.Placeholders(text, names)
	open, holds := -1, false
	for i := 0; i < len(text); i++ {
		switch {
		case len(found) > 0 && i == found[0].From:
			i, holds, found = found[0].To, true, found[1:]
		case text[i] == '[':
			open, holds = i, false
		case text[i] == ']' && open >= 0 && holds:
			return open, i
		case text[i] == ']':
			open = -1
		}
	}
	return len(text), len(text)
}

// Expand fills the template in for a trial.
func (t Text) Expand(value func(name string) (string, bool)) string {
	var b strings.Builder
	for _, p := range t.pieces {
		text, ok := p.Expand(value)
		if !ok && !p.group {
			text, _ = p.Expand(func(name string) (string, bool) {
				v, _ := value(name)
				return v, true
			})
		}
		b.WriteString(text)
	}
	return b.String()
}

func placeholders(s *space.Space) []string {
	var names []string
	for i := range s.Params() {
		names = append(names, "{"+s.Params()[i].Name+"}")
	}
	for _, f := range Facts {
		names = append(names, "{"+f+"}")
	}
	return names
}
