package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

const full = 52 // epochs

// trace is where every leg is told; nil: nowhere.
var trace io.Writer

// drive runs one study with one worker and notes the best value at full resource
// after every leg, with the units that legs have taken.
func drive(st *study.Study, p *problem, r *result, units float64) error {
	ctx := context.Background()
	s := runner.Session{Study: st, Journal: journal.Options{
		Path: st.Journal, Space: runner.JournalSpace(st), Study: config.JSON(st), Seed: st.Seed, Memory: &journal.Memory{}}}
	spent, best := 0.0, 0.0
	for {
		got, _, err := s.Suggest(ctx, runner.Ask{N: 1})
		var e *study.Error
		if errors.As(err, &e) && (e.Code == study.Exhausted || e.Code == study.NoResult) {
			return nil
		}
		if err != nil {
			return err
		}
		t := got[0]
		at := float64(full)
		var tell runner.Tell
		if l := t.Course.Last(); l != nil {
			at, tell.At = l.To, l.To
			spent += l.To - l.From
		} else {
			spent += full
		}
		v, err := p.value(values(st.Space, t.Config), at)
		if err != nil {
			return err
		}
		tell.Observation = study.Observation{Values: map[string]float64{"f": v}}
		if l := t.Course.Last(); l != nil { // a training prints its values on the way
			for _, level := range st.Fidelity.Levels {
				if level <= l.From || level >= at {
					continue
				}
				w, err := p.value(values(st.Space, t.Config), level)
				if err != nil {
					return err
				}
				tell.Points = append(tell.Points, study.Point{Resource: level, Observation: study.Observation{Values: map[string]float64{"f": w}}})
			}
		}
		if _, _, err := s.Observe(ctx, t.ID(), tell); err != nil {
			return err
		}
		if trace != nil {
			leg, start := "", 0.0
			if l := t.Course.Last(); l != nil {
				leg, start = fmt.Sprintf("leg %d from %v to %v", t.Course.Leg(), l.From, l.To), t.Course.Start
			}
			fmt.Fprintf(trace, "%s seed %d, %v units: trial %d, start %v, %s %s: %.5g at", r.Problem, r.Seed, spent, t.Number, start, t.Source, leg, v)
			for _, p := range tell.Points {
				fmt.Fprintf(trace, " %v: %.5g", p.Resource, p.Values["f"])
			}
			fmt.Fprintln(trace)
		}
		r.Trials = max(r.Trials, t.Number)
		if at == full && (len(r.Steps) == 0 || v < best) {
			best = v
			r.Steps = append(r.Steps, [2]float64{spent, v})
		}
		if spent >= units {
			return nil
		}
	}
}

// memory is a directory in memory; empty: there is none.
func memory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// runMode makes the study of a mode in a directory of its own and runs it.
func runMode(p *problem, r *result, units float64) error {
	dir, err := os.MkdirTemp(memory(), "curves-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := string(p.spec.Study(r.Seed, 1, []string{}...))
	text = strings.Replace(text, "budget: {trials: 1}\n", "", 1)
	mode, keys, _ := strings.Cut(r.Mode, ":")
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
	st, found := config.Parse(filepath.Join(dir, "study.yaml"), []byte(text), config.Options{
		Kernels: nil, Kernel: policy.CheckKernel, Hyper: policy.CheckHyper, Acquisition: policy.CheckAcquisition,
	})
	if err := found.Err(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return drive(st, p, r, units)
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
