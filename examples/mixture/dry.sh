#!/bin/sh
# Stands for the laboratory: the minutes that a coating of these shares takes to dry.
awk -v resin="$1" -v hardener="$2" -v pigment="$3" -v filler="$4" -v thinner="$5" -v solvent="$6" 'BEGIN {
  if (resin + hardener + pigment + filler + thinner > 1 + 1e-12) exit 2
  base["water"] = 40; base["ethanol"] = 22; base["butyl_acetate"] = 26
  best["water"] = 0.14; best["ethanol"] = 0.18; best["butyl_acetate"] = 0.24
  print base[solvent] + 300 * (hardener - 0.35 * resin)^2 + 250 * (thinner - best[solvent])^2 \
    + 120 * (pigment - 0.12)^2 + 80 * (filler - 0.15)^2
}'
