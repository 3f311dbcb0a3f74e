package execute

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// Workers say, in a line each, which workers have the pending trials, and whether they live.
// trials is the directory of the trials' files; a worker on another machine, or one that asked
// by hand, is not known to live.
func Workers(trials string, list []study.Trial) (lines []string) {
	l := loop{trials: trials, self: thisProcess(), nonce: "-"} // no worker's
	var workers []string
	having, lives := map[string][]string{}, map[string]string{}
	for k := range list {
		t := &list[k]
		if t.State != study.Pending || t.Waiting || t.Worker == "" {
			continue
		}
		if len(having[t.Worker]) == 0 {
			workers = append(workers, t.Worker)
		}
		having[t.Worker] = append(having[t.Worker], t.ID())
		lives[t.Worker] = map[life]string{alive: "lives", dead: "has ended; the next run takes its trials",
			unknown: "cannot be checked from this machine"}[l.lifeOf(nonceOf(t.Worker))]
	}
	slices.Sort(workers)
	for _, w := range workers {
		lines = append(lines, fmt.Sprintf("%s %s: %s", w, lives[w], strings.Join(having[w], ", ")))
	}
	return lines
}
