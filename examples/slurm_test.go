package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// slurm starts a cluster of one node, this machine, in a directory of its own; the test
// is skipped where Slurm or the right to start it is missing.
func slurm(t *testing.T) (env []string, sh func(format string, args ...any) string) {
	t.Helper()
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("BOHIER_SOAK=1 starts a Slurm cluster of one node")
	}
	for _, name := range []string{"slurmctld", "slurmd", "munged", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed (Debian: apt-get install slurm-wlm munge)", name)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can start Slurm and munge")
	}
	dir, err := os.MkdirTemp("/tmp", "bohier-slurm-")
	must(t, err)
	host, _ := os.Hostname()
	host, _, _ = strings.Cut(host, ".")
	must(t, os.Chmod(dir, 0o755))
	for _, sub := range []string{"munge", "state", "spool"} {
		must(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	conf := strings.NewReplacer("DIR", dir, "HOST", host).Replace(`ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SlurmdParameters=config_overrides
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
SlurmctldLogFile=DIR/slurmctld.log
SlurmdLogFile=DIR/slurmd.log
JobRequeue=1
KillWait=8
ReturnToService=2
SchedulerParameters=sched_interval=2
NodeName=HOST NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000
PartitionName=all Nodes=HOST Default=YES
`)
	must(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(conf), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "munge", "key"), []byte(strings.Repeat("0123456789abcdef", 64)), 0o400))
	mark := "SLURM_CONF=" + filepath.Join(dir, "slurm.conf")
	env = append(os.Environ(), mark, "PATH="+filepath.Dir(bohier)+string(os.PathListSeparator)+os.Getenv("PATH")) // jobs get it, too
	sh = func(format string, args ...any) string {
		t.Helper()
		c := exec.Command("sh", "-c", fmt.Sprintf(format, args...))
		c.Env = env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.Args[2], err, out)
		}
		return strings.TrimSpace(string(out))
	}
	t.Cleanup(func() {
		killMarked(t, mark)
		os.RemoveAll(dir)
	})
	sh(`chown -R munge %[1]s/munge && chmod 700 %[1]s/munge/key && chmod 400 %[1]s/munge/key && chmod 755 %[1]s/munge
su -s /bin/sh munge -c 'munged --force --socket=%[1]s/munge/socket --key-file=%[1]s/munge/key --pid-file=%[1]s/munge/pid --log-file=%[1]s/munge/log --seed-file=%[1]s/munge/seed'`, dir)
	sh("slurmctld -c && slurmd -N %s", host)
	for try := 0; sh("sinfo -h -o %%T") != "idle"; try++ {
		if try == 60 {
			t.Fatalf("the node does not come up: %s", sh("sinfo; tail -5 %[1]s/*.log", dir))
		}
		time.Sleep(500 * time.Millisecond)
	}
	return env, sh
}

// killMarked ends every process that has a setting in its environment: the daemons, and what
// Slurm started for jobs, which outlives them.
func killMarked(t *testing.T, mark string) {
	t.Helper()
	for try := 0; ; try++ {
		left := 0
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil && slices.Contains(strings.Split(string(text), "\x00"), mark) {
				left++
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				if p, err := os.FindProcess(pid); err == nil {
					_ = p.Kill()
				}
			}
		}
		if left == 0 {
			return
		}
		if try == 100 {
			t.Errorf("%d processes of the cluster do not end", left)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// An array shares one study; tasks that are requeued and cancelled lose nothing.
func TestSlurmArray(t *testing.T) {
	env, sh := slurm(t)
	dir := copied(t, "slurm", func(s string) string { return strings.Replace(s, "trials: 24", "trials: 20", 1) })
	must(t, os.Chmod(dir, 0o755))
	steps := typed(t, "slurm")
	slurmed := append(env, "FOR=5m", "SECONDS_A_TRIAL=1", "SBATCH_ARRAY_INX=1-4")
	if out, code := typing(t, dir, steps[0], slurmed...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	requeued, cancelled := false, false
	for try := 0; ; try++ {
		status := sh("cd %s && %s status -o json 2>&1 || true", dir, bohier)
		switch {
		case !requeued && strings.Contains(status, `"complete":4`):
			sh("scontrol requeue $(squeue --me -h -t R -r -o %%i | tail -1) || true")
			requeued = true
		case requeued && !cancelled && strings.Contains(status, `"complete":8`):
			sh("scancel $(squeue --me -h -t R -r -o %%i | tail -1) || true")
			cancelled = true
		}
		if strings.Contains(status, `"complete":20`) {
			break
		}
		if try == 400 {
			t.Fatalf("not done: %s\n%s", status, sh("squeue; cat %s/slurm-*.out", dir))
		}
		time.Sleep(300 * time.Millisecond)
	}
	if left := sh("cd %s && %s trials -o json | grep -c '\"state\":\"failed\"' || true", dir, bohier); left != "0" {
		t.Errorf("%s trials failed", left)
	}
	if out, code := typing(t, dir, steps[1], env...); code != 0 || !strings.Contains(out, "20 complete") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	sh("cd %s && %s journal verify && scancel --me", dir, bohier)
	if !requeued {
		t.Error("nothing was requeued")
	}
}

// With a job for every trial, a run that is killed and a job that is cancelled lose nothing,
// and no job is submitted twice.
func TestSlurmSubmit(t *testing.T) {
	env, sh := slurm(t)
	dir := copied(t, "slurm", func(s string) string { return s + "\n" })
	must(t, os.Chmod(dir, 0o755))
	sh(`cd %s && sed -i 's/trials: 24/trials: 8/; s/every: 20s/every: 1s/; s/parallel: 8/parallel: 4/' submit.yaml &&
sed -i '/^sleep/i echo "$SLURM_JOB_NAME" >>started' job.sh`, dir)
	run := "cd %[1]s && SECONDS_A_TRIAL=4 setsid %[2]s run -q -c submit.yaml >out 2>&1"
	sh(run+" & echo $! >%[1]s/pid", dir, bohier)
	for try := 0; sh("cd %s && cat started 2>/dev/null | wc -l", dir) < "3"; try++ {
		if try == 200 {
			t.Fatalf("no jobs: %s", sh("cat %s/out; squeue", dir))
		}
		time.Sleep(200 * time.Millisecond)
	}
	sh("kill -KILL $(cat %s/pid) && scancel $(squeue -h -t R -o %%i | head -1)", dir)
	if out, code := typing(t, dir, typed(t, "slurm")[0], append(env, "SECONDS_A_TRIAL=4")...); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if status := sh("cd %s && %s status -c submit.yaml -o json", dir, bohier); !strings.Contains(status,
		`"complete":8,"pending":0,"failed":0`) {
		t.Errorf("%s", status)
	}
	if counts := sh("cd %s && wc -l <started; sort started | uniq -d | wc -l", dir); counts != "9\n1" { // the cancelled one twice
		t.Errorf("jobs that began, and names of several:\n%s\n%s", counts, sh("cat %s/started", dir))
	}
	sh("cd %s && %s journal verify -c submit.yaml", dir, bohier)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
