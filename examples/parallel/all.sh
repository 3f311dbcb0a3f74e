#!/bin/sh
# The three ways, one after the other; each starts four runs that share the study's budget.
# WITH chooses one: parallel, xargs or make.
set -eu
cd "$(dirname "$0")"
bohier=${BOHIER:-bohier}
for way in ${WITH:-parallel xargs make}; do
  command -v "$way" >/dev/null || { echo "$way is not installed"; continue; }
  journal=$way.journal.jsonl
  export BOHIER_JOURNAL="$PWD/$journal"
  case $way in
  parallel) parallel -j 4 -N0 "$bohier" run -q ::: 1 2 3 4 >/dev/null ;;
  xargs) printf '%s\n' 1 2 3 4 | xargs -P 4 -I '{}' "$bohier" run -q >/dev/null ;;
  make) make -s -j 4 all BOHIER="$bohier" >/dev/null ;;
  esac
  echo "$way: $("$bohier" trials --state complete -o id | wc -l) trials, best $("$bohier" best -o 'template={value}')"
done
