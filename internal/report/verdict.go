package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// Verdict describes the study's state in sentences: the used budget, the results, the latest improvement, the failures.
func (s Summary) Verdict(st *study.Study, trials []study.Trial) []string {
	return sentences("verdict", verdict{s, st, trials})
}

// verdict is a summary with the data of its words.
type verdict struct {
	Summary
	study  *study.Study
	Trials []study.Trial
}

// Reached is the target that the best trial reaches; nil: none.
func (s verdict) Reached() *float64 {
	best, ob := s.Status.Best, s.study.Objective()
	if best == nil || ob.Target == nil || best.Way != "" || !best.reaches(ob) {
		return nil
	}
	return ob.Target
}

// Newest is the trial that the front grew with last.
func (s verdict) Newest() int {
	return slices.MaxFunc(s.Status.Front, func(a, b Trial) int { return a.Trial - b.Trial }).Trial
}

// Since is the number of complete trials after one.
func (s verdict) Since(number int) int {
	complete := study.In(study.Complete, s.Trials)
	return len(lists.Only(complete, func(t *study.Trial) bool { return t.Number > number }))
}

// Found is the last improvement; nil: none.
func (s verdict) Found() *Step {
	if len(s.Progress) == 0 {
		return nil
	}
	return &s.Progress[len(s.Progress)-1]
}

// Coupled reports whether constraints tie parameters together.
func (s verdict) Coupled() bool { return s.study.Space.Coupled() }

// Failed is the number of trials that gave no value.
func (s verdict) Failed() int { return s.Failures.Infeasible + s.Failures.Transient }

// surely is how many standard deviations beyond the target the mean of a leader has to be,
// so that the target is reached with probability 0.9.
const surely = 1.2816

// reaches reports whether the best trial is as good as the objective's target.
func (t *Trial) reaches(ob study.Objective) bool {
	e := t.trusted(ob.Name)
	return ob.Direction.Sign()*(e.Mean-*ob.Target)+surely*e.Std <= 0
}

// Gain compares the best value with the median of the initial design.
func (s verdict) Gain() string {
	var first []float64
	for k := range s.Trials {
		if t := &s.Trials[k]; t.State == study.Complete && t.Source == "design" && s.study.Measured(t) {
			first = append(first, t.Values.Of(s.Objective))
		}
	}
	if len(first) < 3 {
		return ""
	}
	slices.Sort(first)
	median, best := first[len(first)/2], s.Status.Best.Values.Of(s.Objective)
	ratio := best / median
	switch {
	case !(median > 0 && best > 0) || math.IsInf(ratio, 0):
		return fmt.Sprintf("The median of the initial design was %s.", Rounded(median))
	case ratio < 1:
		return fmt.Sprintf("%.3g %% below the median of the initial design, %s.", 100*(1-ratio), Brief(median))
	case ratio >= 3:
		return fmt.Sprintf("%.3g times the median of the initial design, %s.", ratio, Brief(median))
	}
	return fmt.Sprintf("%.3g %% above the median of the initial design, %s.", 100*(ratio-1), Brief(median))
}

type (
	// Gate compares the best trial of a study, as it was recorded and as it is measured
	// now, with a baseline. Worse is that of the last that was compared.
	Gate struct {
		Schema    string  `json:"schema"`
		OK        bool    `json:"ok"` // no worse than the margin allows
		Study     string  `json:"study"`
		Objective string  `json:"objective"`
		Direction string  `json:"direction"`
		Best      Quality `json:"best"`
		// The best trial measured again: the mean, the values, and whether their means
		// violate a constraint. Absent where the recorded value is worse already.
		Now      *Quality  `json:"now,omitempty"`
		Measured []float64 `json:"measured,omitempty"`
		Violates bool      `json:"violates,omitempty"`
		Baseline Quality   `json:"baseline"`
		Worse    float64   `json:"worse"` // by how much, in units of the objective; negative: better
		Margin   float64   `json:"margin"`
	}

	// Quality is how good a trial is.
	Quality struct {
		Trial  string   `json:"id"`
		Value  float64  `json:"value"`
		Stderr *float64 `json:"stderr,omitempty"`
	}
)

// Text is the answer in one line.
func (g *Gate) Text() string { return strings.Join(sentences("gate", g), "") }

// Difference is how much worse or better the best is than the baseline.
func (g *Gate) Difference() string {
	if g.Worse < 0 {
		return "better by " + Rounded(-g.Worse)
	}
	return "worse by " + Rounded(g.Worse)
}

// Text is the value, with its standard error where one is known.
func (q Quality) Text() string {
	if q.Stderr == nil {
		return Rounded(q.Value)
	}
	return PlusMinus(q.Value, *q.Stderr)
}

// JUnit is a report of one test case.
func (g *Gate) JUnit() []byte { return []byte(passage("junit", g)) }

// GitHub is an annotation in the form of GitHub's workflow commands.
func (g *Gate) GitHub(file string, line int) []byte {
	kind := "notice"
	if !g.OK {
		kind = "error"
	}
	return Annotation(kind, file, fmt.Sprintf("line=%d,title=bohier gate", line), g.Text())
}

// Annotation is the text that GitHub Actions shows beside the place of a file.
func Annotation(kind, file, place, text string) []byte {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	file = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data.Replace(file))
	return fmt.Appendf(nil, "::%s file=%s,%s::%s\n", kind, file, place, data.Replace(text))
}
