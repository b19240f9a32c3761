#!/bin/bash
# Gives the docker command compose and buildx where it has none: Debian 12 has no version 2 of compose. Needs root.
set -euo pipefail
plugins=/usr/local/lib/docker/cli-plugins
docker compose version >/dev/null 2>&1 && exit
echo 'unpacking docker compose and buildx'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/newer-debian.sh" "$work" docker-compose docker-buildx
mkdir -p "$plugins"
install -m755 "$work"/usr/libexec/docker/cli-plugins/docker-{compose,buildx} "$plugins/"
