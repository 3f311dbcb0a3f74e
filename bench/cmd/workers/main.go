// Workers measures what many workers on one journal cost:
//
//	workers -o DIR [-journal postgres://…]
//
// 64 to 1,000 workers take trials, ask for suggestions and record results, all at once, on a
// journal in a file and, with -journal, on one in PostgreSQL. It prints a table. What DIR has
// already is not measured again. What more trials at once cost in quality, arena -at-once tells.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/bench/results"
)

type options struct {
	dir, journal string
	only         string // WHAT-STORE-PENDING-WORKERS, separated by commas
	sizes        []int  // numbers of results that the journal has before
}

func main() {
	var o options
	flag.StringVar(&o.dir, "o", "workers", "`directory` of results")
	flag.StringVar(&o.journal, "journal", "", "a `location` in PostgreSQL, beside a file")
	flag.StringVar(&o.only, "only", "", "comma-separated WHAT-STORE-PENDING-WORKERS, such as ask-database-0-64")
	told := flag.String("told", "300", "results that the journal has, comma-separated")
	flag.Parse()
	err := os.MkdirAll(o.dir, 0o777)
	for text := range strings.SplitSeq(*told, ",") {
		size, bad := strconv.Atoi(text)
		err = cmp.Or(err, bad)
		o.sizes = append(o.sizes, size)
	}
	if err == nil {
		err = measure(context.Background(), o, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "workers:", err)
		os.Exit(1)
	}
}

// measure measures what the directory does not have yet, and prints all it has.
func measure(ctx context.Context, o options, out io.Writer) error {
	file, err := results.Open(filepath.Join(o.dir, "load.jsonl"), "", func(m measured) load { return m.load })
	if err != nil {
		return err
	}
	defer file.Close()
	tasks := tasks(o)
	err = file.Run(ctx, tasks, 1, func(m measured, n int, _ time.Duration) {
		fmt.Fprintf(os.Stderr, "%d of %d: %+v\n", n, len(tasks), m)
	})
	if err != nil {
		return err
	}
	list := slices.SortedStableFunc(slices.Values(file.Results), func(a, b measured) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Store, b.Store), cmp.Compare(a.Told, b.Told),
			cmp.Compare(a.Pending, b.Pending), cmp.Compare(a.Workers, b.Workers))
	})
	fmt.Fprint(out, "| what | journal | told | pending | workers | call s: median | 99 % | longest | "+
		"lock had ms: median | 99 % | CPU s of all |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range list {
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %.3g | %.3g | %.3g | %.2g | %.2g | %.3g |\n", m.What, m.Store, m.Told,
			m.Pending, m.Workers, m.Call[0], m.Call[1], m.Call[2], 1e3*m.Had[0], 1e3*m.Had[1], m.CPU)
	}
	return nil
}

// mostAsked is the largest number of results of a journal that workers ask for suggestions.
const mostAsked = 2000

// tasks are the loads for every size of the journal, in a file and in a database.
func tasks(o options) (out []results.Task[load, measured]) {
	stores := []string{"file"}
	if o.journal != "" {
		stores = append(stores, "database")
	}
	for _, told := range o.sizes {
		for _, store := range stores {
			list := []load{
				{"take", store, told, 0, 64}, {"take", store, told, 0, 300}, {"take", store, told, 0, 1000},
				{"observe", store, told, 0, 32},
			}
			if told <= mostAsked {
				list = append(list, load{"ask", store, told, 0, 64}, load{"ask", store, told, 300, 64},
					load{"ask", store, told, 1000, 64},
					load{"ask", store, told, 0, 256}, load{"ask", store, told, 0, 1000})
			}
			for _, l := range list {
				name := fmt.Sprintf("%s-%s-%d-%d", l.What, l.Store, l.Pending, l.Workers)
				if o.only == "" || slices.Contains(strings.Split(o.only, ","), name) {
					out = append(out, results.Task[load, measured]{Key: l, Run: func(ctx context.Context) (measured, error) {
						return l.run(ctx, o)
					}})
				}
			}
		}
	}
	return out
}
