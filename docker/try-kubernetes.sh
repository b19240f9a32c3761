#!/bin/bash
# Tries docker/kubernetes on a Debian machine, as root: starts a cluster of one node (docker/try/cluster.sh), applies the
# overlay `demo`, rolls every service under load, tries the network policies, and takes everything down.
#
#   docker/try-kubernetes.sh [--keep]     exit code 0 when all of it works
#
# Only Node and npm are needed before. The first run builds Kubernetes, which takes about ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
keep=
for argument in "$@"; do [ "$argument" != --keep ] || keep=1; done
KUBECONFIG=$(docker/try/cluster.sh up)
export KUBECONFIG
trap '[ -n "$keep" ] || docker/try/cluster.sh down' EXIT
eval "$(docker/try/cluster.sh environment)"
docker/try/docker-plugins.sh
node tools/try-kubernetes.mjs --outside "$CLUSTER_OUTSIDE" "$@"
