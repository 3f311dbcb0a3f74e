package policy

import (
	"fmt"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// penaltyRule is the rule that acts where trials are sorted. A surrogate of values with a penalty among them learns the
// step to it, and expects the penalty of everything that was tried next to it alone.
const penaltyRule = "failures.penalty"

func penalties(v *View, _ *study.Plan) string {
	if v.Penalised == 0 {
		return ""
	}
	return study.Count(v.Penalised, "trial") + " share the worst value"
}

// PenaltiesFail reports whether trials with a penalty in the place of a value count as infeasible.
func PenaltiesFail(st *study.Study) bool { return alone(st) && !leftOut(st, penaltyRule) }

// WorstOf is the number of values, ascending and to be minimised, that are the worst one; 0 where all are equal. They
// stand for failures, and say nothing of the values near them, if no other value is as frequent and the worst is
// farther from the next one than that is from the best. A cap is no farther away than values are from one another.
func WorstOf(y []float64) (tied int, penalty bool) {
	if len(y) == 0 || y[0] == y[len(y)-1] {
		return 0, false
	}
	worst := y[len(y)-1]
	others, _ := slices.BinarySearch(y, worst)
	tied = len(y) - others
	asFrequent := func(i int) bool { return y[i] == y[i+tied-1] }
	return tied, !lists.Any(max(0, others-tied+1), asFrequent) && y[0] < y[others-1] &&
		worst-y[others-1] > y[others-1]-y[0]
}

// A value that so many trials share, and so large a share of them, is reported.
const (
	fewestTied = 3
	shareTied  = 0.1
)

// WorstTie means that many trials share the worst value of an objective: a penalty, a cap or a value of failed runs
// perhaps, which a surrogate models better as failures. It says whether they count as such, and is empty where none do.
func WorstTie(st *study.Study, trials []study.Trial) string {
	for _, o := range st.Objectives {
		var y []float64
		for k := range trials {
			if v, ok := trials[k].Values.Get(o.Name); ok && trials[k].State == study.Complete && !trials[k].Outside {
				y = append(y, o.Direction.Sign()*v)
			}
		}
		slices.Sort(y)
		tied, fails := WorstOf(y)
		fails = fails && PenaltiesFail(st)
		if !fails && (tied < fewestTied || float64(tied) < shareTied*float64(len(y))) {
			continue
		}
		advice := "; if that means failure, report it as infeasible (observe ID --fail infeasible --replace)"
		if fails {
			advice = ", and count as infeasible; if it is no failure: policy: {without: [" + penaltyRule + "]}"
		}
		return fmt.Sprintf("%d of %s share the worst %s, %.6g%s", tied, study.Count(len(y), "trial"), o.Name,
			o.Direction.Sign()*y[len(y)-1], advice)
	}
	return ""
}
