#!/bin/sh
# What docker/compose.yaml uses of the entry point of the official PostgreSQL image: it makes the cluster of databases
# once, with the password in POSTGRES_PASSWORD_FILE, and the database POSTGRES_DB.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -U postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses='' -k /tmp" start >/dev/null
  [ "${POSTGRES_DB:-postgres}" = postgres ] || createdb -h /tmp -U postgres "$POSTGRES_DB"
  pg_ctl -w -m fast stop >/dev/null
fi
exec "$@"
