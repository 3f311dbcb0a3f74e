package study

import (
	"fmt"
	"regexp"
	"slices"

	"bohier/internal/space"
)

// ResultGroups are the outcomes, or the cost, that a pattern finds with its groups, which have
// their names, or these as variables of shells; none where its only group is the whole result. The error says what is
// wrong
// with the groups.
func (st *Study) ResultGroups(re *regexp.Regexp) ([]string, error) {
	names := slices.Clone(re.SubexpNames()[1:])
	if len(names) == 1 && (names[0] == "" || !st.Several()) {
		return nil, nil
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return nil, fmt.Errorf("needs exactly one group, not %d", len(names))
	}
	known := st.Reported()
	for k, name := range names {
		i := slices.IndexFunc(known, func(outcome string) bool { return name == outcome || name == space.Variable(outcome) })
		if i < 0 {
			return nil, fmt.Errorf("has a group %q, and the study measures nothing of that name", name)
		}
		names[k] = known[i]
	}
	return names, nil
}

// Reported are the names under which a command reports numbers that the study knows: its
// outcomes and the cost.
func (st *Study) Reported() []string {
	known := append(st.Outcomes(), "cost")
	if st.Cost != nil {
		known = append(known, st.Cost.Name)
	}
	return known
}
