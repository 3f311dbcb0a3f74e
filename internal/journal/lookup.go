package journal

import (
	"fmt"
	"strconv"
	"strings"

	"bohier/internal/study"
)

// Trial finds a trial by what a user calls it: a number, "7", or number and tag,
// "7-k3f9". With a tag the result can never be another copy's trial 7. The error
// is a study.Conflict that tells what exists.
func (s *State) Trial(id string) (*study.Trial, error) {
	number, tag, tagged := strings.Cut(strings.TrimSpace(id), "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || tagged && tag == "" || number != strconv.Itoa(n) {
		return nil, study.Errorf(study.Conflict, "A trial is named like 7 or 7-k3f9.", "%q is not a trial", id)
	}
	elsewhere := n > len(s.Trials) || s.Trials[n-1].Tag != tag
	if m := s.ByKey(mergeKey(s.Run, strings.TrimSpace(id))); m != nil && tagged && elsewhere {
		return m, nil
	}
	const stray = "The id comes from another copy of the journal, or from before it was rolled back."
	switch there := n <= len(s.Trials) && s.Trials[n-1].State != study.Reserved; {
	case !there && tagged:
		return nil, study.Errorf(study.Conflict, stray+" "+s.exist(), "there is no trial %s", id)
	case !there:
		return nil, study.Errorf(study.Conflict, s.exist(), "there is no trial %d", n)
	case tagged && s.Trials[n-1].Tag != tag:
		return nil, study.Errorf(study.Conflict, stray, "there is no trial %s; trial %d here is %s", id, n,
			s.Trials[n-1].ID())
	}
	return &s.Trials[n-1], nil
}

// own is the trial that has an id, number and tag, in this journal or in a copy
// merged into it; nil if there is none.
func (s *State) own(id string) *study.Trial {
	if !strings.Contains(id, "-") {
		return nil
	}
	t, err := s.Trial(id)
	if err != nil {
		return nil
	}
	return t
}

// exist says which trials there are.
func (s *State) exist() string {
	shown := 0
	for i := range s.Trials {
		if s.Trials[i].State != study.Reserved {
			shown++
		}
	}
	if shown == 0 {
		return "The journal has no trials yet."
	}
	hint := fmt.Sprintf("The journal has %s, up to %d", study.Count(shown, "trial"), len(s.Trials))
	var ids []string
	for _, t := range s.Pending() {
		if len(ids) == 10 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, t.ID())
	}
	if len(ids) > 0 {
		return hint + "; pending: " + strings.Join(ids, " ") + "."
	}
	return hint + "; none is pending."
}
