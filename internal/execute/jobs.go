package execute

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"bohier/internal/study"
)

const (
	callTime   = 2 * time.Minute  // for one call of a scheduler's command
	resultTime = 30 * time.Second // for the result of a job that is gone: file systems of a network are late
	unknownMax = 10               // looks in a row without a result, until a message is due
	refusedMax = 3                // submissions in a row that fail, until the run ends
	secondTime = 3 * time.Second  // for a second signal, which cancels the jobs
)

// errElsewhere stops the watch over a job whose trial has an end already.
var errElsewhere = errors.New("the trial was ended from elsewhere")

// jobs has a scheduler run each trial as a job. The job's name is its handle and follows from the trial: a process that
// takes a trial over finds the trial's job, or finds that there is none yet. That a job was submitted is noted beside
// the trial's files, for the jobs of trials that nobody takes over.
type jobs struct {
	command // without the mark of this process: jobs outlive it
	loop    *loop
	late    time.Duration // resultTime, but in tests
	*study.Jobs

	calling sync.Mutex // one call of the scheduler at a time
	refused int        // submissions in a row that failed
}

// A job is that of one trial.
type job struct {
	*jobs
	name                 string
	submit, find, cancel []string
	env                  []string
	log                  string // the output of the scheduler's commands
	mark                 string // a file with the job's name, there while the scheduler may have the job
}

// of is the job of a trial. Its name is that under which it was submitted before, if it was.
func (j *jobs) of(t *study.Trial, dir string) *job {
	f := j.files(t, dir)
	words := places(t, dir)
	words["run"] = j.loop.Journal.Run[:6]
	word := func(name string) (string, bool) { w, ok := words[name]; return w, ok }
	words["job"], _ = study.ParseTemplate(j.Job, nil).Expand(word)
	mark := filepath.Join(dir, "scheduler.job")
	if name, err := os.ReadFile(mark); err == nil && len(name) > 0 {
		words["job"] = string(name)
	}
	value := j.lookup(t)
	expand := func(elements []string) []string {
		return study.ParseArgv(elements, j.st.Named()).Expand(func(name string) (string, bool) {
			if w, ok := word(name); ok {
				return w, true
			}
			return value(name)
		})
	}
	return &job{j, words["job"], expand(j.Submit), expand(j.Find), expand(j.Cancel), j.environ(t, f.params, f.result),
		filepath.Join(dir, "scheduler.log"), mark}
}

// run sees to it that a trial's job is submitted once, waits until the job is gone, and
// reads its result. It is the counterpart of command.run; when ctx ends, the job goes on.
func (j *jobs) run(ctx context.Context, t *study.Trial, dir string, again bool) (attempt, error) {
	f, err := j.prepare(t, dir)
	if err != nil {
		return attempt{}, err
	}
	if again {
		if err := removeIfThere(f.result); err != nil {
			return attempt{}, err // the last attempt's
		}
	}
	f.out = &capture{path: dir}
	b, begun, late := j.of(t, dir), time.Now(), false
	defer func() {
		if cause := context.Cause(ctx); cause == nil || errors.Is(cause, errTaken) || errors.Is(cause, errElsewhere) {
			jobsUnderWay.Delete(b)
		}
	}()
	for sent, unknown := false, 0; ; {
		there, err := b.look(ctx)
		switch {
		case errors.Is(context.Cause(ctx), errElsewhere):
			if b.end() == nil {
				b.gone()
			}
			return attempt{stopped: true}, nil
		case ctx.Err() != nil:
			return attempt{stopped: true}, nil
		case err != nil:
			if unknown++; unknown == unknownMax {
				j.loop.note("whether job %s runs is unknown: %w", b.name, err)
			}
		case there:
			sent, unknown = true, 0
			jobsUnderWay.Store(b, true)
		case late:
			b.gone()
			return j.command.late(f, "cancelled"), nil
		case sent || written(f.result):
			b.gone()
			return j.result(ctx, f)
		default:
			if sent, err = b.send(); err != nil {
				return attempt{}, err
			}
		}
		if limit := j.st.Run.Timeout; limit > 0 && time.Since(begun) >= limit && sent {
			late = true
			if err := b.end(); err != nil {
				j.loop.note("job %s was not cancelled, which is tried again: %w", b.name, err)
			}
		}
		pause(ctx, j.Every)
	}
}

// pause waits, though not beyond the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func written(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// result is the result that a finished job has left.
func (j *jobs) result(ctx context.Context, f files) (attempt, error) {
	for begun := time.Now(); !written(f.result) && time.Since(begun) < j.late; {
		if pause(ctx, j.late/30); ctx.Err() != nil {
			return attempt{stopped: true}, nil
		}
	}
	return j.collect(f)
}

// look asks the scheduler whether the job waits or runs. With an error that is unknown.
func (b *job) look(ctx context.Context) (there bool, err error) {
	var out bytes.Buffer
	err = b.call(ctx, b.find, &out)
	return len(bytes.TrimSpace(out.Bytes())) > 0, err
}

// send submits the job. sent is false where the scheduler refused it, which is tried
// again; the error says that it has refused several in a row.
func (b *job) send() (sent bool, err error) {
	jobsUnderWay.Store(b, true)
	if err = os.WriteFile(b.mark, []byte(b.name), 0o666); err == nil {
		err = b.call(context.Background(), b.submit, nil)
	}
	b.calling.Lock()
	defer b.calling.Unlock()
	if err == nil {
		b.refused = 0
		return true, nil
	}
	jobsUnderWay.Delete(b)
	b.gone()
	err = fmt.Errorf("job %s could not be submitted: %w; its output: %s", b.name, err, shown(b.log))
	if b.refused++; b.refused >= refusedMax {
		return false, err
	}
	b.loop.note("%w", err)
	return false, nil
}

// end has the scheduler cancel the job.
func (b *job) end() error { return b.call(context.Background(), b.cancel, nil) }

// gone notes that the scheduler no longer has the job.
func (b *job) gone() { _ = os.Remove(b.mark) } // else it is looked for once more

// cancelEnded cancels the jobs of trials that ended while nobody watched over them, as far as
// they were submitted with their files here.
func (j *jobs) cancelEnded(ctx context.Context, trials []study.Trial) {
	for i := range trials {
		t := &trials[i]
		dir := j.loop.dir(t)
		if t.State == study.Pending || t.State == study.Reserved || !written(filepath.Join(dir, "scheduler.job")) ||
			ctx.Err() != nil {
			continue
		}
		b := j.of(t, dir)
		there, err := b.look(ctx)
		if there && err == nil {
			if err = b.end(); err == nil {
				j.loop.note("job %s is cancelled: trial %s was ended from elsewhere", b.name, t.ID())
			}
		}
		if err == nil {
			b.gone()
		} else if ctx.Err() == nil {
			j.loop.note("whether job %s runs, whose trial %s was ended from elsewhere, is unknown: %w", b.name, t.ID(), err)
		}
	}
}

// call runs one of the scheduler's commands. Its output goes to out, unless that is nil, or to the log, a file:
// processes that it leaves running hold up nobody.
func (b *job) call(ctx context.Context, argv []string, out *bytes.Buffer) error {
	b.calling.Lock()
	defer b.calling.Unlock()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	log, err := os.OpenFile(b.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.CommandContext(ctx, b.program(argv[0]), argv[1:]...)
	c.Args[0], c.Dir, c.Env, c.WaitDelay = argv[0], b.dir, b.env, time.Second
	if c.Stdout, c.Stderr = log, log; out != nil {
		c.Stdout = out
	}
	if err := c.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %s", argv[0], describe(err))
	}
	return nil
}

// jobsUnderWay are the jobs in a scheduler's hands, so that a second signal can cancel them.
var jobsUnderWay sync.Map // by *job

// lastWord leaves time for a second signal, after the first one.
func (j *jobs) lastWord() {
	n := 0
	jobsUnderWay.Range(func(any, any) bool { n++; return true })
	if n > 0 {
		j.loop.note("%s left to the scheduler, where the next `bohier run` finds them; a second signal within %v cancels "+
			"them", study.Count(n, "job"), secondTime)
		time.Sleep(secondTime)
	}
}
