package study

import "fmt"

// A value that so many trials share, and so large a share of them, is reported.
const (
	fewestTied = 3
	shareTied  = 0.1
)

// WorstTie says that many trials share the worst value of an objective: a penalty, a cap or a
// value of failed runs perhaps, which a surrogate models better as failures. It is empty where
// they do not.
func (s *Study) WorstTie(trials []Trial) string {
	for _, o := range s.Objectives {
		if why := worstTie(o, trials); why != "" {
			return why
		}
	}
	return ""
}

func worstTie(o Objective, trials []Trial) string {
	tied, known, worst, other := 0, 0, 0.0, false
	for k := range trials {
		t := &trials[k]
		v, ok := t.Values[o.Name]
		if t.State != Complete || t.Outside || !ok {
			continue
		}
		known++
		switch d := o.Direction.Sign() * (v - worst); {
		case known == 1, d > 0:
			other = other || known > 1
			tied, worst = 1, v
		case d == 0:
			tied++
		default:
			other = true
		}
	}
	if !other || tied < fewestTied || float64(tied) < shareTied*float64(known) {
		return ""
	}
	return fmt.Sprintf("%d of %s share the worst %s, %.6g; if that means failure, report it as infeasible (observe "+
		"--fail infeasible)", tied, Count(known, "trial"), o.Name, worst)
}
