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

if ! command -v dockerd >/dev/null || ! command -v mmdebstrap >/dev/null; then
  echo 'installing Docker and mmdebstrap'
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends docker.io containerd runc iptables mmdebstrap curl >/dev/null
fi

docker/try/docker-plugins.sh

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
