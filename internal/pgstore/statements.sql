-- The statements of a store, by name. A store puts the name of its schema for {schema}.

-- greet
SELECT version, min_client, current_setting('server_version_num')::int, current_setting('server_version'),
current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on', pg_backend_pid() FROM {schema}.meta

-- version
SELECT version FROM {schema}.meta

-- describe
SELECT current_setting('server_version'), (SELECT version FROM {schema}.meta), current_setting('synchronous_commit'),
current_setting('fsync'), current_setting('full_page_writes'), (SELECT count(*) FROM pg_stat_replication)::int,
(SELECT count(*) FILTER (WHERE sync_state = 'async' OR current_setting('synchronous_standby_names') = '') FROM
  pg_stat_replication)::int,
LEAST(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - (SELECT
  count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int,
(SELECT NULLIF(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user)::int FROM
  pg_roles WHERE rolname = current_user),
(SELECT NULLIF(datconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity a WHERE a.datname = d.datname)::int FROM
  pg_database d WHERE datname = current_database())),
COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)

-- rights
SELECT has_function_privilege('{schema}.append(text, bigint, text, bytea[])', 'EXECUTE'),
has_table_privilege('{schema}.line', 'SELECT'), has_function_privilege('{schema}.archive(text, text)', 'EXECUTE'),
has_table_privilege('{schema}.line', 'INSERT') OR has_table_privilege('{schema}.line', 'UPDATE') OR
  has_table_privilege('{schema}.line', 'DELETE')
OR has_table_privilege('{schema}.line', 'TRUNCATE'), (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)

-- read
SELECT j.seq, j.sum, l.seq, l.line FROM {schema}.journal j
LEFT JOIN {schema}.line l ON l.journal = j.id AND l.seq >= $2 WHERE j.name = $1 ORDER BY l.seq

-- limits
-- The limits of a transaction that has the lock, in milliseconds where there is no unit: a
-- holder that falls silent loses the lock after 15 s, by the server's clock.
SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '15s', true),
set_config('statement_timeout', '0', true), set_config('client_connection_check_interval', '5s', true),
set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on' ELSE
  current_setting('synchronous_commit') END, true)

-- head
SELECT seq FROM {schema}.head($1)

-- name
SELECT pg_current_xact_id()::text

-- fate
SELECT coalesce(pg_xact_status($1::xid8), '')

-- holder
SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
WHERE l.relation = '{schema}.journal'::regclass AND l.mode = 'RowShareLock' AND l.granted AND l.pid <>
  pg_backend_pid()
AND NOT EXISTS (SELECT FROM pg_locks w WHERE w.pid = l.pid AND NOT w.granted) LIMIT 1

-- append
SELECT {schema}.append($1, $2, $3, $4)

-- archive
SELECT {schema}.archive($1, $2)

-- hold
-- With the first number a session gets limits by which a host that vanished is noticed within
-- half a minute.
SELECT pg_try_advisory_lock($1, $2), set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false),
set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)

-- held
SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
AND classid::bigint = $1::bigint AND database = (SELECT oid FROM pg_database WHERE datname = current_database())

-- release
SELECT pg_advisory_unlock($1, n) FROM unnest($2::int[]) n

-- beat
SELECT {schema}.beat($1, $2, $3)

-- beats
SELECT b.worker, b.count FROM {schema}.beat b JOIN {schema}.journal j ON j.id = b.journal WHERE j.name = $1

-- leave
SELECT {schema}.leave($1, $2)
