#!/bin/sh
#SBATCH --array=1-8 --time=4:00:00 --requeue --open-mode=append --signal=B:TERM@90
# exec: bohier is then the batch process, and gets TERM 90 s (up to 150) ahead of the limit.
# Task 1 stays until no other task has a trial, and takes over those of lost nodes.
[ "$SLURM_ARRAY_TASK_ID" = 1 ] && set -- --wait "$@"
exec "${BOHIER:-bohier}" run -q --for "${FOR:-3h50m}" "$@"
