package study

import (
	"fmt"
	"regexp"
	"slices"
)

// ResultGroups are the names of the groups with which a pattern finds outcomes, or the cost,
// by their names; none where its only group is the whole result. The error says what is wrong
// with the groups.
func (st *Study) ResultGroups(re *regexp.Regexp) ([]string, error) {
	names := re.SubexpNames()[1:]
	if len(names) == 1 && (names[0] == "" || !st.Several()) {
		return nil, nil
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return nil, fmt.Errorf("needs exactly one group, not %d", len(names))
	}
	known := st.Reported()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("has a group %q, and the study measures nothing of that name", name)
		}
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
