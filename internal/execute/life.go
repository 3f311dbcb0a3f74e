package execute

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// Two kinds of lock files stand in the directory of the trials' files. The system
// drops a lock when its process ends, however it ends.
//
// .run/NONCE is locked by the process whose workers end in #NONCE, as long as it lives. Where it is free, on the
// machine it names, nobody will ever report that process's trials: they are given back at once.
//
// ID/lock is locked by the process that runs trial ID, whatever the journal says, and names the process group of the
// command, so that the trial never runs twice at once, not even beside the orphans of a killed process.

// A process describes the process that made a lock file.
type process struct {
	Boot   string `json:"boot"`
	Host   string `json:"host"`
	Space  string `json:"pids,omitempty"`   // the set of processes that Group is a number of
	Group  int    `json:"group,omitempty"`  // of the command
	Start  string `json:"start,omitempty"`  // of the group's first process
	Run    string `json:"run,omitempty"`    // the letters of the process
	Cgroup string `json:"cgroup,omitempty"` // the control group of the command
}

func thisProcess() process {
	host, _ := os.Hostname()
	return process{Boot: bootID(), Host: host, Space: pidSpace()}
}

// recordSize is how much of a lock file a record takes, so that it is replaced by one write.
const recordSize = 512

func (p process) write(f *os.File) error {
	b, err := json.Marshal(p)
	if err != nil || len(b) >= recordSize {
		return errors.Join(err, errors.New("no record of this process can be kept"))
	}
	_, err = f.WriteAt(fmt.Appendf(nil, "%-*s\n", recordSize-1, b), 0)
	return err
}

func readProcess(f *os.File) (p process, ok bool) {
	b := make([]byte, recordSize)
	n, _ := f.ReadAt(b, 0)
	return p, json.Unmarshal(b[:n], &p) == nil
}

// enlist makes this process known to others as alive, where the file system has locks.
func (l *loop) enlist() (err error) {
	l.self = thisProcess()
	l.self.Run = l.nonce
	l.lifeFile = filepath.Join(l.Trials, ".run", l.nonce)
	free, err := false, os.ErrNotExist
	for try := 0; errors.Is(err, os.ErrNotExist) && try < 10; try++ { // one that leaves may remove the directory
		l.lifeLock, free, err = lockFile(l.lifeFile + ".new")
	}
	if err == nil && !free {
		err = errors.New("another process has locked a new file")
	}
	if err == nil {
		err = l.self.write(l.lifeLock)
	}
	if err == nil {
		err = l.lifeLock.Sync() // a power failure must not leave trials whose process nobody knows
	}
	if err == nil {
		err = os.Rename(l.lifeFile+".new", l.lifeFile) // complete, or not there
	}
	if err != nil {
		_ = os.Remove(l.lifeFile + ".new")
		l.lifeLock.Close()
	}
	return notKept(err)
}

// leave gives up the lock that enlist took, which says that this process lives. clean means that
// this process has no trial any more; otherwise the file stays, so that the next run sees which
// process died and takes the trials that are still pending.
func (l *loop) leave(clean bool) {
	if clean {
		_ = os.Remove(l.lifeFile)
		_ = os.Remove(filepath.Dir(l.lifeFile)) // fails, as it should, while others live
	}
	l.lifeLock.Close()
}

func notKept(err error) error {
	if err == nil {
		return nil
	}
	return study.Wrap(study.NotRecorded, err, "they are kept beside the journal; check permissions and room there",
		"there is no place for the trials' files")
}

// openShared opens a file that may be renamed and removed while it is open: on Windows this holds for files that
// os.Root opens, and not for files that os.OpenFile opens.
func openShared(name string, flag int) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.OpenFile(filepath.Base(name), flag, 0o666)
}

// A life is the known state of a worker's process.
type life int

const (
	unknown life = iota // on another machine, or no worker of a run
	alive
	dead
)

// elsewhere are the trials that other runs have under way.
func (l *loop) elsewhere(trials []study.Trial) []*study.Trial {
	return lists.Only(study.In(study.Pending, trials), func(t *study.Trial) bool {
		return !t.Waiting && nonceOf(t.Worker) != "" && nonceOf(t.Worker) != l.nonce
	})
}

// lifeOf reports whether the process with a nonce lives.
func (l *loop) lifeOf(nonce string) life {
	switch {
	case nonce == l.nonce:
		return alive
	case nonce == "" || strings.ContainsAny(nonce, `/\`) || strings.HasPrefix(nonce, "."):
		return unknown
	}
	f, err := openShared(filepath.Join(l.Trials, ".run", nonce), os.O_RDONLY)
	if err != nil {
		return unknown
	}
	defer f.Close()
	free, supported, err := tryLock(f, true)
	if err != nil || !supported {
		return unknown
	}
	if !free {
		return alive
	}
	p, ok := readProcess(f)
	if ok && (p.Boot != "" && p.Boot == l.self.Boot || p.Host == l.self.Host) {
		return dead
	}
	return unknown
}

// forget removes the files of dead processes that have no trials any more. Which are dead is
// asked first: one that lives may still get a trial after the journal was read.
func (l *loop) forget(ctx context.Context) error {
	dir := filepath.Join(l.Trials, ".run")
	entries, _ := os.ReadDir(dir)
	gone := map[string]bool{}
	for _, e := range entries {
		if name := e.Name(); l.lifeOf(name) == dead {
			gone[name] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	state, _, err := l.Read(ctx)
	if err != nil {
		return err
	}
	defer state.Done()
	for i := range state.Trials {
		if t := &state.Trials[i]; t.State == study.Pending && !t.Waiting || t.State == study.Reserved {
			delete(gone, nonceOf(t.Worker))
		}
	}
	for name := range gone {
		_ = os.Remove(filepath.Join(dir, name))
	}
	return nil
}

// Workers say, in a line each, which workers have the pending trials, and whether they live. trials is the directory of
// the trials' files; a worker on another machine, or one that asked by hand, is not known to live.
func Workers(trials string, list []study.Trial) (lines []string) {
	l := loop{LoopOptions: LoopOptions{Trials: trials}, self: thisProcess(), nonce: "-"} // no worker's
	having := map[string][]string{}
	for _, t := range study.In(study.Pending, list) {
		if !t.Waiting && t.Worker != "" {
			having[t.Worker] = append(having[t.Worker], t.ID())
		}
	}
	for _, w := range slices.Sorted(maps.Keys(having)) {
		is := map[life]string{alive: "lives", dead: "has ended; the next run takes its trials",
			unknown: "cannot be checked from this machine"}[l.lifeOf(nonceOf(w))]
		lines = append(lines, fmt.Sprintf("%s %s: %s", w, is, strings.Join(having[w], ", ")))
	}
	return lines
}

// maxName is the longest name of a worker, in bytes.
const maxName = 256

// WorkerName is the name of this process in its surroundings: the task of a scheduler or of a CI system, the same after
// it was started again, else run@HOST. Several processes may share a name; the random letters of each distinguish them.
func WorkerName(env func(string) string) string {
	if name := env("BOHIER_WORKER"); name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	job := env("SLURM_JOB_ID")
	if array, task := env("SLURM_ARRAY_JOB_ID"), env("SLURM_ARRAY_TASK_ID"); array != "" && task != "" {
		job = array + "_" + task
	}
	if tasks := env("SLURM_NTASKS"); job != "" && tasks != "" && tasks != "1" && env("SLURM_PROCID") != "" {
		job += "." + env("SLURM_PROCID")
	}
	owner, index, pod := "", "", ""
	if env("KUBERNETES_SERVICE_HOST") != "" { // the host name is the pod's
		owner, index, pod = env("BOHIER_JOB"), env("JOB_COMPLETION_INDEX"), host
	}
	for _, name := range [][]string{{"slurm", job}, {"k8s", owner, index}, {"pbs", env("PBS_JOBID")},
		{"gitlab", env("CI_PIPELINE_ID"), env("CI_JOB_NAME")}, {"github", env("GITHUB_RUN_ID"), env("GITHUB_JOB")},
		{"k8s", owner, pod}, {"k8s", pod}} {
		if !slices.Contains(name, "") {
			return strings.Join(name, "/")
		}
	}
	return "run@" + host
}

// checkName refuses texts that cannot be the name of a worker.
func checkName(name string) error {
	switch {
	case name == "" || name == "-":
		return study.Errorf(study.Usage, "such as --worker node7", "%q is no name for a worker", name)
	case len(name) > maxName:
		return study.Errorf(study.Usage, "", "the name of a worker has at most %d bytes, not %d", maxName, len(name))
	}
	return nil
}

// newNonce is twelve random letters that no other process has.
func newNonce() string { return strings.ToLower(rand.Text()[:12]) }

// slot is slot k of a process as the worker of a trial: NAME/k#NONCE.
func slot(name string, k int, nonce string) string { return fmt.Sprintf("%s/%d#%s", name, k, nonce) }

// nonceOf is the process a worker belongs to; empty: none of a run.
func nonceOf(worker string) string {
	_, nonce := cutLast(worker, '#')
	return nonce
}
