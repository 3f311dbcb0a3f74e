package execute

import (
	"os"
	"testing"
)

func TestWorkerName(t *testing.T) {
	host, _ := os.Hostname()
	for want, env := range map[string]map[string]string{
		"run@" + host: {},
		"mine":        {"BOHIER_WORKER": "mine", "SLURM_JOB_ID": "1"},
		"slurm/12":    {"SLURM_JOB_ID": "12", "SLURM_NTASKS": "1", "SLURM_PROCID": "0"},
		"slurm/4_3":   {"SLURM_JOB_ID": "12", "SLURM_ARRAY_JOB_ID": "4", "SLURM_ARRAY_TASK_ID": "3"},
		"slurm/4_3.7": {"SLURM_JOB_ID": "12", "SLURM_ARRAY_JOB_ID": "4", "SLURM_ARRAY_TASK_ID": "3", "SLURM_NTASKS": "8",
			"SLURM_PROCID": "7"},
		"k8s/job/5": {"KUBERNETES_SERVICE_HOST": "x", "BOHIER_JOB": "job", "JOB_COMPLETION_INDEX": "5"},
		// An index alone is not the job's own.
		"k8s/" + host:      {"KUBERNETES_SERVICE_HOST": "x", "JOB_COMPLETION_INDEX": "5"},
		"k8s/job/" + host:  {"KUBERNETES_SERVICE_HOST": "x", "BOHIER_JOB": "job"},
		"pbs/77.server":    {"PBS_JOBID": "77.server"},
		"gitlab/9/train":   {"CI_PIPELINE_ID": "9", "CI_JOB_NAME": "train", "KUBERNETES_SERVICE_HOST": "x"},
		"github/8/measure": {"GITHUB_RUN_ID": "8", "GITHUB_JOB": "measure"},
	} {
		if got := WorkerName(func(name string) string { return env[name] }); got != want {
			t.Errorf("%v: %q, want %q", env, got, want)
		}
	}
}

func TestNonces(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		n := newNonce()
		if len(n) != 12 || seen[n] {
			t.Fatalf("%q", n)
		}
		seen[n] = true
	}
	if w := slot("a#b", 3, "xyz"); w != "a#b/3#xyz" || nonceOf(w) != "xyz" || nonceOf("run@host/12/0") != "" {
		t.Error(w)
	}
}
