package peers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"bohier/bench/problems"
	"bohier/bench/runs"
	"bohier/internal/space"
)

// Own lists the peers that need no adapter: the program with its default and with lines
// of a study file, and random search.
func Own() []string { return []string{"bohier", "random"} }

// Serve is the adapter of bohier or random, which says that it has the version; lines are lines of bohier's study file
// beside the problem's own.
func Serve(ctx context.Context, name, version, lines string, in io.Reader, out io.Writer) error {
	var task struct {
		Problem *problems.Problem
		Seed    uint64
		N       int
		Noisy   bool
	}
	r := bufio.NewReader(in)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, &task); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, `{"peer":%q,"version":%q,"space":"native"}`+"\n", name, version); err != nil {
		return err
	}
	p := task.Problem.With(func(problems.Point) (float64, error) { return 0, errors.New("the driver evaluates") })
	ask := func(s *space.Space, c space.Configuration) (float64, error) {
		if _, err := fmt.Fprintf(out, "%s\n", s.AppendJSON(nil, c)); err != nil {
			return 0, err
		}
		answer, err := r.ReadString('\n')
		if err != nil {
			return 0, err
		}
		return strconv.ParseFloat(strings.TrimSpace(answer), 64)
	}
	o := runs.Options{Seed: task.Seed, Evaluations: task.N, Lines: lines, Evaluate: ask, Lead: task.Noisy}
	if name == "random" {
		_, err = runs.Random(ctx, p, o)
		return err
	}
	run, err := runs.Optimize(ctx, p, o)
	if err == nil && run.Leader != nil {
		_, err = fmt.Fprintf(out, `{"recommend":%d}`+"\n", run.Leader.Trial)
	}
	return err
}

// Expect is the mean best of ten random points, over 200 sets of them.
func Expect(p *problems.Problem) (Reference, error) {
	const sets = 200
	g, sum := rand.New(rand.NewPCG(10, 10)), 0.0
	for range sets {
		r, err := runs.Random(context.Background(), p, runs.Options{Seed: g.Uint64() >> 1, Evaluations: 10})
		if err != nil {
			return Reference{}, err
		}
		sum += r.Best[9] / sets
	}
	return Reference{p.Name, sum}, nil
}
