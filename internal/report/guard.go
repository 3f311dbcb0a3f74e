package report

import (
	"fmt"
	"strings"

	"bohier/internal/study"
)

// Guard tells of a turn that looks only at what was tried least; null in
// other turns. Part is "branch", the branch in which the conditions of Holds
// hold and those of Fails do not (what they imply is left out), or "values", the configurations with one of
// Values. Tried is the number of trials before it that were in the branch, or
// had each of the values; with Beside only those count that differ from the best
// trial in no other choice. Against is what it had to beat: the best of "all"
// trials, the best of the "branch", or the "median" of all where the branch
// has no trial to beat; null where nothing was, and the score is that of
// feasibility or of a bound. Rival is that best trial, null while its value
// is pending.
type Guard struct {
	Part    string       `json:"part"`
	Holds   []string     `json:"holds"`
	Fails   []string     `json:"fails"`
	Values  []RareValues `json:"values"`
	Tried   int          `json:"tried"`
	Beside  bool         `json:"beside"`
	Against *string      `json:"against"`
	Rival   *Mention     `json:"rival"`
}

// RareValues are the values of a choice that the fewest trials had.
type RareValues struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// say puts a guard's turn into sentences; nothing for nil.
func (g *Guard) say(st *study.Study, say func(string, ...any)) {
	if g == nil {
		return
	}
	before := "not tried before"
	switch {
	case g.Tried == 1:
		before = "tried once before"
	case g.Tried > 1:
		before = fmt.Sprintf("tried %d times before", g.Tried)
	}
	if g.Part == "branch" {
		say("It was a turn to look only at what was tried least: the branch %s, %s.", branchWords(g), before)
	} else {
		var values []string
		for _, v := range g.Values {
			values = append(values, v.Name+" = "+strings.Join(v.Values, ", "))
		}
		each := ""
		if len(g.Values) > 1 || len(g.Values[0].Values) > 1 {
			each = " each"
		}
		where := ""
		if g.Beside {
			where = " beside the best"
			before = strings.Replace(before, "before", "there before", 1)
		}
		say("It was a turn to look only at the rarest values of a choice%s: %s, %s%s.", where, strings.Join(values, "; "), before, each)
	}
	if g.Against == nil {
		return
	}
	switch best := g.Rival; {
	case *g.Against == "all":
		say("It had to beat the best of all trials.")
	case *g.Against == "median":
		say("It had to beat the median of all trials, because that branch had none to beat.")
	case best == nil:
		say("It had to beat what was expected of the pending trials of that branch, not the best of all.")
	default:
		say("It had to beat the best of that branch, %s %s (trial %s), not the best of all.", st.Objective.Name, Rounded(*best.Value), best.ID)
	}
}

// spoken is the number of conditions that are put into words.
const spoken = 6

func branchWords(g *Guard) string {
	switch {
	case len(g.Holds) == 0 && len(g.Fails) == 1:
		return "where not " + g.Fails[0]
	case len(g.Holds) == 0:
		return "where none of these holds: " + conditions(g.Fails, "; ")
	}
	text := "where " + conditions(g.Holds, " and ")
	switch len(g.Fails) {
	case 0:
	case 1:
		text += ", but not " + g.Fails[0]
	default:
		text += ", but none of: " + conditions(g.Fails, "; ")
	}
	return text
}

func conditions(list []string, word string) string {
	if more := len(list) - spoken; more > 0 {
		return strings.Join(list[:spoken], word) + fmt.Sprintf(word+"%d more conditions", more)
	}
	return strings.Join(list, word)
}
