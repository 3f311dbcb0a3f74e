#!/bin/sh
# Tunes the compressor of this directory with 40 trials, then compares the result
# with `xz -9e` and with 40 random configurations of the same space.
#
#   make demo          (BOHIER: the program, DEMO_DIR: where to work)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bohier=${BOHIER:-bohier}
dir=${DEMO_DIR:-$(mktemp -d)}
trials=${DEMO_TRIALS:-40}
seed=${DEMO_SEED:-1}

# Two studies that differ in one line: every point of the second is random.
for arm in tuned random; do
  rm -rf "${dir:?}/$arm"
  mkdir -p "$dir/$arm"
  cp "$here/compress.sh" "$dir/$arm/"
  sed -e "s/^seed: .*/seed: $seed/" -e "s/^budget: .*/budget: {trials: $trials}/" "$here/bohier.yaml" >"$dir/$arm/bohier.yaml"
done
echo "initial: {design: random, count: 100000}" >>"$dir/random/bohier.yaml"
cd "$dir"

if [ -z "${COMPRESS_FILE:-}" ]; then
  COMPRESS_FILE=$(go env GOROOT)/bin/gofmt
  [ -r "$COMPRESS_FILE" ] || COMPRESS_FILE=/bin/sh
  export COMPRESS_FILE
fi
echo "file: $COMPRESS_FILE, $(wc -c <"$COMPRESS_FILE") bytes"

# best DIR: the smallest size the study there has found.
best() { "$bohier" best -c "$1/bohier.yaml" -o json | tr -d '\n' | sed -n 's/.*"bytes": *\([0-9][0-9.e+]*\).*/\1/p'; }

echo "tuning, $trials trials:"
"$bohier" run -c tuned/bohier.yaml
echo "random search in the same space, $trials trials:"
"$bohier" run -c random/bohier.yaml

echo
echo "incumbent:"
"$bohier" best -c tuned/bohier.yaml
echo
xz=-
if command -v xz >/dev/null 2>&1; then xz=$(xz -9e -c <"$COMPRESS_FILE" | wc -c); fi
awk -v tuned="$(best tuned)" -v random="$(best random)" -v xz="$xz" -v n="$trials" '
  function row(name, bytes) {
    if (bytes == "-") { printf "%-24s not on this machine\n", name; return }
    printf "%-24s %9d bytes   the incumbent is %.2f %% smaller\n", name, bytes, 100 * (1 - tuned / bytes)
  }
  BEGIN {
    printf "%-24s %9d bytes\n", "bohier, " n " trials", tuned
    row("best of " n " random", random)
    row("xz -9e", xz)
  }'
