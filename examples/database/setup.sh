#!/bin/sh
# setup.sh USER: makes the schema in the database that PGHOST, PGDATABASE and so on name,
# and a USER who runs studies in it, with 60 sessions at most. For an administrator; running
# it again is safe.
set -eu
user=${1:?usage: setup.sh USER}
"${BOHIER:-bohier}" journal schema | psql -X -q -v ON_ERROR_STOP=1
psql -X -q -v ON_ERROR_STOP=1 -v user="$user" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN CONNECTION LIMIT 60', :'user') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'user') \gexec
GRANT bohier_worker TO :"user";
SQL
echo "set the password with: psql -c '\\password $user'"
