-- bohier's journals in PostgreSQL, version 1, schema {schema}.
-- For an administrator, who may create roles and schemas in this database:
--   bohier journal schema | psql DATABASE
-- and then, for each person or program:
--   GRANT {schema}_worker TO …;   -- runs studies
--   GRANT {schema}_reader TO …;   -- reads only
--   GRANT {schema}_keeper TO …;   -- archives
-- Nobody but {schema}_owner, which cannot log in, may change or remove a line.
BEGIN;
SET LOCAL client_min_messages = warning;

DO $roles$
DECLARE
  kind text;
BEGIN
  IF current_setting('server_version_num')::int < 140000 THEN
    RAISE EXCEPTION 'bohier needs PostgreSQL 14 or later';
  END IF;
  FOREACH kind IN ARRAY ARRAY['owner', 'reader', 'worker', 'keeper'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{schema}_' || kind) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', '{schema}_' || kind);
    END IF;
  END LOOP;
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT %I TO CURRENT_USER', '{schema}_owner');
  END IF;
END
$roles$;

CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {schema}_owner;
SET LOCAL ROLE {schema}_owner;

CREATE TABLE IF NOT EXISTS {schema}.meta (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version int NOT NULL,
  min_client int NOT NULL
);
INSERT INTO {schema}.meta (version, min_client) VALUES (1, 1) ON CONFLICT DO NOTHING;

-- A journal, and its head: number and checksum of its last line.
CREATE TABLE IF NOT EXISTS {schema}.journal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  seq bigint NOT NULL DEFAULT 0,
  sum text NOT NULL DEFAULT '00000000'
);

CREATE TABLE IF NOT EXISTS {schema}.line (
  journal bigint NOT NULL REFERENCES {schema}.journal,
  seq bigint NOT NULL,
  line bytea NOT NULL CHECK (length(line) BETWEEN 2 AND 1048576 AND position('\x0a'::bytea IN line) = 0),
  PRIMARY KEY (journal, seq)
);

-- Workers that live. Nothing in it needs to outlast the server.
CREATE UNLOGGED TABLE IF NOT EXISTS {schema}.beat (
  journal bigint NOT NULL,
  worker text NOT NULL CHECK (length(worker) <= 512),
  count bigint NOT NULL,
  PRIMARY KEY (journal, worker)
);

-- CRC-32C, as in every line.
CREATE OR REPLACE FUNCTION {schema}.crc32c(b bytea) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog AS $$
DECLARE
  t constant bigint[] := '{{table}}';
  c bigint := 4294967295;
BEGIN
  FOR i IN 0 .. length(b) - 1 LOOP
    c := t[((c # get_byte(b, i)) & 255) + 1] # (c >> 8);
  END LOOP;
  RETURN c # 4294967295;
END
$$;

-- The lock: the journal's row, until the transaction ends.
CREATE OR REPLACE FUNCTION {schema}.head(which text, OUT id bigint, OUT seq bigint, OUT sum text) RETURNS SETOF record
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT j.id, j.seq, j.sum FROM {schema}.journal j WHERE j.name = which FOR UPDATE
$$;

-- Appends lines after line number after, whose checksum is was; -1 where that is not
-- the last one any more.
CREATE OR REPLACE FUNCTION {schema}.append(which text, after bigint, was text, lines bytea[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  j {schema}.journal;
  k bigint := after;
  s text := was;
  l bytea;
  n int;
  begins bytea;
  seal text;
BEGIN
  IF after = 0 THEN
    INSERT INTO {schema}.journal (name) VALUES (which) ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO j FROM {schema}.journal WHERE name = which FOR UPDATE;
  IF NOT FOUND OR j.seq <> after OR j.sum <> was THEN
    RETURN -1;
  END IF;
  FOREACH l IN ARRAY lines LOOP
    k := k + 1;
    n := length(l);
    begins := convert_to('{"seq":' || k || ',"prev":"' || s || '",', 'UTF8');
    IF n < length(begins) + 18 OR substring(l FROM 1 FOR length(begins)) <> begins
       OR substring(l FROM n - 17 FOR 8) <> convert_to(',"crc":"', 'UTF8')
       OR substring(l FROM n - 1) <> convert_to('"}', 'UTF8') THEN
      RAISE EXCEPTION 'line % does not follow the one before it', k USING ERRCODE = 'check_violation';
    END IF;
    seal := lpad(to_hex({schema}.crc32c(substring(l FROM 1 FOR n - 18))), 8, '0');
    IF substring(l FROM n - 9 FOR 8) <> convert_to(seal, 'UTF8') THEN
      RAISE EXCEPTION 'the checksum of line % does not hold', k USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO {schema}.line VALUES (j.id, k, l);
    s := seal;
  END LOOP;
  UPDATE {schema}.journal SET seq = k, sum = s WHERE id = j.id;
  RETURN k;
END
$$;

CREATE OR REPLACE FUNCTION {schema}.beat(which text, who text, counted bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  INSERT INTO {schema}.beat (journal, worker, count) SELECT id, who, counted FROM {schema}.journal WHERE name = which
  ON CONFLICT (journal, worker) DO UPDATE SET count = excluded.count
$$;

CREATE OR REPLACE FUNCTION {schema}.leave(which text, who text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  DELETE FROM {schema}.beat WHERE worker = who AND journal = (SELECT id FROM {schema}.journal WHERE name = which)
$$;

-- Gives a journal a name with its run in it, so that the study begins anew.
CREATE OR REPLACE FUNCTION {schema}.archive(which text, run text) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  UPDATE {schema}.journal SET name = which || '.' || run WHERE name = which RETURNING name
$$;

REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA {schema} TO {schema}_reader, {schema}_worker, {schema}_keeper;
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {schema}_reader, {schema}_worker, {schema}_keeper;
GRANT EXECUTE ON FUNCTION {schema}.head(text), {schema}.append(text, bigint, text, bytea[]),
  {schema}.beat(text, text, bigint), {schema}.leave(text, text) TO {schema}_worker;
GRANT EXECUTE ON FUNCTION {schema}.archive(text, text) TO {schema}_keeper;
COMMIT;
