#!/bin/sh
# Compiles kmeans.c with the flags of a trial and prints the processor seconds of the
# fastest of RUNS runs. Values come in the environment as BOHIER_P_…
set -eu
cd "$(dirname "$0")"
command -v "$BOHIER_P_COMPILER" >/dev/null || { echo '{"fail": "infeasible", "note": "no such compiler here"}'; exit 0; }

set -- "-$BOHIER_P_LEVEL" "-DBLOCK=$BOHIER_P_BLOCK"
[ "$BOHIER_P_NATIVE" = false ] || set -- "$@" -march=native
[ "$BOHIER_P_UNROLL" = false ] || set -- "$@" -funroll-loops
[ "$BOHIER_P_LTO" = false ] || set -- "$@" -flto
[ "$BOHIER_P_POINTER" = true ] || set -- "$@" -fno-omit-frame-pointer
[ "${BOHIER_P_VECTORIZE:-true}" = true ] || set -- "$@" -fno-tree-vectorize
[ -z "${BOHIER_P_INLINE_LIMIT:-}" ] || set -- "$@" "-finline-limit=$BOHIER_P_INLINE_LIMIT"
[ -z "${BOHIER_P_UNROLL_TIMES:-}" ] || set -- "$@" --param "max-unroll-times=$BOHIER_P_UNROLL_TIMES"
[ "${BOHIER_P_PREFETCH:-false}" = false ] || set -- "$@" -fprefetch-loop-arrays

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$BOHIER_P_COMPILER" "$@" -o "$dir/kmeans" kmeans.c -lm
i=0
while [ "$i" -lt "${RUNS:-5}" ]; do
  "$dir/kmeans" "${POINTS:-100000}" 2>&1 >/dev/null
  i=$((i + 1))
done | sort -g | awk 'NR == 1 {printf "{\"seconds\": %s}\n", $1}'
