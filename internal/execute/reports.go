package execute

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bohier/internal/parallel"
	"bohier/internal/space"
	"bohier/internal/study"
)

// reportLine is the longest line that is a report, in bytes.
const reportLine = 64 << 10

// reports reads the output of the command of one leg while it runs: each line that has the fidelity's name and the
// objective's, as a JSON object or in words as findResult reads them. Reports at levels, and of folds and repeats all,
// are recorded at once; the others wait for the next record.
type reports struct {
	st      *study.Study
	pattern *regexp.Regexp // that finds the resource, too, in place of names; nil: names
	names   *finder
	observe func(t study.Report) (study.Trial, error)
	warn    func(error)
	verdict string                // path of the file that tells the command to end
	end     func(v study.Verdict) // called once, when the trial is to end or has reached its goal

	line  []byte
	cut   bool // the line is too long to be a report
	queue chan string
	read  parallel.Group

	from, to float64
	goal     *study.Report // the report at the goal of the leg, recorded when the command has ended
	curve    waiting       // no record has them yet
	latest   study.Trial   // after the newest record; Number 0: none
	ended    bool          // the leg is over by the recorded reports
	broken   error         // the journal does not take reports

	heard bool // a report came on the way to the goal
}

// newReports makes ready to read the reports of a leg.
func newReports(st *study.Study, t *study.Trial, dir string, observe func(study.Report) (study.Trial, error),
	warn func(error)) *reports {
	r := &reports{st: st, observe: observe, warn: warn, verdict: filepath.Join(dir, "verdict"),
		curve: waiting{f: &st.Fidelity}, queue: make(chan string, 1024)}
	if l := t.Course.Last(); l != nil {
		r.from, r.to = l.From, l.To
	}
	r.names = newFinder(st, st.Fidelity.Name)
	if re := regexp.MustCompile(st.Run.ResultRegex); re.SubexpIndex("at") > 0 && re.SubexpIndex("value") > 0 {
		r.pattern = re
	}
	return r
}

// start begins to read.
func (r *reports) start() {
	r.read.Go(func() {
		for line := range r.queue {
			r.take(line)
		}
	})
}

// Write splits output into lines; it never fails.
func (r *reports) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		i := bytes.IndexAny(b, "\r\n")
		part := b
		if i >= 0 {
			part = b[:i]
		}
		if r.cut = r.cut || len(r.line)+len(part) > reportLine; !r.cut {
			r.line = append(r.line, part...)
		}
		if i < 0 {
			break
		}
		r.flush()
		b = b[i+1:]
	}
	return n, nil
}

// flush ends a line.
func (r *reports) flush() {
	line := space.Name(string(r.line))
	if line != "" && !r.cut && (r.pattern != nil || strings.Contains(line, "{") ||
		strings.Contains(line, r.st.Fidelity.Name)) {
		r.queue <- line
	}
	r.line, r.cut = r.line[:0], false
}

// finish reads the rest of the output after its last writer has ended, and records the goal.
func (r *reports) finish() {
	r.flush()
	close(r.queue)
	r.read.Wait()
	if r.goal != nil && !r.ended && r.broken == nil {
		r.end = func(study.Verdict) {} // it has ended
		r.record(*r.goal)
	}
}

// parse reads a report; ok is false for any other line.
func (r *reports) parse(line string) (t study.Report, ok bool) {
	if r.pattern != nil {
		t, err := matchResult(r.st, line, r.pattern)
		return t, err == nil && t.At != 0
	}
	line = strings.TrimSpace(escape().ReplaceAllString(line, ""))
	object, err := Object([]byte(line))
	switch {
	case errors.Is(err, ErrTwice):
		return t, false
	case err == nil:
		t, err = readPlaced(r.st, object)
		return t, err == nil && t.Failure == "" && t.At != 0
	}
	r.names.read(line, &t)
	t.At, ok = t.Values.Get(r.st.Fidelity.Name)
	t.Values.Delete(r.st.Fidelity.Name)
	_, valued := t.Values.Get(r.st.Objective().Name)
	return t, ok && valued
}

// take brings in one line.
func (r *reports) take(line string) {
	t, ok := r.parse(line)
	if !ok || r.ended || r.broken != nil {
		return
	}
	r.heard = r.heard || t.At < r.to
	f := &r.st.Fidelity
	if !(t.At > 0) || t.At > f.High() {
		r.warn(fmt.Errorf("a report at %s %v is left out: it must be above 0 and at most %v", f.Name, t.At, f.High()))
		return
	}
	if t.At >= r.to && r.to < f.High() && t.At < f.High() {
		// The goal of the leg, but the command may yet have to write its checkpoint:
		// recorded now, the trial could be promoted and run beside it.
		if r.goal == nil {
			r.announce(study.VerdictPause)
		} else { // it went on: the earlier result is a point of its curve
			r.wait(*r.goal)
		}
		r.goal = &t
		return
	}
	if !f.Averaged() && t.At < r.to && !slices.Contains(f.Levels, t.At) && !t.Final {
		r.wait(t)
		return
	}
	if r.goal != nil {
		r.wait(*r.goal)
		r.goal = nil
	}
	r.record(t)
}

// wait keeps a report for the next record: its text for a level, and the value for others.
func (r *reports) wait(t study.Report) {
	o := t.Observation
	if !r.st.Fidelity.Averaged() && !slices.Contains(r.st.Fidelity.Levels, t.At) {
		o = study.Observation{Values: study.Values{{Name: r.st.Objective().Name, Value: t.Values.Of(r.st.Objective().Name)}}}
	}
	r.curve.add(study.Point{Resource: t.At, Observation: o})
}

// record writes a report down and warns the command where it ends the trial.
func (r *reports) record(t study.Report) {
	t.Points, t.First = append(t.Points, r.curve.take(t.At)...), true
	now, err := r.observe(t)
	switch {
	case study.HasCode(err, study.Conflict): // taken up again after a kill: the first value counts
		r.warn(err)
		if n := len(t.Points); n > 0 { // waiters continue without it
			last := t.Points[n-1]
			r.record(study.Report{Observation: last.Observation, At: last.Resource, Points: t.Points[:n-1]})
		}
		return
	case study.HasCode(err, study.Usage): // the result at the end of the command is judged then
		r.warn(fmt.Errorf("a report at %s %v is left out: %w", r.st.Fidelity.Name, t.At, err))
		return
	case err != nil:
		r.broken = err
		return
	}
	r.latest = now
	if now.State == study.Pending {
		return
	}
	r.ended = true
	if now.Course != nil && (now.Course.Verdict.Ends() || now.Course.Verdict == study.VerdictDone) {
		r.announce(now.Course.Verdict)
	}
}

// announce writes the verdict where the command looks for it, and has the command ended.
func (r *reports) announce(v study.Verdict) {
	if err := os.WriteFile(r.verdict+".tmp", []byte(string(v)+"\n"), 0o666); err == nil {
		_ = os.Rename(r.verdict+".tmp", r.verdict) // a command that looks for it gets a signal later
	}
	r.end(v)
}

// part is the final result of the command as a report of the leg: with the points that wait, and at
// the goal of the leg the value of a command that ended before it by itself.
func (r *reports) part(t study.Report) (study.Report, error) {
	f := &r.st.Fidelity
	at := t.At
	if at == 0 && f.Averaged() && r.to-r.from > 1 {
		return t, fmt.Errorf("the result does not name its part of the %s, such as {%q: 4, %q: …}", f.Name, f.Name,
			r.st.Objective().Name)
	}
	if at < 0 || at > f.High() {
		return t, fmt.Errorf("the result is at %s %v, which must be above 0 and at most %v", f.Name, at, f.High())
	}
	t.Points, t.First = r.curve.take(at), true
	if at > 0 && at < r.to && !f.Averaged() { // its own early stopping: the last value counts at the goal
		t.Points = append(t.Points, study.Point{Resource: at, Observation: t.Observation})
		t.At = r.to
	}
	t.At = cmp.Or(t.At, r.to)
	t.Points = slices.DeleteFunc(t.Points, func(p study.Point) bool { return !(p.Resource < t.At) })
	return t, nil
}

// errVerdict is why a command is ended by the verdict on its trial.
var errVerdict = errors.New("the trial ends here")

// curvePoints is about how many points of a curve wait for a record: an hour of logging
// must not become a thousand of them.
const curvePoints = 100

// waiting are the reports of a command that are not recorded yet. Many of them are thinned evenly
// over the resource; reports at levels, ends, and all folds and repeats stay.
type waiting struct {
	f      *study.Fidelity
	points []study.Point
	step   float64 // the least distance between points that may go
}

func (w *waiting) add(p study.Point) {
	if n := len(w.points); n > 1 && w.spare(w.points[n-2], w.points[n-1]) { // the end until now
		w.points = w.points[:n-1]
	}
	w.points = append(w.points, p)
	n := len(w.points)
	if n <= 2*curvePoints {
		return
	}
	w.step = (p.Resource - w.points[0].Resource) / curvePoints
	kept := w.points[:1]
	for _, q := range w.points[1 : n-1] {
		if !w.spare(kept[len(kept)-1], q) {
			kept = append(kept, q)
		}
	}
	w.points = append(kept, p)
}

// spare reports whether a point may go because it is close to the one before it.
func (w *waiting) spare(before, p study.Point) bool {
	return p.Resource-before.Resource < w.step && !w.f.Averaged() && !slices.Contains(w.f.Levels, p.Resource)
}

// take are the points, ascending, less one at a resource that is reported now; of several at
// one resource the first, as the command began anew. None waits any more.
func (w *waiting) take(less float64) []study.Point {
	out := slices.DeleteFunc(w.points, func(p study.Point) bool { return p.Resource == less })
	slices.SortStableFunc(out, func(a, b study.Point) int { return cmp.Compare(a.Resource, b.Resource) })
	w.points, w.step = nil, 0
	return slices.CompactFunc(out, func(a, b study.Point) bool { return a.Resource == b.Resource })
}
