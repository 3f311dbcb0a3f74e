#!/bin/sh
# Starts a PostgreSQL server with the settings of a trial in a temporary directory, loads
# it with pgbench for SECONDS_EACH seconds (20), and prints the result as JSON. Nothing
# listens on the network. As root it runs as the user postgres.
set -eu
bin=${POSTGRES_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)}
[ -x "$bin/initdb" ] || { echo "no PostgreSQL server found: apt-get install postgresql, or set POSTGRES_BIN" >&2; exit 1; }
dir=$(mktemp -d)
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres "$dir"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
cd "$dir"
trap '$as "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || :; cd /; rm -rf "$dir"' EXIT
trap 'exit 143' TERM INT

$as "$bin/initdb" -D "$dir/data" -A trust -U postgres --no-sync >/dev/null
cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$dir'
shared_buffers = ${BOHIER_P_SHARED_BUFFERS_MB}MB
work_mem = ${BOHIER_P_WORK_MEM_KB}kB
random_page_cost = $BOHIER_P_RANDOM_PAGE_COST
synchronous_commit = $BOHIER_P_SYNCHRONOUS_COMMIT
commit_delay = ${BOHIER_P_COMMIT_DELAY_US:-0}
commit_siblings = ${BOHIER_P_COMMIT_SIBLINGS:-5}
wal_writer_delay = ${BOHIER_P_WAL_WRITER_DELAY_MS:-200}ms
wal_compression = $BOHIER_P_WAL_COMPRESSION
checkpoint_timeout = ${BOHIER_P_CHECKPOINT_TIMEOUT_S}s
jit = $BOHIER_P_JIT
CONF
$as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -t 300 -w start >/dev/null || { cat "$dir/log" >&2; exit 1; }
export PGHOST="$dir" PGUSER=postgres
"$bin/pgbench" -i -s "${SCALE:-10}" -q postgres >/dev/null 2>&1
seconds=${SECONDS_EACH:-20}
"$bin/pgbench" -c 8 -j 2 -T "$seconds" postgres 2>/dev/null >"$dir/result"
# Where no transaction ends in time, as on a machine that is busy, pgbench prints neither
# latency nor rate: none per second, and all of them took longer.
awk -v seconds="$seconds" '/^latency average/ {latency = $4} /^tps/ {tps = $3}
  END {if (tps == "") {tps = 0; latency = 1000 * seconds}
       printf "{\"tps\": %s, \"latency_ms\": %s}\n", tps, latency}' "$dir/result"
