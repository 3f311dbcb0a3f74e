package figures

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/study"
)

// A span is when a trial ran, and on which worker.
type span struct {
	t        *study.Trial
	worker   string
	from, to time.Time
}

// Timeline shows when each trial ran, a row for each worker, several where it ran
// trials at once. A trial runs from its suggestion to its result, or for as long as
// was measured before that; a pending one up to the last time that is known.
func Timeline(s Source) plot.Figure {
	spans, without := s.spans()
	f := plot.Figure{Title: s.title("timeline"), Note: "When each trial ran, by worker."}
	if without > 0 {
		f.Note += " " + study.Count(without, "trial") + " without a time left out: they ran elsewhere."
	}
	if len(spans) == 0 {
		return f
	}
	begin := slices.MinFunc(spans, func(a, b span) int { return a.from.Compare(b.from) }).from
	kinds := []plot.Series{{Kind: plot.Rows, Tone: 0, Label: "complete"}, {Kind: plot.Rows, Tone: 1, Label: "failed"},
		{Kind: plot.Rows, Tone: 4, Label: "pending"}, {Kind: plot.Rows, Tone: plot.Grey, Label: "abandoned"}}
	y := plot.Axis{Down: true}
	var free []time.Time // when each of a worker's rows is
	row := 0             // the first of them
	for i, p := range spans {
		if i > 0 && p.worker != spans[i-1].worker {
			free, row = nil, len(y.Names)
		}
		lane := slices.IndexFunc(free, func(t time.Time) bool { return !t.After(p.from) })
		if lane < 0 {
			lane = len(free)
			free = append(free, time.Time{})
			y.Names = append(y.Names, map[bool]string{true: cmp.Or(p.worker, "–")}[lane == 0])
		}
		free[lane] = p.to
		k := map[study.State]int{study.Complete: 0, study.Failed: 1, study.Pending: 2, study.Abandoned: 3}[p.t.State]
		s.add(&kinds[k], p.to.Sub(begin).Seconds(), float64(row+lane), p.t,
			"took "+report.Seconds(p.to.Sub(p.from).Seconds()))
		kinds[k].Low = append(kinds[k].Low, p.from.Sub(begin).Seconds())
	}
	f.Height = 90 + 24*max(len(y.Names), 2)
	f.Panels = []plot.Panel{{
		X: plot.Axis{Label: "since " + begin.UTC().Format("2006-01-02 15:04 UTC"), Time: true, Low: 0,
			High: max(s.Last().Sub(begin).Seconds(), 1)},
		Y: y, Series: drawn(kinds...),
	}}
	return f
}

// Last is the last time that the trials know; zero: they know none.
func (s Source) Last() (last time.Time) {
	for k := range s.Trials {
		for _, text := range []string{s.Trials[k].Suggested, s.Trials[k].ObservedAt} {
			if at := moment(text); at.After(last) {
				last = at
			}
		}
	}
	return last
}

func moment(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// spans are when the trials ran that have times, by worker, and how many trials have none.
func (s Source) spans() (list []span, without int) {
	last := s.Last()
	for k := range s.Trials {
		t := &s.Trials[k]
		from, to := moment(t.Suggested), moment(t.ObservedAt)
		switch {
		case t.State == study.Reserved || t.Waiting:
			continue
		case t.State == study.Pending:
			to = last
		case t.Duration != nil && !to.IsZero():
			from = to.Add(-time.Duration(*t.Duration * float64(time.Second)))
		}
		if from.IsZero() || !to.After(from) { // measured elsewhere
			without++
			continue
		}
		worker, _, _ := strings.Cut(t.Worker, "#") // what follows tells one start of it from the next
		list = append(list, span{t, worker, from, to})
	}
	slices.SortStableFunc(list, func(a, b span) int {
		return cmp.Or(strings.Compare(a.worker, b.worker), a.from.Compare(b.from))
	})
	return list, without
}
