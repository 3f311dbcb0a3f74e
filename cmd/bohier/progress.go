package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"bohier/internal/execute"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/study"
	"bohier/internal/suggest"
	"bohier/internal/text"
)

// progress shows how a run goes: on a terminal one line that is rewritten, with
// -v a message for each step, else one for each trial that ended.
type progress struct {
	log      logger
	out      io.Writer // the terminal; nil: none
	width    int
	study    *study.Study
	told     []*study.Trial // complete ones that count, for the line: the best of one objective
	used     int
	running  int
	luck     bool // the best value may be luck
	started  time.Time
	finished int // since the start
	shown    bool
	ends     bool // only results of trials are reported, and warnings
}

func newProgress(s call, st *study.Study, trials []study.Trial, noisy bool) *progress {
	p := &progress{luck: noisy, log: s.Log, width: s.Width, study: st, started: time.Now()}
	if p.out = s.line(); p.out == nil && p.log.GetLevel() == zerolog.WarnLevel {
		p.log.Logger = p.log.Level(zerolog.InfoLevel)
		p.ends = true
	}
	for i := range trials {
		switch t := &trials[i]; {
		case t.State == study.Complete:
			p.used++
			p.keep(t)
		case t.State == study.Failed && t.Failure == study.Infeasible:
			p.used++
		}
	}
	p.draw()
	return p
}

// event is called for one event after the other.
func (p *progress) event(e execute.Event) {
	t := &e.Trial
	id := "trial " + t.ID()
	p.leave(clearLine)
	switch e.Kind {
	case execute.Started:
		p.running++
		if p.ends {
			return
		}
		if t.Fit != nil {
			p.luck = suggest.MaterialNoise(p.study, nil, t.Fit)
		}
		again := ""
		if e.Again {
			again = " again; it was given back"
		}
		about(p.log.Info(), "started", t).Bool("again", e.Again).Msg(id + " started" + again)
	case execute.Retried:
		about(p.log.Warn(), "retried", t).AnErr("reason", e.Err).
			Msg(fmt.Sprintf("%s failed and is tried again: %v", id, e.Err))
	case execute.Returned:
		p.running--
		about(p.log.Info(), "returned", t).Msg(id + " returned")
	case execute.Warned:
		p.log.warn(e.Err.Error())
	case execute.Recorded:
		p.running--
		p.recorded(id, t, e.Err)
	}
	p.draw()
}

// recorded is the event of a trial that is over, or ended for now.
func (p *progress) recorded(id string, t *study.Trial, failed error) {
	switch {
	case t.State == study.Complete:
		p.used++
		p.finished++
		p.keep(t)
		values := lists.Of(p.study.Goals(), func(name string) string {
			return name + " = " + report.Rounded(t.Values.Of(name))
		})
		about(p.log.Info(), "recorded", t).Str("objective", p.study.Objective().Name).
			Msg(id + ": " + strings.Join(values, ", "))
	case t.State != study.Failed && failed == nil:
		name := p.study.Objective().Name
		about(p.log.Info(), "recorded", t).Msg(fmt.Sprintf("%s %s: %s = %s", id, t.State, name,
			report.Rounded(t.Values.Of(name))))
	default:
		p.finished++
		if t.Failure == study.Infeasible {
			p.used++
		}
		about(p.log.Warn(), "failed", t).AnErr("reason", failed).Msg(fmt.Sprintf("%s failed: %v", id, failed))
	}
}

// about gives a message of run its fields.
func about(e *zerolog.Event, event string, t *study.Trial) *zerolog.Event {
	e = e.Str("event", event).Int("trial", t.Number).Str("id", t.ID()).Str("worker", t.Worker).Str("state",
		string(t.State))
	if len(t.Values) > 0 {
		e = e.Interface("values", t.Values)
	}
	if t.Failure != "" {
		e = e.Str("failure", string(t.Failure))
	}
	if t.Duration != nil {
		e = e.Float64("duration", *t.Duration)
	}
	return e
}

// keep keeps a complete trial for the line, and nothing else of its state.
func (p *progress) keep(t *study.Trial) {
	if p.out != nil && p.study.Counts(t) {
		p.told = append(p.told, new(*t))
	}
}

// result is the best so far in words, where values are noisy the luckiest; nothing without any.
func (p *progress) result() string {
	which := "best "
	if p.luck {
		which = "luckiest "
	}
	if p.study.Several() {
		line := report.FrontLine(p.study.Standing(p.told), p.told)
		if line != "" && p.luck {
			line = which + line
		}
		return line
	}
	name := p.study.Objective().Name
	p.told = p.study.First(p.told, 1)
	for _, t := range p.told {
		return which + name + " " + report.Rounded(t.Values.Of(name))
	}
	return ""
}

// draw writes the line, cut to the terminal.
func (p *progress) draw() {
	if p.out == nil {
		return
	}
	const cells = 24
	line := study.Count(p.used, "trial")
	if budget := p.study.Budget.Trials; budget > 0 {
		full := min(cells, cells*p.used/budget)
		line = fmt.Sprintf("[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat(".", cells-full), p.used, budget)
		if left := budget - p.used; p.finished > 0 && left > 0 {
			rest := time.Since(p.started) / time.Duration(p.finished) * time.Duration(left)
			line += fmt.Sprintf("  %v left", rest.Round(time.Second))
		}
	}
	if p.running > 0 {
		line += fmt.Sprintf("  %d running", p.running)
	}
	if result := p.result(); result != "" {
		line += "  " + result
	}
	line = text.Visible(line)
	if p.width > 1 {
		line = text.Fit(line, p.width-1)
	}
	fmt.Fprint(p.out, clearLine, line)
	p.shown = true
}

// leave ends the line, which makes room for a message; with clearLine nothing is left of it.
func (p *progress) leave(end string) {
	if p.shown {
		fmt.Fprint(p.out, end)
		p.shown = false
	}
}

// clearLine clears the current line of a terminal.
const clearLine = "\r\x1b[K"

// A fit that takes longer than busyAfter says so on a terminal, every busyEvery.
const (
	busyAfter = 400 * time.Millisecond
	busyEvery = time.Second
)

// line is where a line that is rewritten can go; nil: nowhere.
func (s streams) line() io.Writer {
	if s.Terminal && s.env("TERM") != "dumb" && s.Log.GetLevel() < quietLevel {
		return s.Line
	}
	return nil
}

// busy shows a message with the seconds that passed until the function that it
// returns is called, which takes the message away; out may be nil.
func busy(out io.Writer, message string, after, every time.Duration) (done func()) {
	if out == nil {
		return func() {}
	}
	stop, ended, began := make(chan struct{}), make(chan struct{}), time.Now()
	go func() {
		defer close(ended)
		next := time.NewTimer(after)
		defer next.Stop()
		for shown := false; ; shown = true {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(out, clearLine)
				}
				return
			case <-next.C:
				fmt.Fprintf(out, clearLine+"%s … %.0f s", message, time.Since(began).Seconds())
				next.Reset(every)
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
	}
}
