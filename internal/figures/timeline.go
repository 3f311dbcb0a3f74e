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

// A span is when a trial ran.
type span struct {
	t        *study.Trial
	from, to time.Time
}

// Timeline shows when each trial ran, a row for each worker, several where it ran
// trials at once. A trial runs from its suggestion to its result, or for as long as
// was measured before that; a pending one up to the last time that is known.
func Timeline(s Source) plot.Figure {
	spans, last, without := s.spans()
	f := plot.Figure{Title: s.title("timeline"), Note: "When each trial ran, by worker."}
	if without > 0 {
		f.Note += " " + study.Count(without, "trial") + " without a time left out: they ran elsewhere."
	}
	if len(spans) == 0 {
		return f
	}
	begin := spans[0].from
	byWorker := map[string][]span{}
	var workers []string
	for _, p := range spans {
		worker, _, _ := strings.Cut(p.t.Worker, "#") // what follows tells one start of it from the next
		if byWorker[worker] == nil {
			workers = append(workers, worker)
		}
		byWorker[worker] = append(byWorker[worker], p)
		if p.from.Before(begin) {
			begin = p.from
		}
	}
	slices.Sort(workers)
	kinds := []plot.Series{{Kind: plot.Rows, Tone: 0, Label: "complete"}, {Kind: plot.Rows, Tone: 1, Label: "failed"},
		{Kind: plot.Rows, Tone: 4, Label: "pending"}, {Kind: plot.Rows, Tone: plot.Grey, Label: "abandoned"}}
	y := plot.Axis{Down: true}
	for _, w := range workers {
		var free []time.Time // when each of the worker's rows is
		row := len(y.Names)
		list := byWorker[w]
		slices.SortStableFunc(list, func(a, b span) int { return a.from.Compare(b.from) })
		for _, p := range list {
			lane := slices.IndexFunc(free, func(t time.Time) bool { return !t.After(p.from) })
			if lane < 0 {
				lane = len(free)
				free = append(free, time.Time{})
			}
			free[lane] = p.to
			k := map[study.State]int{study.Complete: 0, study.Failed: 1, study.Pending: 2, study.Abandoned: 3}[p.t.State]
			s.add(&kinds[k], p.to.Sub(begin).Seconds(), float64(row+lane), p.t,
				"took "+report.Seconds(p.to.Sub(p.from).Seconds()))
			kinds[k].Low = append(kinds[k].Low, p.from.Sub(begin).Seconds())
		}
		y.Names = append(y.Names, cmp.Or(w, "–"))
		for len(y.Names) < row+len(free) {
			y.Names = append(y.Names, "")
		}
	}
	p := plot.Panel{
		X: plot.Axis{Label: "since " + begin.UTC().Format("2006-01-02 15:04 UTC"), Time: true, Low: 0,
			High: max(last.Sub(begin).Seconds(), 1)},
		Y: y, Series: drawn(kinds...),
	}
	f.Height = 90 + 24*max(len(y.Names), 2)
	f.Panels = []plot.Panel{p}
	return f
}

// spans are when the trials ran that have times, the last time there is, and how
// many trials have none.
func (s Source) spans() (list []span, last time.Time, without int) {
	parse := func(text string) time.Time {
		t, _ := time.Parse(time.RFC3339, text)
		return t
	}
	for k := range s.Trials {
		t := &s.Trials[k]
		for _, at := range []time.Time{parse(t.Suggested), parse(t.ObservedAt)} {
			if at.After(last) {
				last = at
			}
		}
	}
	for k := range s.Trials {
		t := &s.Trials[k]
		from, to := parse(t.Suggested), parse(t.ObservedAt)
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
		list = append(list, span{t, from, to})
	}
	return list, last, without
}
