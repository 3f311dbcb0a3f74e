#!/bin/sh
# The whole of tuning, by hand: ask for a configuration, try it, tell the result.
#
#   cd examples/shell && sh loop.sh
#
# Stop it at any time and start it again: it goes on with the next trial. Start it
# in several terminals at once: they share the study.
set -eu
cd "$(dirname "$0")"
bohier=${BOHIER:-bohier}

rc=0
while :; do
  s=$("$bohier" suggest -o env) || { rc=$?; break; } # not eval "$(…)": that hides the exit code
  eval "$s"                                          # sets trial, model, …; unsets inactive names
  set -- "model=$model" ${lr:+"lr=$lr"} ${degree:+"degree=$degree"} ${decay:+"decay=$decay"} \
    ${neighbors:+"neighbors=$neighbors"} ${weighted:+"weighted=$weighted"}
  if rmse=$(sh train.sh "$@"); then
    "$bohier" observe "$trial" "$rmse" >/dev/null || { rc=$?; break; }
    echo "$trial: rmse $rmse with $*"
  else
    "$bohier" observe "$trial" --fail infeasible >/dev/null || { rc=$?; break; }
    echo "$trial: failed with $*"
  fi
done
[ "$rc" -eq 3 ] || exit "$rc" # 3: nothing left to suggest, the normal end; 11: no result

"$bohier" best
