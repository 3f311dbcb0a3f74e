package execute

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"bohier/internal/space"
	"bohier/internal/study"
)

// resource is a resource as text for the command.
func resource(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// legEnvironment is what the command of a leg finds in its environment.
func (c *command) legEnvironment(t *study.Trial, dir string) []string {
	f := &c.st.Fidelity
	l := c.st.Course(t).Last()
	if l == nil {
		return nil
	}
	from := 0.0
	if f.Resume || f.Averaged() {
		from = l.From
	}
	return []string{
		space.EnvVariable(f.Name) + "=" + resource(l.To),
		"BOHIER_FROM=" + resource(from), "BOHIER_LEG=" + strconv.Itoa(t.Course.Leg()),
		"BOHIER_CHECKPOINT=" + filepath.Join(dir, "checkpoint"), "BOHIER_VERDICT=" + filepath.Join(dir, "verdict"),
	}
}

// legLookup gives placeholders the resource of a leg beside the parameters.
func (c *command) legLookup(t *study.Trial, of func(string) (string, bool)) func(string) (string, bool) {
	f := &c.st.Fidelity
	l := c.st.Course(t).Last()
	if l == nil {
		return of
	}
	return func(name string) (string, bool) {
		switch name {
		case f.Name:
			return resource(l.To), true
		case study.ResumeFrom:
			if f.Resume || f.Averaged() {
				return resource(l.From), true
			}
			return "0", true
		}
		return of(name)
	}
}

// prune removes the checkpoints of trials that can go no further, but for the three that
// lead: full disks are what people complain of who pause and resume.
func (l *loop) prune(ctx context.Context) {
	if l.Study.Fidelity.Checkpoints != "prune" {
		return
	}
	state, _, err := l.Read(ctx)
	if err != nil {
		return // the next trial's end looks again
	}
	leading, err := l.Leading(ctx, state, 3)
	if err != nil {
		return // interrupted: what leads is not known, and nothing is removed
	}
	keep := map[int]bool{}
	for _, t := range leading {
		keep[t.Number] = true
	}
	for i := range state.Trials {
		switch t := &state.Trials[i]; t.State {
		case study.Complete, study.Stopped, study.Failed, study.Abandoned:
			if keep[t.Number] {
				continue
			}
			if err := os.RemoveAll(filepath.Join(l.dir(t), "checkpoint")); err != nil {
				l.note("a checkpoint could not be removed: %w", err)
			}
		}
	}
}
