#!/bin/sh
# Compresses one file as the BOHIER_P_* variables say and prints its size in bytes.
#
# By hand:  BOHIER_P_TOOL=gzip BOHIER_P_GZIP_LEVEL=9 sh compress.sh
#
# A tool or filter this machine does not have saves nothing: the size is that of
# the file as it is. Any other failure fails the trial.
set -eu

file=${COMPRESS_FILE:-}
if [ -z "$file" ]; then
  root=$(go env GOROOT 2>/dev/null) || root=
  for file in "$root/bin/gofmt" "$root"/pkg/tool/*/asm /bin/sh; do
    if [ -r "$file" ]; then break; fi
  done
fi

unchanged() {
  echo "$1: the file stays as it is" >&2
  wc -c <"$file"
  exit 0
}

tool=${BOHIER_P_TOOL:?}
command -v "$tool" >/dev/null 2>&1 || unchanged "no $tool here"

case $tool in
gzip) set -- "-${BOHIER_P_GZIP_LEVEL:?}" ;;
bzip2) set -- "-${BOHIER_P_BZIP2_BLOCK:?}" ;;
zstd) set -- --ultra "-${BOHIER_P_ZSTD_LEVEL:?}" "--zstd=windowLog=${BOHIER_P_ZSTD_WINDOW:?}" ;;
xz)
  set -- "--check=${BOHIER_P_CHECK:?}"
  if [ "${BOHIER_P_BLOCK:?}" != whole ]; then set -- "$@" "--block-size=$BOHIER_P_BLOCK"; fi

  filter=${BOHIER_P_FILTER:?}
  case $filter in
  none) ;;
  delta) set -- "$@" "--delta=dist=${BOHIER_P_DELTA:?}" ;;
  *)
    printf '' | xz -c "--$filter" --lzma2=preset=0 >/dev/null 2>&1 || unchanged "this xz has no filter $filter"
    set -- "$@" "--$filter"
    ;;
  esac

  if [ "${BOHIER_P_SEARCH:?}" = preset ]; then
    search=preset=${BOHIER_P_PRESET:?}
    if [ "${BOHIER_P_EXTREME:?}" = true ]; then search=${search}e; fi
  else
    search=mode=${BOHIER_P_MODE:?},mf=${BOHIER_P_FINDER:?},nice=${BOHIER_P_NICE:?}
    search=$search,depth=${BOHIER_P_DEPTH:?},dict=$((1 << ${BOHIER_P_DICT:?}))
  fi
  set -- "$@" "--lzma2=$search,lc=${BOHIER_P_LC:?},lp=${BOHIER_P_LP:?},pb=${BOHIER_P_PB:?}"
  ;;
*)
  echo "compress.sh: unknown tool $tool" >&2
  exit 1
  ;;
esac

out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$tool" -c "$@" <"$file" >"$out"
wc -c <"$out"
