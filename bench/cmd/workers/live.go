package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// lostAfter is how long after its worker died a trial is given to others.
const lostAfter = 3 * time.Minute

// A lived is what came of trials that workers ran for a while, some of whom died.
type lived struct {
	Trials   int     `json:"trials"`   // told
	Killed   int     `json:"killed"`   // workers that died in a trial
	Returned int     `json:"returned"` // trials given back
	Again    int     `json:"again"`    // trials that were begun more than once
	Twice    int     `json:"twice"`    // of which two workers reported
	Lost     int     `json:"lost"`     // acknowledged and not in the journal
	Idle     float64 `json:"idle"`     // share of the workers' time for want of a suggestion
}

// A crowd is workers that take trials of a minute, give or take half: of a hundred one
// dies with its worker and five are given back. Suggestions are those of the design, which
// cost nothing. Of a file the workers are slots of one process, of a database of fifty.
type crowd struct {
	trial, beat time.Duration
	left        chan struct{} // an entry for each trial to be told
	session     func() (runner.Session, error)

	mu    sync.Mutex
	begun map[int]int     // by number
	told  map[string]bool // acknowledged
	calls []float64
	out   lived
	dead  []death
	idle  time.Duration
	spent time.Duration
}

// A death is a trial whose worker died, and when.
type death struct {
	study.Trial
	at time.Time
}

// live has workers work until as many trials are told.
func live(ctx context.Context, workers, trials int, trial time.Duration, session func() (runner.Session, error)) (*crowd, error) {
	c := &crowd{trial: trial, beat: time.Minute, session: session, left: make(chan struct{}, trials), begun: map[int]int{}, told: map[string]bool{}}
	for range trials {
		c.left <- struct{}{}
	}
	close(c.left)
	var group sync.WaitGroup
	errs := make([]error, workers)
	for k := range workers {
		group.Go(func() { errs[k] = c.work(ctx, k) })
	}
	group.Wait()
	first, err := session()
	if err != nil {
		return nil, err
	}
	state, _, err := first.Read(ctx)
	if err != nil {
		return nil, err
	}
	for id := range c.told {
		if t, err := state.Trial(id); err != nil || t.State != study.Complete {
			c.out.Lost++
		}
	}
	for _, n := range c.begun {
		if n > 1 {
			c.out.Again++
		}
	}
	c.out.Trials, c.out.Idle = len(c.told), c.idle.Seconds()/c.spent.Seconds()
	return c, errors.Join(errs...)
}

// work is one worker after the other at one place.
func (c *crowd) work(ctx context.Context, place int) error {
	rng := rand.New(rand.NewPCG(3, uint64(place)))
	s, err := c.session()
	if err != nil {
		return err
	}
	name, beats := fmt.Sprintf("live/%d#0", place), time.Now().Add(time.Duration(rng.Int64N(int64(c.beat))))
	pause := func(d time.Duration) error {
		for end := time.Now().Add(d); time.Until(end) > 0; {
			time.Sleep(min(time.Until(end), max(time.Until(beats), time.Millisecond)))
			if time.Now().Before(beats) {
				continue
			}
			beats = beats.Add(c.beat)
			if err := c.sign(ctx, s, name); err != nil {
				return err
			}
		}
		return nil
	}
	if err := pause(time.Duration(rng.Int64N(int64(c.trial)))); err != nil { // they do not all begin at once
		return err
	}
	for range c.left {
		done := false
		for life := 1; !done; life++ {
			began := time.Now()
			got, _, err := s.Suggest(ctx, runner.Ask{N: 1, Worker: name})
			if err != nil {
				return err
			}
			asked := time.Since(began)
			c.begin(got[0].Number, asked)
			if err := pause(time.Duration((0.5 + rng.Float64()) * float64(c.trial))); err != nil {
				return err
			}
			switch fate := rng.Float64(); {
			case fate < 0.01:
				name = fmt.Sprintf("live/%d#%d", place, life) // another one comes in its place
				c.die(got[0])
			case fate < 0.06:
				if _, err := s.ReturnAll(ctx, got, "terminated"); err != nil {
					return err
				}
				c.count(&c.out.Returned)
			default:
				t, recorded, err := s.Observe(ctx, got[0].ID(), runner.Tell{Observation: study.Observation{Values: map[string]float64{s.Study.Objective().Name: rng.Float64()}}})
				if err != nil && !study.HasCode(err, study.Conflict) {
					return err
				}
				c.tell(t.ID(), recorded && err == nil)
				done = true
			}
			c.live(time.Since(began), asked)
		}
	}
	return nil
}

// sign is a beat, and a look for those of others, whose trials are given back when they
// have been dead for long enough.
func (c *crowd) sign(ctx context.Context, s runner.Session, name string) error {
	if err := s.Beat(ctx, name, uint64(time.Now().UnixNano())); err != nil {
		return err
	}
	if _, err := s.Beats(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	var lost []study.Trial
	for _, d := range c.dead {
		if time.Since(d.at) >= lostAfter {
			lost = append(lost, d.Trial)
		}
	}
	c.mu.Unlock()
	if len(lost) == 0 {
		return nil
	}
	_, err := s.Lose(ctx, lost)
	return err
}

func (c *crowd) count(n *int) { c.mu.Lock(); *n++; c.mu.Unlock() }

func (c *crowd) begin(number int, asked time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun[number]++
	c.calls = append(c.calls, asked.Seconds())
	c.dead = slices.DeleteFunc(c.dead, func(d death) bool { return d.Number == number })
}

// die leaves a trial to others.
func (c *crowd) die(t study.Trial) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dead, c.out.Killed = append(c.dead, death{t, time.Now()}), c.out.Killed+1
}

func (c *crowd) tell(id string, recorded bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !recorded || c.told[id] {
		c.out.Twice++
	}
	c.told[id] = true
}

func (c *crowd) live(spent, idle time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent, c.idle = c.spent+spent, c.idle+idle
}

// design is a line of a study file by which all suggestions are of the design.
const design = "initial: {count: 1000000}\n"

// slotsOf makes sessions of processes with so many slots each: what a process has read, and its
// sessions of a database, serve all of them. (Processes that shared what they read would wait for
// each other's sessions.)
func slotsOf(slots int, worker func() (runner.Session, error)) func() (runner.Session, error) {
	var mu sync.Mutex
	var process runner.Session
	made := 0
	return func() (s runner.Session, err error) {
		mu.Lock()
		defer mu.Unlock()
		if made%slots == 0 {
			if process, err = worker(); err != nil {
				return s, err
			}
			process.Journal.Memory = &journal.Memory{}
		}
		made++
		return process, nil
	}
}
