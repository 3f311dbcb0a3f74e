#!/bin/sh
# Fits one model to 60 noisy points of a curve and prints its root mean squared
# error on 200 others. Plain awk and always the same data: a stand-in for a
# training program.
#
#   sh train.sh model=poly lr=0.1 degree=5
set -eu

for arg in "$@"; do
  case $arg in
  model=* | lr=* | degree=* | decay=* | neighbors=* | weighted=*) ;;
  *) echo "train.sh: unknown argument $arg" >&2; exit 2 ;;
  esac
done

exec awk '
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function curve(x) { return sin(4 * x) + 0.5 * x * x }
function point(noise) { px = 2 * uniform() - 1; py = curve(px) + noise * (uniform() + uniform() + uniform() - 1.5) }

# Chebyshev polynomials: well conditioned features of x in [-1, 1].
function features(x, j) { f[0] = 1; f[1] = x; for (j = 2; j <= degree; j++) f[j] = 2 * x * f[j-1] - f[j-2] }
function dot(j, s) { s = 0; for (j = 0; j <= degree; j++) s += w[j] * f[j]; return s }
function descend(epoch, i, j, step, e) {
  for (epoch = 0; epoch < 60; epoch++) {
    step = lr / (1 + epoch / 10)
    for (i = 1; i <= n; i++) {
      features(x[i]); e = dot() - y[i]
      if (e > 1e6 || e < -1e6) { print "train.sh: diverged" > "/dev/stderr"; exit 1 }
      for (j = 0; j <= degree; j++) w[j] -= step * (e * f[j] + decay * j * j * w[j])
    }
  }
}

function nearest(q, i, k, best, d, s, total, used) {
  for (k = 1; k <= neighbors; k++) {
    best = 0
    for (i = 1; i <= n; i++) if (!(i in used)) { d = (x[i] - q) ^ 2; if (!best || d < dbest) { best = i; dbest = d } }
    used[best] = 1
    d = weighted == "true" ? 1 / (0.01 + sqrt(dbest)) : 1
    s += d * y[best]; total += d
  }
  return s / total
}

BEGIN {
  for (i = 1; i < ARGC; i++) { split(ARGV[i], kv, "="); arg[kv[1]] = kv[2] }
  model = arg["model"]; lr = arg["lr"] + 0; decay = arg["decay"] + 0
  neighbors = arg["neighbors"] + 0; weighted = arg["weighted"]
  degree = model == "poly" ? arg["degree"] + 0 : 1
  if (model == "knn" ? neighbors < 1 : lr <= 0) { print "train.sh: a setting is missing" > "/dev/stderr"; exit 2 }

  state = 20130705; n = 60
  for (i = 1; i <= n; i++) { point(0.3); x[i] = px; y[i] = py }
  if (model != "knn") descend()
  for (i = 1; i <= 200; i++) {
    point(0)
    if (model == "knn") p = nearest(px); else { features(px); p = dot() }
    sse += (p - py) ^ 2
  }
  printf "%.6f\n", sqrt(sse / 200)
}' "$@"
