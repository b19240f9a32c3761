#!/bin/bash
# Tries the images and docker/compose.yaml on a Debian machine, as root: installs Docker when it is missing, builds all
# images, starts everything, runs the README's tour, kills each container, and takes everything down.
#
#   docker/try.sh            exit code 0 when all of it works; it prints the minutes and the sizes of the images
#
# Only Node and npm are needed before. Docker is that of Debian; its compose is unpacked from a newer Debian, because
# Debian 12 has none of version 2. A daemon that this script starts ends with it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo 'docker/try.sh needs root: it installs Docker.' >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
plugins=/usr/local/lib/docker/cli-plugins

if ! command -v dockerd >/dev/null || ! command -v mmdebstrap >/dev/null; then
  echo 'installing Docker and mmdebstrap'
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends docker.io containerd runc iptables mmdebstrap curl >/dev/null
fi

if ! docker compose version >/dev/null 2>&1; then
  echo 'unpacking docker compose and buildx'
  work=$(mktemp -d)
  mkdir -p "$work"/{lists/partial,cache/archives/partial,parts} "$plugins"
  mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
  printf 'Types: deb\nURIs: %s\nSuites: sid\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "$mirror" >"$work/debian.sources"
  printf 'Dir::State::lists "%s/lists";\nDir::Cache "%s/cache";\nDir::Etc::sourcelist "%s/debian.sources";\nDir::Etc::sourceparts "%s/parts";\n' \
    "$work" "$work" "$work" "$work" >"$work/apt.conf"
  (
    cd "$work"
    export APT_CONFIG=$work/apt.conf
    apt-get update -qq
    apt-get download -qq docker-compose docker-buildx 2>/dev/null
    for file in *.deb; do dpkg-deb -x "$file" "$work/root"; done
  )
  install -m755 "$work"/root/usr/libexec/docker/cli-plugins/docker-{compose,buildx} "$plugins/"
  rm -rf "$work"
fi

daemon=
stop() { [ -z "$daemon" ] || { kill "$daemon"; wait "$daemon" 2>/dev/null || true; }; }
trap stop EXIT
if ! docker info >/dev/null 2>&1; then
  echo 'starting the Docker daemon'
  # The default limits of Docker are higher than some machines allow.
  dockerd --default-ulimit nofile=16384:16384 --default-ulimit nproc=4096:4096 >/var/log/dockerd-try.log 2>&1 &
  daemon=$!
  for _ in $(seq 120); do docker info >/dev/null 2>&1 && break; sleep 1; done
  docker info >/dev/null 2>&1 || { tail -20 /var/log/dockerd-try.log >&2; exit 1; }
fi

node tools/try-containers.mjs "$@"
