package execute

import (
	"context"
	"errors"
	"fmt"

	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Measure runs the command of c's study n times for a configuration, one after the other in
// dir, with its files in trialDir, and returns what it measured. Nothing is recorded.
//
// Errors: Usage where the study has no command that can be run so, NoResult where it fails,
// and the cause of ctx.
func Measure(ctx context.Context, c runner.Session, dir, trialDir string, conf space.Configuration,
	n int) ([]study.Observation, error) {
	cmd, err := newCommand(c.Study, dir)
	if err != nil {
		return nil, err
	}
	f := &c.Study.Fidelity
	if c.Study.Run.Jobs != nil || f.Averaged() {
		return nil, study.Errorf(study.Usage, "measure it, and give the value",
			"a job of a scheduler, or one of several folds, cannot be measured here")
	}
	cmd.nonce, cmd.database = newNonce(), c.Journal.Store != nil
	t := study.Trial{Tag: "gate", Config: conf, Course: &study.Course{Start: f.High(), Legs: []study.Leg{{To: f.High()}}}}
	var out []study.Observation
	for range n {
		a, err := cmd.run(ctx, &t, trialDir, func(int, *cgroup) error { return nil }, nil)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, cannotRun(err)
		case a.err == nil && a.result.Failure != "":
			a.err = errors.New(fmt.Sprint("the command reported it as ", a.result.Failure))
		}
		if a.err != nil {
			return nil, &study.Error{Code: study.NoResult, Msg: "the configuration could not be measured", Err: a.err,
				Hint: "mend the command, or what it tests"}
		}
		out = append(out, a.result.Observation)
	}
	return out, nil
}
