package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Every journal that commands made comes out again, whatever was asked in which order and by
// how many at once: queues, batches, deadlines, interrupts, returns, corrections, failures,
// additions, merges of copies, migrations and edited study files, under every scheduler.
func TestJournalsComeOutAgain(t *testing.T) {
	t.Parallel()
	storms, steps, until := uint64(len(ladders)), 15, time.Time{}
	if os.Getenv("BOHIER_SOAK") != "" {
		storms, steps, until = 1<<62, 45, time.Now().Add(5*time.Minute)
	}
	decisions := 0
	for seed := uint64(0); seed < storms && (until.IsZero() || time.Now().Before(until)); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { decisions += replayStorm(t, seed, steps) })
	}
	figure(t, "decisions of storms computed again", decisions)
}

// ladders are parts of study files that decide differently who gets what.
var ladders = []string{
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: asha, resume: true}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: asha, resume: true}\nbudget: {resource: 60}\n",
	"fidelity: {name: epochs, low: 1, high: 9, resume: true}\nbudget: {trials: 14}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: asha, start: low}\nbudget: {resource: 70}\n",
	"fidelity: {name: epochs, low: 1, high: 27, scheduler: stopping}\nbudget: {resource: 200}\n",
	"fidelity: {name: folds, kind: folds, low: 1, high: 5}\n",
	"fidelity: {name: repeats, kind: repeats, low: 1, high: 9}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: asha, resume: true}\npolicy: {without: [fidelity.continue]}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: hyperband}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: median, resume: true}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: none}\n",
	"fidelity: {name: epochs, low: 1, high: 9, scheduler: asha, resume: true}\nconstraints: [g <= 0.5]\n",
	"",
	"constraints: [g <= 0.5]\n",
	"objectives: [{name: f, direction: minimize}, {name: g, direction: minimize}]\n",
}

// replayStorm makes a history of commands and returns how many decisions come out again.
func replayStorm(t *testing.T, seed uint64, steps int) int {
	r := rand.New(rand.NewPCG(seed, 0x5702))
	ladder := ladders[int(seed)%len(ladders)]
	several := strings.Contains(ladder, "objectives")
	direction, drawn := "minimize", seed
	file := func(space string) string {
		objective := "objective: {name: f, direction: " + direction + "}\n"
		if several {
			objective = ""
		}
		return objective + "space: " + space + "\nseed: " + fmt.Sprint(drawn) + "\n" + ladder +
			"initial: {count: 3}\nacquisition: {search: {candidates: 64, starts: 2}}\n"
	}
	const narrow, wide = "{x: {type: float, low: 0, high: 10}, k: [a, b]}",
		"{x: {type: float, low: 0, high: 12}, k: [a, b, c]}"
	dirs := []string{t.TempDir(), t.TempDir()}
	set := func(dir, space string) {
		mustWrite(t, filepath.Join(dir, "bohier.yaml"), file(space))
	}
	set(dirs[0], narrow)
	set(dirs[1], narrow)
	var mu sync.Mutex
	var said []string
	ask := func(dir string, within time.Duration, args ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		code, out, errs := inProcessUnder(ctx, dir, args...)
		mu.Lock()
		defer mu.Unlock()
		said = append(said, fmt.Sprintf("%d  %s  bohier %s  -> %s", code, filepath.Base(dir), strings.Join(args, " "),
			strings.TrimSpace(out+errs)))
		if code == 1 && ctx.Err() == nil || code == 6 {
			t.Errorf("%s", said[len(said)-1])
		}
		return strings.TrimSpace(out)
	}
	if code, _, errs := inProcess(dirs[0], "check"); code != 0 {
		t.Fatalf("%s\n%s", file(narrow), errs)
	}
	journal := "bohier.journal.jsonl"
	copied := false
	levels := strings.Contains(ladder, "fidelity")
	var ids []string
	one := func(r *rand.Rand, dir string) {
		value := "f=" + strconv.FormatFloat(r.Float64(), 'g', 4, 64)
		if several || strings.Contains(ladder, "constraints") {
			value += " g=" + strconv.FormatFloat(r.Float64(), 'g', 3, 64)
		}
		mu.Lock()
		id := "1"
		if len(ids) > 0 {
			id = ids[max(0, len(ids)-1-r.IntN(8))]
		}
		mu.Unlock()
		switch op := r.IntN(32); {
		case op < 11:
			args := []string{"suggest", "-o", "id", "-n", strconv.Itoa(1 + max(0, r.IntN(6)-3))}
			switch r.IntN(12) {
			case 0:
				args = append(args, "--new")
			case 1:
				args = append(args, "--fix", "k=b")
			case 2:
				args = append(args, "--worker", "w")
			case 3:
				args = append(args, "--key", fmt.Sprint("key", r.IntN(5)))
			case 4:
				if levels {
					args = append(args, "--start", []string{"1", "3", "5", "9"}[r.IntN(4)])
				}
			case 5:
				args = append(args, "--deadline", []string{"1ms", "10ms", "30ms"}[r.IntN(3)])
			}
			within := time.Minute
			if r.IntN(12) == 0 { // stopped on the way: a number may stay without a configuration
				within = time.Duration(r.IntN(8)) * time.Millisecond
			}
			got := strings.Fields(ask(dir, within, args...))
			mu.Lock()
			ids = append(ids, got...)
			mu.Unlock()
		case op < 22:
			args := append([]string{"observe", id}, strings.Fields(value)...)
			if levels && r.IntN(3) > 0 {
				args = append(args, "--at", []string{"1", "2", "3", "5", "9"}[r.IntN(5)])
			}
			if levels && r.IntN(3) == 0 {
				args = append(args, "--ask")
			}
			ask(dir, time.Minute, args...)
		case op == 22:
			ask(dir, time.Minute, append([]string{"observe", id, "--replace"}, strings.Fields(value)...)...)
		case op == 23:
			ask(dir, time.Minute, append([]string{"observe", id, "--replicate"}, strings.Fields(value)...)...)
		case op == 24:
			ask(dir, time.Minute, "observe", id, "--fail", []string{"infeasible", "transient"}[r.IntN(2)])
		case op == 25:
			ask(dir, time.Minute, "return", id)
		case op == 26:
			ask(dir, time.Minute, "abandon", id)
		case op == 27, op == 28:
			ask(dir, time.Minute, "enqueue", "x="+strconv.FormatFloat(10*r.Float64(), 'g', 3, 64))
		case op == 29:
			ask(dir, time.Minute, append([]string{"add", "x=" + strconv.FormatFloat(10*r.Float64(), 'g', 3, 64), "k=a"},
				strings.Fields(value)...)...)
		case op == 30 && dir == dirs[0] && copied:
			ask(dir, time.Minute, "journal", "merge", filepath.Join(dirs[1], journal))
		case op == 31 && dir == dirs[0] && !copied:
			if text, err := os.ReadFile(filepath.Join(dir, journal)); err == nil && len(text) > 0 && text[len(text)-1] == '\n' {
				copied = os.WriteFile(filepath.Join(dirs[1], journal), text, 0o600) == nil
			}
		}
	}
	for step := range steps {
		if step == 2*steps/3 && r.IntN(2) == 0 {
			for _, dir := range dirs {
				set(dir, wide)
				ask(dir, time.Minute, "migrate")
			}
		}
		if step == steps/3 && r.IntN(3) == 0 {
			direction, drawn = "maximize", seed+uint64(r.IntN(2)) // an edited file: the next record notes it
			set(dirs[0], narrow)
		}
		var all sync.WaitGroup
		for range 1 + 2*r.IntN(2) {
			own, dir := rand.New(rand.NewPCG(r.Uint64(), 1)), dirs[0]
			if copied && r.IntN(4) == 0 {
				dir = dirs[1]
			}
			all.Go(func() { one(own, dir) })
		}
		all.Wait()
	}
	code, out, errs := inProcessUnder(t.Context(), dirs[0], "journal", "replay", "--verify")
	if code != 0 {
		t.Errorf("%s\n%s\n%d %s\n%s", file(narrow), strings.Join(said, "\n"), code, errs, onlyDifferent(out))
	}
	return strings.Count(out, " same\n")
}

func onlyDifferent(out string) string {
	var kept []string
	for _, l := range strings.Split(out, "\n") {
		if !strings.HasSuffix(l, " same") {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
