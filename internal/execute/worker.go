package execute

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"bohier/internal/study"
)

// maxName is the longest name of a worker, in bytes.
const maxName = 256

// WorkerName is what the surroundings call this process: the task of a scheduler
// or of a CI system, the same after it was started again, else run@HOST. Several
// processes may share a name; the random letters of each tell them apart.
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
	owner, index, inPod := env("BOHIER_JOB"), env("JOB_COMPLETION_INDEX"), env("KUBERNETES_SERVICE_HOST") != ""
	switch {
	case job != "":
		return "slurm/" + job
	case inPod && owner != "" && index != "":
		return "k8s/" + owner + "/" + index
	case env("PBS_JOBID") != "":
		return "pbs/" + env("PBS_JOBID")
	case env("CI_PIPELINE_ID") != "" && env("CI_JOB_NAME") != "":
		return "gitlab/" + env("CI_PIPELINE_ID") + "/" + env("CI_JOB_NAME")
	case env("GITHUB_RUN_ID") != "" && env("GITHUB_JOB") != "":
		return "github/" + env("GITHUB_RUN_ID") + "/" + env("GITHUB_JOB")
	case inPod && owner != "": // the host name is the pod's
		return "k8s/" + owner + "/" + host
	case inPod:
		return "k8s/" + host
	}
	return "run@" + host
}

// checkName refuses what cannot be the name of a worker.
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
