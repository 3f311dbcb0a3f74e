package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/pgstore"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A load is what many workers did at once to one journal. Times are in seconds.
type measured struct {
	What    string `json:"what"`  // take, ask, observe or live
	Store   string `json:"store"` // file or database
	Told    int    `json:"told"`
	Pending int    `json:"pending"` // that somebody runs, before
	Workers int    `json:"workers"`

	Wall   float64    `json:"wall"`
	CPU    float64    `json:"cpu"`    // of all workers together, without the server's
	Call   [3]float64 `json:"call"`   // of one worker's call: median, 99 %, longest
	Had    [3]float64 `json:"had"`    // the lock
	Turns  int        `json:"turns"`  // times that the lock was taken
	Read   float64    `json:"read"`   // bytes of each call
	Before int64      `json:"before"` // bytes of the journal
	Length int64      `json:"length"` // and afterwards

	Server *server `json:"server,omitempty"` // of a database
	Lived  *lived  `json:"lived,omitempty"`  // of live
}

type loadKey struct {
	what, store            string
	told, pending, workers int
}

func openLoads(dir string) (*results.File[loadKey, measured], error) {
	return results.Open(filepath.Join(dir, "load.jsonl"), "", func(m measured) loadKey { return loadKey{m.What, m.Store, m.Told, m.Pending, m.Workers} })
}

// mostAsked is how many results a journal has at most of whose surrogate 64 workers ask.
const mostAsked = 2000

// load has workers take trials that wait, ask for new ones, and observe, all at once.
func load(ctx context.Context, o options) error {
	file, err := openLoads(o.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	var tasks []results.Task[loadKey, measured]
	for _, told := range o.sizes {
		for _, store := range []string{"file", "database"} {
			if store == "database" && o.journal == "" {
				continue
			}
			add := func(what string, pending, workers int) {
				key := loadKey{what, store, told, pending, workers}
				tasks = append(tasks, results.Task[loadKey, measured]{Key: key, Run: func(ctx context.Context) (measured, error) { return at(ctx, o, key) }})
			}
			for _, workers := range []int{64, 300, 1000} {
				add("take", 0, workers)
			}
			add("observe", 0, 32)
			for _, pending := range []int{0, 300, 1000} {
				if told <= mostAsked {
					add("ask", pending, 64)
				}
			}
			if told <= mostAsked {
				add("ask", 0, 256)
				add("ask", 0, 1000)
			}
		}
	}
	if o.trials > 0 {
		for _, store := range []string{"file", "database"} {
			if store == "file" || o.journal != "" {
				key := loadKey{"live", store, o.trials, int(o.trial.Seconds()), 1000}
				tasks = append(tasks, results.Task[loadKey, measured]{Key: key, Run: func(ctx context.Context) (measured, error) { return at(ctx, o, key) }})
			}
		}
	}
	if o.only != "" {
		tasks = slices.DeleteFunc(tasks, func(t results.Task[loadKey, measured]) bool {
			return !slices.Contains(strings.Split(o.only, ","), fmt.Sprintf("%s-%s-%d-%d", t.Key.what, t.Key.store, t.Key.pending, t.Key.workers))
		})
	}
	return file.Run(ctx, tasks, 1, func(m measured, n int, _ time.Duration) {
		fmt.Fprintf(os.Stderr, "%d of %d: %+v\n", n, len(tasks), m)
	})
}

// at measures one load.
func at(ctx context.Context, o options, k loadKey) (m measured, err error) {
	dir, err := os.MkdirTemp("", "bohier-workers-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	p, err := problems.Get("cond_layers")
	if err != nil {
		return m, err
	}
	text := p.Study(1, 1<<20)
	if k.what == "live" {
		text = append(text, design...)
	}
	st, found := config.Parse("workers", text, config.Options{})
	if err := found.Err(); err != nil {
		return m, err
	}
	name := fmt.Sprintf("%s-%d-%d-%d-%d", k.what, k.told, k.pending, k.workers, time.Now().UnixNano())
	worker := func() (runner.Session, error) {
		j := journal.Options{Path: filepath.Join(dir, "bohier.journal.jsonl"), Space: runner.JournalSpace(st), Study: config.JSON(st), Seed: st.Seed,
			Memory: &journal.Memory{}, LockTimeout: 10 * time.Minute}
		if k.store == "database" {
			database, _, _ := strings.Cut(o.journal, "#") // each load has a journal of its own
			at, err := pgstore.Parse(database, name, true)
			if err != nil {
				return runner.Session{}, err
			}
			j.Store = at.Open(j.LockTimeout)
		}
		return runner.Session{Study: st, Journal: j}, nil
	}
	first, err := worker()
	if err != nil {
		return m, err
	}
	if k.what != "live" {
		err = prepare(ctx, first, p, k)
	}
	if err != nil {
		return m, err
	}
	if k.store == "database" {
		seen, err := watchServer(o.journal)
		if err != nil {
			return m, err
		}
		defer func() {
			var failed error
			if m.Server, failed = seen(); err == nil {
				err = failed
			}
		}()
	}
	if k.what == "live" {
		slots := k.workers
		if k.store == "database" {
			slots = 20
		}
		return alive(ctx, k, slotsOf(slots, worker))
	}
	return together(ctx, k, worker, filepath.Join(dir, "bohier.journal.jsonl"))
}

// alive measures a crowd: of its calls those that ask.
func alive(ctx context.Context, k loadKey, worker func() (runner.Session, error)) (measured, error) {
	m := measured{What: k.what, Store: k.store, Told: k.told, Pending: k.pending, Workers: k.workers}
	var mu sync.Mutex
	var had []float64
	before, begun := cpuSeconds(), time.Now()
	c, err := live(ctx, k.workers, k.told, time.Duration(k.pending)*time.Second, func() (runner.Session, error) {
		s, err := worker()
		s.Journal.Turn = func(_, got time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			had = append(had, got.Seconds())
		}
		return s, err
	})
	if err != nil {
		return m, err
	}
	m.Wall, m.CPU = time.Since(begun).Seconds(), cpuSeconds()-before
	m.Call, m.Had, m.Turns, m.Lived = quantiles(c.calls), quantiles(had), len(had), &c.out
	return m, nil
}

// prepare fills a journal: results of random configurations, trials that somebody runs,
// and for take and observe one for each worker, which waits or is pending.
func prepare(ctx context.Context, c runner.Session, p *problems.Problem, k loadKey) error {
	rng := rand.New(rand.NewPCG(1, uint64(k.told)))
	confs, err := c.Study.Space.Sample(rng, k.told)
	if err != nil {
		return err
	}
	var added []runner.Added
	for i, conf := range confs {
		v, err := valueAt(p, c.Study.Space, conf)
		if err != nil {
			return err
		}
		added = append(added, runner.Added{Config: conf, ID: fmt.Sprint("a", i),
			Tell: runner.Tell{Observation: study.Observation{Values: map[string]float64{c.Study.Objective().Name: v}}}})
	}
	if _, _, err := c.Add(ctx, added); err != nil {
		return err
	}
	most := k.pending
	if k.what != "ask" {
		most += k.workers
	}
	for most > 0 { // of the queue: nothing is fitted for them
		n := min(most, 100)
		confs, err := c.Study.Space.Sample(rng, n)
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
		most -= n
	}
	if k.what == "take" {
		state, _, err := c.Read(ctx)
		if err != nil {
			return err
		}
		var waiting []study.Trial
		for _, t := range state.Pending()[k.pending:] {
			waiting = append(waiting, *t)
		}
		_, err = c.ReturnAll(ctx, waiting, "")
		return err
	}
	return nil
}

// together has all workers do their part at once.
func together(ctx context.Context, k loadKey, worker func() (runner.Session, error), path string) (measured, error) {
	m := measured{What: k.what, Store: k.store, Told: k.told, Pending: k.pending, Workers: k.workers}
	var mu sync.Mutex
	var had, calls []float64
	var read counter
	sessions := make([]runner.Session, k.workers)
	for i := range sessions {
		c, err := worker()
		if err != nil {
			return m, err
		}
		if _, _, err := c.Read(ctx); err != nil { // it has worked here before
			return m, err
		}
		c.Journal.Turn = func(_, got time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			had = append(had, got.Seconds())
		}
		if c.Journal.Store != nil {
			c.Journal.Store = counting{c.Journal.Store, &read}
		}
		sessions[i] = c
	}
	state, _, err := sessions[0].Read(ctx)
	if err != nil {
		return m, err
	}
	pending := state.Pending()
	length := func() int64 {
		if store := sessions[0].Journal.Store; store != nil {
			chunk, _ := store.(counting).Store.Read(ctx, journal.Pos{})
			return int64(len(chunk.Lines))
		}
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	m.Before = length()
	before, begun, files := cpuSeconds(), time.Now(), fileBytes()
	var group sync.WaitGroup
	var failed error
	for i, c := range sessions {
		group.Go(func() {
			since := time.Now()
			var err error
			switch k.what {
			case "observe":
				for r := range 10 { // ten results of each
					_, _, err = c.Observe(ctx, pending[i].ID(), runner.Tell{Replicate: r > 0, Key: fmt.Sprint(i, "-", r),
						Observation: study.Observation{Values: map[string]float64{c.Study.Objective().Name: float64(r)}}})
				}
			default:
				_, _, err = c.Suggest(ctx, runner.Ask{N: 1, New: k.what == "ask"})
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
	m.Read = float64(fileBytes()-files) / float64(len(calls))
	if k.store == "database" {
		m.Read = float64(read.sum()) / float64(len(calls))
	}
	m.Length = length()
	m.Call, m.Had, m.Turns = quantiles(calls), quantiles(had), len(had)
	return m, failed
}

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

// fileBytes is how much this process has read from files, where the system tells.
func fileBytes() int64 {
	text, _ := os.ReadFile("/proc/self/io")
	_, rest, _ := bytes.Cut(text, []byte("rchar: "))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, _ := strconv.ParseInt(string(line), 10, 64)
	return n
}

// A counter sums up what stores were read.
type counter struct {
	mu sync.Mutex
	n  int64
}

func (c *counter) add(n int)  { c.mu.Lock(); c.n += int64(n); c.mu.Unlock() }
func (c *counter) sum() int64 { c.mu.Lock(); defer c.mu.Unlock(); return c.n }

// counting is a store that counts what is read.
type counting struct {
	journal.Store
	read *counter
}

func (s counting) Read(ctx context.Context, from journal.Pos) (journal.Chunk, error) {
	c, err := s.Store.Read(ctx, from)
	s.read.add(len(c.Lines))
	return c, err
}

func (s counting) Lock(ctx context.Context, timeout time.Duration) (journal.Appender, error) {
	a, err := s.Store.Lock(ctx, timeout)
	if err != nil {
		return nil, err
	}
	return countingTurn{a, s.read}, nil
}

type countingTurn struct {
	journal.Appender
	read *counter
}

func (s countingTurn) Read(ctx context.Context, from journal.Pos) (journal.Chunk, error) {
	c, err := s.Appender.Read(ctx, from)
	s.read.add(len(c.Lines))
	return c, err
}
