#!/bin/sh
# hosts.sh HOST…: a run on every host, by ssh, until the study is over. This directory is
# there under the same name, and the journal in it on a file system that all of them share
# (bohier doctor --fs), or in a database (BOHIER_JOURNAL). -tt: when the connection ends,
# the run gets HUP and gives its trials back.
set -eu
dir=$(cd "$(dirname "$0")" && pwd)
pids=
for host; do
  ssh -tt ${SSH_OPTIONS:-} "$host" \
    "cd '$dir' && ${BOHIER_JOURNAL:+BOHIER_JOURNAL='$BOHIER_JOURNAL'} '${BOHIER:-bohier}' run -q --worker 'ssh/$host'" </dev/null >/dev/null &
  pids="$pids $!"
done
trap 'kill $pids' INT TERM
rc=0
for pid in $pids; do wait "$pid" || rc=$?; done
exit "$rc"
