package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sort"
	"sync"
	"text/tabwriter"
)

// A book collects runs, in memory and in a file.
type book struct {
	mu   sync.Mutex
	runs []*run
	file *os.File // nil: memory only
}

func openBook(path string) (*book, error) {
	b := &book{}
	if path == "" {
		return b, nil
	}
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			r := &run{}
			if err := json.Unmarshal(lines.Bytes(), r); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			b.runs = append(b.runs, r)
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	b.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	return b, err
}

func (b *book) has(problem, variant string, seed uint64, n int) bool {
	return slices.ContainsFunc(b.runs, func(r *run) bool {
		return r.Problem == problem && r.Variant == variant && r.Seed == seed && r.N == n
	})
}

func (b *book) add(r *run) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = append(b.runs, r)
	if b.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = b.file.Write(append(line, '\n'))
	return err
}

// table prints mean and median of the best value at every checkpoint.
func (b *book) table(w io.Writer) error {
	groups := map[[2]string][]*run{}
	for _, r := range b.runs {
		k := [2]string{r.Problem, r.Variant}
		groups[k] = append(groups[k], r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "problem\tvariant\truns\ts/run\t")
	for _, n := range checkpoints {
		fmt.Fprintf(t, "mean@%d\tmedian\t", n)
	}
	fmt.Fprintln(t)
	for _, k := range sortedGroups(groups) {
		g := groups[k]
		seconds := 0.0
		for _, r := range g {
			seconds += r.Seconds / float64(len(g))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.1f\t", k[0], k[1], len(g), seconds)
		for _, n := range checkpoints {
			var at []float64
			for _, r := range g {
				if n <= len(r.Best) {
					at = append(at, r.Best[n-1])
				}
			}
			if len(at) == 0 {
				fmt.Fprint(t, "\t\t")
				continue
			}
			sort.Float64s(at)
			sum := 0.0
			for _, v := range at {
				sum += v / float64(len(at))
			}
			fmt.Fprintf(t, "%.5g\t%.5g\t", sum, (at[(len(at)-1)/2]+at[len(at)/2])/2)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// sortedGroups are the problems and variants in order.
func sortedGroups(groups map[[2]string][]*run) [][2]string {
	keys := slices.Collect(maps.Keys(groups))
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return keys
}
