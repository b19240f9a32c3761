#!/bin/bash
# Unpacks packages of a newer Debian into a folder, without installing them: programs in Go run as they are.
#
#   docker/try/newer-debian.sh FOLDER PACKAGE…
set -euo pipefail
folder=$(realpath -m "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" "$work"/{lists/partial,cache/archives/partial,parts}
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
printf 'Types: deb\nURIs: %s\nSuites: sid\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
  "$mirror" >"$work/debian.sources"
printf 'Dir::State::lists "%s/lists";\nDir::Cache "%s/cache";\nDir::Etc::sourcelist "%s/debian.sources";\nDir::Etc::sourceparts "%s/parts";\n' \
  "$work" "$work" "$work" "$work" >"$work/apt.conf"
cd "$work"
export APT_CONFIG=$work/apt.conf
apt-get update -qq
apt-get download -qq "${@/%//sid}" 2>/dev/null
for file in *.deb; do dpkg-deb -x "$file" "$folder"; done
