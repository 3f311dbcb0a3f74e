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

// leg is the resources at which the command of a trial begins and ends, as text; ok is false
// without a fidelity.
func (c *command) leg(t *study.Trial) (from, to string, ok bool) {
	l := c.st.Course(t).Last()
	if l == nil {
		return "", "", false
	}
	if f := &c.st.Fidelity; f.Resume || f.Averaged() {
		return resource(l.From), resource(l.To), true
	}
	return "0", resource(l.To), true
}

// legEnvironment is what the command of a leg finds in its environment.
func (c *command) legEnvironment(t *study.Trial, dir string) []string {
	from, to, ok := c.leg(t)
	if !ok {
		return nil
	}
	return []string{
		space.EnvVariable(c.st.Fidelity.Name) + "=" + to,
		"BOHIER_FROM=" + from, "BOHIER_LEG=" + strconv.Itoa(t.Course.Leg()),
		"BOHIER_CHECKPOINT=" + filepath.Join(dir, "checkpoint"), "BOHIER_VERDICT=" + filepath.Join(dir, "verdict"),
	}
}

// legLookup gives placeholders the resource of a leg beside the parameters.
func (c *command) legLookup(t *study.Trial, of func(string) (string, bool)) func(string) (string, bool) {
	from, to, ok := c.leg(t)
	return func(name string) (string, bool) {
		switch {
		case ok && name == c.st.Fidelity.Name:
			return to, true
		case ok && name == study.ResumeFrom:
			return from, true
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
