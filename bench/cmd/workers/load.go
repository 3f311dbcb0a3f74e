package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"bohier/bench/problems"
	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/pgstore"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A load is what many workers do at once to one journal.
type load struct {
	What    string `json:"what"`  // take, ask or observe
	Store   string `json:"store"` // file or database
	Told    int    `json:"told"`
	Pending int    `json:"pending"` // that somebody runs, before
	Workers int    `json:"workers"`
}

// A measured load; times are in seconds.
type measured struct {
	load
	Wall float64    `json:"wall"`
	CPU  float64    `json:"cpu"`  // of all workers together, without the server's
	Call [3]float64 `json:"call"` // of one worker's call: median, 99 %, longest
	Had  [3]float64 `json:"had"`  // the lock
}

// run measures a load on a journal of its own.
func (k load) run(ctx context.Context, o options) (m measured, err error) {
	dir, err := os.MkdirTemp("", "bohier-workers-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	p, err := problems.Get("cond_layers")
	if err != nil {
		return m, err
	}
	st, found := config.Parse("workers", p.Study(1, 1<<20), config.Options{})
	if err := found.Err(); err != nil {
		return m, err
	}
	name := fmt.Sprintf("%s-%d-%d-%d-%d", k.What, k.Told, k.Pending, k.Workers, time.Now().UnixNano())
	worker := func() (runner.Session, error) {
		j := journal.Options{Path: filepath.Join(dir, "bohier.journal.jsonl"), Space: runner.JournalSpace(st),
			Study: config.JSON(st),
			Seed:  st.Seed, Memory: &journal.Memory{}, LockTimeout: 10 * time.Minute}
		if k.Store == "database" {
			database, _, _ := strings.Cut(o.journal, "#")
			at, err := pgstore.Parse(database, name, true)
			if err != nil {
				return runner.Session{}, err
			}
			j.Store = at.Open(j.LockTimeout)
		}
		return runner.Session{Study: st, Journal: j}, nil
	}
	first, err := worker()
	if err == nil {
		err = k.prepare(ctx, first, p)
	}
	if err != nil {
		return m, err
	}
	return k.together(ctx, worker)
}

// prepare fills a journal: results of random configurations, trials that somebody runs,
// and for take and observe one for each worker, which waits or is pending.
func (k load) prepare(ctx context.Context, c runner.Session, p *problems.Problem) error {
	confs, err := c.Study.Space.Sample(rand.New(rand.NewPCG(1, uint64(k.Told))), k.Told)
	if err != nil {
		return err
	}
	var added []study.Addition
	for i, conf := range confs {
		v, err := valueAt(p, c.Study.Space, conf)
		if err != nil {
			return err
		}
		added = append(added, study.Addition{Config: conf, ID: fmt.Sprint("a", i), Report: k.tell(c, v)})
	}
	if err := c.Add(ctx, len(added), runner.Each(added), nil); err != nil {
		return err
	}
	most := k.Pending
	if k.What != "ask" {
		most += k.Workers
	}
	for ; most > 0; most -= 100 { // from the queue: nothing is fitted for them
		n := min(most, 100)
		confs, err := c.Study.Space.Sample(rand.New(rand.NewPCG(2, uint64(most))), n)
		if err != nil {
			return err
		}
		for _, conf := range confs {
			if _, _, _, err := c.Enqueue(ctx, conf.Assignment(), "", 0); err != nil {
				return err
			}
		}
		if _, _, err := c.Suggest(ctx, runner.Ask{N: n, New: true}); err != nil {
			return err
		}
	}
	if k.What != "take" {
		return nil
	}
	state, _, err := c.Read(ctx)
	if err != nil {
		return err
	}
	var waiting []study.Trial
	for _, t := range state.Pending()[k.Pending:] {
		waiting = append(waiting, *t)
	}
	_, err = c.ReturnAll(ctx, waiting, "")
	return err
}

// tell is a result of the objective.
func (load) tell(c runner.Session, v float64) study.Report {
	return study.Report{Observation: study.Observation{Values: study.Values{{Name: c.Study.Objective().Name, Value: v}}}}
}

// together has all workers do their part at once.
func (k load) together(ctx context.Context, worker func() (runner.Session, error)) (measured, error) {
	m := measured{load: k}
	var mu sync.Mutex
	var had, calls []float64
	sessions := make([]runner.Session, k.Workers)
	for i := range sessions {
		c, err := worker()
		if err != nil {
			return m, err
		}
		if _, _, err := c.Read(ctx); err != nil { // it has worked here before
			return m, err
		}
		c.Journal.Locked = func(got time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			had = append(had, got.Seconds())
		}
		sessions[i] = c
	}
	state, _, err := sessions[0].Read(ctx)
	if err != nil {
		return m, err
	}
	pending := state.Pending()
	before, begun := cpuSeconds(), time.Now()
	var group sync.WaitGroup
	var failed error
	for i, c := range sessions {
		group.Go(func() {
			since := time.Now()
			var err error
			if k.What == "observe" {
				for r := range 10 { // ten results of each
					tell := k.tell(c, float64(r))
					tell.Mode, tell.Key = []study.Mode{study.Once, study.Replicate}[min(r, 1)], fmt.Sprint(i, "-", r)
					_, _, err = c.Observe(ctx, pending[i].ID(), tell)
				}
			} else {
				_, _, err = c.Suggest(ctx, runner.Ask{N: 1, New: k.What == "ask"})
			}
			mu.Lock()
			defer mu.Unlock()
			calls = append(calls, time.Since(since).Seconds())
			if err != nil {
				failed = fmt.Errorf("worker %d: %w", i, err)
			}
		})
	}
	group.Wait()
	m.Wall, m.CPU = time.Since(begun).Seconds(), cpuSeconds()-before
	m.Call, m.Had = quantiles(calls), quantiles(had)
	return m, failed
}

// quantiles are the median, the 99 % quantile and the largest value.
func quantiles(x []float64) (q [3]float64) {
	if slices.Sort(x); len(x) > 0 {
		q = [3]float64{x[len(x)/2], x[min(len(x)-1, len(x)*99/100)], x[len(x)-1]}
	}
	return q
}

func valueAt(p *problems.Problem, s *space.Space, c space.Configuration) (float64, error) {
	var x map[string]any
	if err := json.Unmarshal(s.AppendJSON(nil, c), &x); err != nil {
		return 0, err
	}
	return p.Eval(x)
}
