package runner

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// Ended judges an error that says that nothing is left to suggest (code Exhausted). It is the error
// itself where the study has a result, a complete trial that satisfies the constraints; otherwise a
// NoResult error that describes the trials and gives a hint. Any other error comes back as it is.
func Ended(st *study.Study, trials []study.Trial, err error) error {
	if !study.HasCode(err, study.Exhausted) || len(st.Best(trials, 1)) > 0 {
		return err
	}
	why, hint := WithoutResult(st, trials)
	e, _ := errors.AsType[*study.Error](err)
	if _, on, ok := strings.Cut(e.Hint, "; "); ok {
		hint += "; " + on
	}
	return study.Errorf(study.NoResult, hint, "%v, and there is no result: %s", err, why)
}

// WithoutResult reports why a study has no best trial, as the end of a sentence, with a hint.
func WithoutResult(st *study.Study, trials []study.Trial) (why, hint string) {
	count := map[study.State]int{}
	for k := range trials {
		count[trials[k].State]++
	}
	var parts, hints []string
	if n := count[study.Complete]; n > 0 {
		parts = append(parts, fmt.Sprintf("%s complete, and %s", study.Count(n, "trial"), st.Shortfall(trials)))
		hints = append(hints, "`bohier trials` lists the values")
	}
	if n := count[study.Failed]; n > 0 {
		reason, where := commonFailure(st, failures(trials, study.Infeasible, study.Transient))
		parts = append(parts, fmt.Sprintf("%d failed, %s", n, reason))
		hints = append(hints, "remove the cause"+where)
	}
	if n := count[study.Pending]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", n))
		hints = append(hints, "report pending trials with `bohier observe`, return them to the next `bohier run`"+
			" (bohier return ID), or free them: bohier abandon $(bohier trials --state pending -o id)")
	}
	for _, s := range []study.State{study.Paused, study.Stopped} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s before the full resource", n, s))
		}
	}
	if count[study.Paused]+count[study.Stopped] > 0 {
		hints = append(hints, "`bohier best` shows the best on their way")
	}
	if n := count[study.Abandoned]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d abandoned", n))
	}
	if len(parts) == 0 {
		return "no trial was made", "`bohier suggest` makes the first"
	}
	return strings.Join(parts, "; "), strings.Join(hints, "; ")
}

// failures are the trials that failed in one of the ways.
func failures(trials []study.Trial, ways ...study.Failure) []study.Trial {
	return lists.Only(trials, func(t study.Trial) bool {
		return t.State == study.Failed && slices.Contains(ways, t.Failure)
	})
}

// commonFailure is the commonest reason why trials failed, the latest of several equally common ones, and where the
// output of a trial that failed so is kept; where is empty if nothing is kept. There must be a trial.
func commonFailure(st *study.Study, failed []study.Trial) (reason, where string) {
	most, count := 0, map[string]int{}
	for k := range failed {
		count[failed[k].Note]++
		if count[failed[k].Note] >= count[failed[most].Note] {
			most = k
		}
	}
	t := &failed[most]
	reason = cmp.Or(t.Note, "no reason given")
	if n := count[t.Note]; len(failed) > 1 && n == len(failed) {
		reason = "all alike: " + reason
	} else if len(failed) > 1 {
		reason = fmt.Sprintf("most often (%d) because: %s", n, reason)
	} else {
		reason = "because: " + reason
	}
	dir := filepath.Join(FilesDir(st), t.ID())
	for _, name := range []string{"stderr", "stdout"} {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Size() > 0 {
			return reason, "; its output: " + file
		}
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return reason, "; it printed nothing; its files: " + dir
	}
	return reason, ""
}

// FilesDir is where the files of a study's trials are.
func FilesDir(st *study.Study) string {
	if st.TrialsDir != "" {
		return st.TrialsDir
	}
	return TrialsDir(st.Journal)
}

// TrialsDir is where the files of a study's trials are kept: trials/ beside bohier.journal.jsonl and NAME.trials/
// beside NAME.journal.jsonl, so that no two studies share a directory.
func TrialsDir(journal string) string {
	dir, name := filepath.Split(journal)
	name = strings.TrimSuffix(name, ".journal.jsonl")
	if name == "bohier" {
		return filepath.Join(dir, "trials")
	}
	return filepath.Join(dir, name+".trials")
}

// used counts the trials that use up the budget: complete, pending, reserved, paused, stopped and infeasible ones.
// Transient failures, abandoned trials and reservations given back do not.
func used(trials []study.Trial) int {
	n := 0
	for k := range trials {
		t := &trials[k]
		if !t.Released && t.State != study.Abandoned && (t.State != study.Failed || t.Failure == study.Infeasible) {
			n++
		}
	}
	return n
}

// Left is how many trials the budget still allows; ok is false without a limit.
func Left(st *study.Study, trials []study.Trial) (left int, ok bool) {
	if st.Budget.Trials == 0 {
		return 0, false
	}
	return max(0, st.Budget.Trials-used(trials)), true
}

func budgetUsed(st *study.Study) error {
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; raise budget.trials to go on",
		"the budget of %s is used", study.Count(st.Budget.Trials, "trial"))
}

// MayBeOver reports whether a study may be over, which a dry run of Suggest decides: surrogates judge regret and noisy
// values, paused trials may go on, and configurations be measured again.
func MayBeOver(st *study.Study, s *journal.State) bool {
	all := study.Pointers(s.Trials)
	left, limited := policy.Left(st, s.Trials)
	return st.Stop.Regret > 0 || limited && left < st.Fidelity.High() || NoNew(st, s) != nil ||
		stopped(st, s.Trials, s.LastFit) != nil || suggest.JudgesTarget(st, all, s.LastFit()) ||
		suggest.JudgesGrowth(st, all, s.LastFit())
}

// stopped is the error of a study that may not go on, whatever is left of its budget: the target is reached, or too
// many trials failed, which is a NoResult error whatever was found before. Where values are noisy the surrogates decide
// about targets and hypervolumes, when they are asked for a suggestion; only then is the newest fit read.
func stopped(st *study.Study, trials []study.Trial, fit func() *study.FitRecord) error {
	if limit := st.Budget.Failures; limit > 0 {
		failed := failures(trials, study.Transient)
		if n := len(failed); n >= limit {
			allowed := "as many as"
			if n > limit {
				allowed = fmt.Sprintf("more than the %d that", limit)
			}
			reason, where := commonFailure(st, failed)
			return study.Errorf(study.NoResult,
				"remove the cause"+where+"; `bohier trials` lists the failures; raise budget.failures to go on",
				"%s failed transiently, %s budget.failures allows; %s", study.Count(n, "trial"), allowed, reason)
		}
	}
	aims := slices.ContainsFunc(st.Objectives, func(o study.Objective) bool { return o.Target != nil })
	if aims && !suggest.JudgesTarget(st, study.Pointers(trials), fit()) {
		reached := slices.DeleteFunc(study.Pointers(trials),
			func(t *study.Trial) bool { return !st.Counts(t) || !st.Reached(t) })
		if first := st.First(reached, 1); len(first) > 0 {
			return suggest.Reached(first[0], "")
		}
	}
	if st.Stop.Hypervolume == nil || suggest.JudgesGrowth(st, study.Pointers(trials), fit()) {
		return nil
	}
	return suggest.Levelled(st, st.Standing(study.Pointers(trials)).Growth(study.In(study.Complete, trials)))
}
