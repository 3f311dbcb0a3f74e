package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

const full = 52 // epochs

// A leg is a stretch of work that a worker is at, until the clock, in epochs, says end.
type leg struct {
	trial study.Trial
	from  float64
	to    float64
	end   float64
}

// drive runs one study with simulated workers, by epochs as the clock, and notes the best
// value at full resource after every leg, with the units that finished legs have taken.
func drive(st *study.Study, p *problem, r *result, workers int, units float64) error {
	s := runner.Session{Study: st, Journal: journal.Options{
		Path: st.Journal, Space: runner.JournalSpace(st), Study: config.JSON(st), Seed: st.Seed, Memory: &journal.Memory{}}}
	spent, clock := 0.0, 0.0
	var busy []leg
	for spent < units {
		for len(busy) < workers {
			l, ok, err := begin(s, clock)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			busy = append(busy, l)
		}
		if len(busy) == 0 {
			return nil
		}
		first := slices.MinFunc(busy, func(a, b leg) int { return cmp.Compare(a.end, b.end) })
		busy = slices.DeleteFunc(busy, func(l leg) bool { return l.trial.Number == first.trial.Number })
		clock, spent = first.end, spent+first.to-first.from
		v, err := finish(s, p, first)
		if err != nil {
			return err
		}
		r.Trials = max(r.Trials, first.trial.Number)
		if first.to == full && (len(r.Steps) == 0 || v < r.Steps[len(r.Steps)-1][1]) {
			r.Steps = append(r.Steps, [2]float64{spent, v})
		}
	}
	return nil
}

// begin asks for a leg; ok is false where there is nothing until another one ends.
func begin(s runner.Session, clock float64) (l leg, ok bool, err error) {
	got, _, err := s.Suggest(context.Background(), runner.Ask{N: 1})
	var e *study.Error
	if errors.As(err, &e) && (e.Code == study.Exhausted || e.Code == study.NoResult) {
		return l, false, nil
	}
	if err != nil {
		return l, false, err
	}
	l = leg{trial: got[0], to: full}
	if last := l.trial.Course.Last(); last != nil {
		l.from, l.to = last.From, last.To
	}
	l.end = clock + l.to - l.from
	return l, true, nil
}

// finish reports the end of a leg, with the values at the levels on the way that a
// training prints, and returns its last value.
func finish(s runner.Session, p *problem, l leg) (float64, error) {
	at := func(epochs float64) (study.Observation, error) {
		v, err := p.value(values(s.Study.Space, l.trial.Config), epochs)
		return study.Observation{Values: study.Values{{Name: "f", Value: v}}}, err
	}
	var tell study.Report
	var err error
	if tell.Observation, err = at(l.to); err != nil {
		return 0, err
	}
	if l.trial.Course.Last() != nil {
		tell.At = l.to
		for _, level := range s.Study.Fidelity.Levels {
			if level > l.from && level < l.to {
				o, err := at(level)
				if err != nil {
					return 0, err
				}
				tell.Points = append(tell.Points, study.Point{Resource: level, Observation: o})
			}
		}
	}
	_, _, err = s.Observe(context.Background(), l.trial.ID(), tell)
	return tell.Values.Of("f"), err
}

// runMode makes the study of a mode in a directory of its own and runs it.
func runMode(p *problem, r *result, units float64) error {
	dir, err := os.MkdirTemp("", "curves-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := string(p.spec.Study(r.Seed, 1, []string{}...))
	text = strings.Replace(text, "budget: {trials: 1}\n", "", 1)
	mode, keys, _ := strings.Cut(r.Mode, ":")
	mode, several, _ := strings.Cut(mode, "*")
	workers := 1
	if several != "" {
		if workers, err = strconv.Atoi(several); err != nil || workers < 1 {
			return fmt.Errorf("unknown mode %q: *N is a number of workers", r.Mode)
		}
	}
	switch mode {
	case "without":
		text += fmt.Sprintf("budget: {trials: %d}\n", int(units/full))
	case "with":
		if keys != "" {
			keys = ", " + keys
		}
		if !strings.Contains(keys, "low:") && !strings.Contains(keys, "levels:") {
			keys = fmt.Sprintf(", low: 1, high: %d%s", full, keys)
		}
		if !strings.Contains(keys, "resume:") {
			keys += ", resume: true"
		}
		text += fmt.Sprintf("fidelity: {name: epochs%s}\nbudget: {resource: %v}\n", keys, units)
	default:
		return fmt.Errorf("unknown mode %q", r.Mode)
	}
	st, found := config.Parse(filepath.Join(dir, "study.yaml"), []byte(text), config.Options{Check: suggest.Check})
	if err := found.Err(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return drive(st, p, r, workers, units)
}

// values are a configuration as the problem takes it.
func values(sp *space.Space, c space.Configuration) map[string]float64 {
	out := map[string]float64{}
	for i := range sp.Params() {
		if c.Active[i] {
			out[sp.Param(i).Name] = c.Value[i]
		}
	}
	return out
}
