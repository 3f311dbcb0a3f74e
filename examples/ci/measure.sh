#!/bin/sh
# The size of the archive with the flags of a trial. Put your own benchmark here.
set -eu
seq 1 20000 | xz --format=raw --suffix=.raw \
  --lzma2="lc=$BOHIER_P_LC,lp=$BOHIER_P_LP,pb=$BOHIER_P_PB,mode=$BOHIER_P_MODE,nice=$BOHIER_P_NICE,mf=bt4" | wc -c
