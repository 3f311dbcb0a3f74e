// Package runs optimizes the benchmark problems in memory, each run a study whose
// trials are told as soon as they are suggested.
package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"bohier/bench/problems"
	"bohier/internal/config"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

var objective = regexp.MustCompile(`(?m)^objective:.*\n`)

// A Run is one optimization.
type Run struct {
	Problem string    `json:"problem"`
	Variant string    `json:"variant"`
	Seed    uint64    `json:"seed"`
	N       int       `json:"n"`
	Best    []float64 `json:"best"` // best so far after every evaluation
	// Branch says after every evaluation whether the best so far is in the branch of the
	// optimum on record; none where the space has one branch or the problem no record.
	Branch  []bool  `json:"branch,omitempty"`
	Seconds float64 `json:"seconds"`
	Source  string  `json:"fallbacks,omitempty"`
	Leader  *Leader `json:"leader,omitempty"` // with -noise
}

// Options say how a problem is run.
type Options struct {
	Seed        uint64
	Evaluations int
	// Lines are lines of the study file beside the problem's own.
	Lines string
	// Initial is the section of the study file on initial points, where it is given.
	Initial string
	// Noise is the standard deviation of normal noise on the values that the study is
	// told, 0 for the problem's own; a run with noise has a Leader.
	Noise float64
	// Lead finds the leader although no noise is added: Evaluate does.
	Lead bool
	// Evaluate works out values instead of the problem; nil: the problem's function.
	Evaluate func(*space.Space, space.Configuration) (float64, error)
	// Workers is how many trials are under way at once; 0: one. Each takes a time of its
	// own, 60 s give or take 50 %, and is told when it ends; Best is by that order.
	Workers int
}

// Optimize runs a study in memory.
func Optimize(ctx context.Context, p *problems.Problem, o Options) (*Run, error) {
	data := p.Study(o.Seed, o.Evaluations)
	if strings.HasPrefix(o.Lines, "objective:") { // instead of the problem's own
		data = objective.ReplaceAll(data, nil)
	}
	data = append(data, o.Lines...)
	st, err := parse(p.Name, append(data[:len(data):len(data)], o.Initial...))
	if err != nil {
		return nil, err
	}
	noise := cmp.Or(o.Noise, p.Noise)
	r := &Run{Problem: p.Name, Seed: o.Seed, N: o.Evaluations}
	began := time.Now()
	var trials []study.Trial
	var warm *study.FitRecord
	var truth []float64
	var front [][]float64 // values of two objectives
	fallbacks := map[string]int{}
	var running queue
	for told := 0; told < o.Evaluations; {
		k := len(trials) + 1
		drain := len(running) > 0 && (k > o.Evaluations || len(running) >= o.Workers)
		if drain {
			e := running.next()
			t := &trials[e.number-1]
			t.State = study.Complete
			t.Values = study.Values{{Name: st.Objective().Name, Value: noisy(e.value, noise, o.Seed, e.number)}}
			best := e.value
			if p.Front != nil {
				second, err := p.Second(e.x)
				if err != nil {
					return nil, err
				}
				t.Values.Set(st.Objectives[1].Name, second)
				front = append(front, []float64{e.value, second})
				best = p.Front.Missing(front)
			}
			if len(p.Optimum.At) > 0 && len(st.Space.Branches()) > 1 {
				r.place(e.value, e.x, p.Optimum.At)
			}
			truth[e.number-1] = e.value
			r.Tell(best)
			told++
			continue
		}
		s, err := suggest.Next(ctx, st, trials, suggest.Request{Number: k, Seed: o.Seed, Warm: warm})
		if study.HasCode(err, study.Exhausted) && len(running) == 0 {
			break // a finite space: nothing new is left
		}
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(s.Source, "fallback") {
			fallbacks[s.Source]++
		}
		if s.Fit != nil {
			warm = s.Fit
		}
		y, x, err := o.evaluate(p, st.Space, s.Config)
		if err != nil {
			return nil, err
		}
		trials = append(trials, study.Trial{Number: k, State: study.Pending, Config: s.Config, Source: s.Source})
		truth = append(truth, math.NaN())
		running.add(ending{number: k, value: y, x: x}, o.Seed)
	}
	if noise > 0 || o.Lead {
		if r.Leader, err = lead(ctx, st, trials, warm, o.Seed, truth); err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	if len(fallbacks) > 0 {
		r.Source = fmt.Sprint(fallbacks)
	}
	return r, nil
}

func parse(name string, data []byte) (*study.Study, error) {
	st, report := config.Parse(name, data, config.Options{})
	return st, report.Err()
}

// Tell adds a value.
func (r *Run) Tell(y float64) {
	if k := len(r.Best); k > 0 {
		y = min(y, r.Best[k-1])
	}
	r.Best = append(r.Best, y)
}

// place notes whether the best so far, x with its value y if that is lower, has the same
// active parameters as the optimum.
func (r *Run) place(y float64, x, optimum map[string]any) {
	if k := len(r.Best); k > 0 && r.Best[k-1] <= y {
		r.Branch = append(r.Branch, r.Branch[k-1])
		return
	}
	same := len(x) == len(optimum)
	for name := range x {
		_, active := optimum[name]
		same = same && active
	}
	r.Branch = append(r.Branch, same)
}

// evaluate is the value of a configuration, and that as names and values.
func (o Options) evaluate(p *problems.Problem, s *space.Space, c space.Configuration) (float64, map[string]any, error) {
	var x map[string]any
	if err := json.Unmarshal(s.AppendJSON(nil, c), &x); err != nil {
		return 0, nil, err
	}
	if o.Evaluate != nil {
		y, err := o.Evaluate(s, c)
		return y, x, err
	}
	y, err := p.Eval(x)
	return y, x, err
}
