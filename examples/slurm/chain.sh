#!/bin/sh
#SBATCH --time=1:00:00 --requeue --open-mode=append --signal=B:TERM@90
# One job after another, each within its limit, until the study is over.
"${BOHIER:-bohier}" run -q --for "${FOR:-50m}" "$@"
"${BOHIER:-bohier}" status --over >/dev/null && exec sbatch "$0" "$@"
