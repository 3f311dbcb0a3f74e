package report

import (
	"fmt"
	"math"
	"strconv"

	"bohier/internal/study"
)

// courseFacts are the columns of a study with a fidelity: how far a trial got, in which leg,
// and from where it is judged.
func courseFacts(st *study.Study) []string {
	if !st.Fidelity.Early() {
		return nil
	}
	return []string{"resource", "leg", "start"}
}

// courseFact is one of them; nil for nothing.
func courseFact(f *study.Fidelity, name string) func(*study.Trial) any {
	return func(t *study.Trial) any {
		if t.Course == nil {
			return nil
		}
		switch name {
		case "resource":
			return f.Resource(t.Course)
		case "leg":
			return float64(t.Course.Leg())
		}
		return t.Course.Start
	}
}

// courseRows say of a trial how far it got, and of folds and repeats the single values
// whose mean counts.
func courseRows(st *study.Study, t *study.Trial) (rows [][]string) {
	f, c := &st.Fidelity, st.Course(t)
	if c == nil {
		return nil
	}
	rows = append(rows, []string{f.Name, fmt.Sprintf("%s of %s", Number(f.Resource(c)), Number(f.High()))})
	if l := c.Last(); l != nil {
		rows = append(rows, []string{"leg", fmt.Sprintf("%d, from %s to %s", c.Leg(), Number(l.From), Number(l.To))})
	}
	if c.Start > 0 {
		rows = append(rows, []string{"judged from", Number(c.Start)})
	}
	if !f.Averaged() || c.Whole {
		return rows
	}
	var values []float64
	for _, p := range c.Points {
		if v, ok := p.Values[st.Objective().Name]; ok {
			values = append(values, v)
			rows = append(rows, []string{"  " + f.Name + " " + Number(p.Resource), Rounded(v)})
		}
	}
	if n := len(values); n > 1 {
		mean, se := meanAndError(values)
		rows = append(rows, []string{"mean of " + strconv.Itoa(n), PlusMinus(mean, se) + " (standard error)"})
	}
	return rows
}

// section shows what levels came to, and the best trials at them.
func (f *FidelityStatus) section(st *study.Study, best []study.Trial) Section {
	sec := Section{Title: "Learning curves", Text: []string{"Trials with a value at each level, those of them that went on, the share of the " + f.Name + " that went to trials which got as far and no further, and the values of the best trials there."}}
	t := Table{Head: []string{f.Name, "trials", "went on", "share"}, Right: []bool{true, true, true, true}}
	for k := range best {
		t.Head, t.Right = append(t.Head, best[k].ID()), append(t.Right, true)
	}
	for k, l := range f.Levels {
		row := []string{Number(l.Resource), strconv.Itoa(l.Entries), strconv.Itoa(l.Promoted), fmt.Sprintf("%.0f %%", 100*l.Share)}
		for i := range best {
			cell := ""
			if o, _, ok := st.Fidelity.Entry(best[i].Course, k); ok {
				cell = Rounded(o.Values[st.Objective().Name])
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	sec.Table = &t
	return sec
}

// meanAndError are the mean of two values or more, and its standard error.
func meanAndError(values []float64) (mean, se float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		se += (v - mean) * (v - mean) / (n * (n - 1))
	}
	return mean, math.Sqrt(se)
}
