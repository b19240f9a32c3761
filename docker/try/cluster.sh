#!/bin/bash
# A Kubernetes cluster of one node on a Debian 12 machine, as root, for docker/try-kubernetes.sh:
#
#   docker/try/cluster.sh up       builds what is missing, starts it, and prints the path of a kubeconfig
#   docker/try/cluster.sh down     ends it, with all containers of its pods
#   docker/try/cluster.sh environment    prints variables for a shell: the cluster, its Docker, a server outside of it
#
# No registry of images and no release of Kubernetes is needed: API server, controllers, scheduler, kubelet and kube-proxy
# are built from Debian's source package (1.20, about ten minutes once), etcd, Docker, Go and dnsmasq are packages. It is
# for trials only: its API is open to everybody on this machine. CLUSTER_DIR (/var/tmp/ams-cluster) has all files.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
DIR=${CLUSTER_DIR:-/var/tmp/ams-cluster}
BIN=$DIR/bin
RUN=$DIR/run
PROGRAMS=(kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy)
# Addresses of Docker's bridge, and of services. The first one of the bridge is the node, with its DNS server.
BRIDGE=172.29.0.1/16
NODE=172.29.0.1
# A server outside (a range for documentation, which no network has), and the way to it.
OUTSIDE=203.0.113.2
ROUTER=203.0.113.1
SERVICES=10.97.0.0/16
API=127.0.0.1:16443
ETCD=127.0.0.1:12379
export DEBIAN_FRONTEND=noninteractive DOCKER_HOST=unix://$RUN/docker.sock PATH=$BIN:$PATH

fail() { echo "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'docker/try/cluster.sh needs root.'

packages() {
  local missing=()
  for pair in dockerd=docker.io containerd=containerd runc=runc iptables=iptables etcd=etcd-server dnsmasq=dnsmasq-base \
    nft=nftables ip=iproute2 conntrack=conntrack openssl=openssl mmdebstrap=mmdebstrap curl=curl; do
    command -v "${pair%=*}" >/dev/null || [ -x "/usr/sbin/${pair%=*}" ] || missing+=("${pair#*=}")
  done
  [ ${#missing[@]} = 0 ] || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
}

# kubectl of Debian 12 cannot read the overlays: its kustomize has no components.
kubectl_of_newer_debian() {
  [[ $(kubectl version --client 2>/dev/null) =~ v1\.(2[2-9]|[3-9][0-9]) ]] && return
  [ -x "$BIN/kubectl" ] && return
  "$HERE/newer-debian.sh" "$DIR/newer" kubectl
  install -m755 "$DIR/newer/usr/bin/kubectl" "$BIN/kubectl"
}

build() {
  local missing=() program
  for program in "${PROGRAMS[@]}"; do [ -x "$BIN/$program" ] || missing+=("$program"); done
  [ ${#missing[@]} = 0 ] && [ -x "$BIN/pause" ] && return
  echo "building ${missing[*]} from Debian's source package" >&2
  apt-get install -y -qq --no-install-recommends golang-go dpkg-dev >/dev/null
  local tree=$DIR/go/src/k8s.io/kubernetes
  if [ ! -d "$tree" ]; then
    local lists=$DIR/apt
    mkdir -p "$lists"/{lists/partial,cache/archives/partial,parts} "${tree%/*}"
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$lists/debian.sources"
    printf 'Dir::State::lists "%s/lists";\nDir::Cache "%s/cache";\nDir::Etc::sourcelist "%s/debian.sources";\nDir::Etc::sourceparts "%s/parts";\n' \
      "$lists" "$lists" "$lists" "$lists" >"$lists/apt.conf"
    (
      cd "$lists"
      export APT_CONFIG=$lists/apt.conf
      apt-get update -qq
      apt-get source -qq --download-only kubernetes
      dpkg-source --no-check -x kubernetes_*.dsc "$tree" >/dev/null
    )
  fi
  export GOPATH=$DIR/go GOCACHE=$DIR/go-cache GO111MODULE=off CGO_ENABLED=0
  local version=k8s.io/kubernetes/vendor/k8s.io/component-base/version
  # The source package has no generated description of the API, which the API server serves.
  if [ ! -e "$tree/pkg/generated/openapi/zz_generated.openapi.go" ]; then
    (
      cd "$tree"
      go build -o "$DIR/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
      inputs=$(grep -rl --include=*.go '+k8s:openapi-gen=' vendor/k8s.io/*/ pkg cmd | grep -vE '_examples|/(code-generator|sample-)' |
        xargs -n1 dirname | sort -u | sed 's#^vendor/##; t; s#^#k8s.io/kubernetes/#' | paste -sd,)
      "$DIR/openapi-gen" --go-header-file hack/boilerplate/boilerplate.generatego.txt -O zz_generated.openapi \
        -i "$inputs" -p k8s.io/kubernetes/pkg/generated/openapi -r "$DIR/violations" --output-base "$GOPATH/src"
    )
  fi
  for program in "${missing[@]}"; do
    (cd "$tree" && go build -p 2 -trimpath -o "$BIN/$program" \
      -ldflags "-s -w -X $version.gitMajor=1 -X $version.gitMinor=20 -X $version.gitVersion=v1.20.2" "./cmd/$program")
  done
  # The container that holds the network of a pod.
  mkdir -p "$DIR/pause"
  printf 'package main\n\nimport (\n\t"os"\n\t"os/signal"\n\t"syscall"\n)\n\nfunc main() {\n\tc := make(chan os.Signal, 1)\n\tsignal.Notify(c, syscall.SIGTERM, syscall.SIGINT)\n\t<-c\n}\n' \
    >"$DIR/pause/main.go"
  go build -o "$BIN/pause" "$DIR/pause/main.go"
}

# NAME COMMAND…: in the background, with a log and a file with its process id
start() {
  local name=$1
  shift
  setsid "$@" >"$RUN/$name.log" 2>&1 </dev/null &
  echo $! >"$RUN/$name.pid"
}
# WHAT SECONDS COMMAND…
until_ok() {
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until timeout 10 "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "$what did not become ready; see $RUN"
    sleep 0.5
  done
}

kubeconfig() {
  cat >"$DIR/kubeconfig" <<C
apiVersion: v1
kind: Config
clusters: [{ name: trial, cluster: { server: 'https://$API', insecure-skip-tls-verify: true } }]
users: [{ name: trial, user: { token: trial } }]
contexts: [{ name: trial, context: { cluster: trial, user: trial } }]
current-context: trial
C
  export KUBECONFIG=$DIR/kubeconfig
}

up() {
  mkdir -p "$BIN" "$RUN"
  packages >&2
  kubectl_of_newer_debian >&2
  build >&2
  down

  # A negative oom_score_adj needs a right that a container of this machine may not have.
  printf '#!/bin/sh\np=; for a in "$@"; do [ "$p" = --bundle ] && sed -i "s/\\"oomScoreAdj\\":-[0-9]*/\\"oomScoreAdj\\":0/" "$a/config.json"; p=$a; done\nexec %s "$@"\n' \
    "$(command -v runc)" >"$BIN/trial-runtime" # not named runc: it would find itself
  chmod 755 "$BIN/trial-runtime"
  mkdir -p "$DIR/docker"
  # The files of the daemon of docker/try.sh are not touched: this one has its own folder, socket and bridge.
  ip link show ams-trial >/dev/null 2>&1 || ip link add ams-trial type bridge
  ip address replace "$BRIDGE" dev ams-trial
  ip link set ams-trial up
  start dockerd dockerd --host "$DOCKER_HOST" --data-root "$DIR/docker" --exec-root "$RUN/docker" --pidfile "$RUN/docker.pid" \
    --bridge ams-trial --fixed-cidr 172.29.128.0/17 --add-runtime "trial=$BIN/trial-runtime" --default-runtime trial \
    --iptables=false --default-ulimit nofile=16384:16384 --default-ulimit nproc=4096:4096 \
    --exec-opt native.cgroupdriver=cgroupfs
  until_ok Docker 60 docker info
  docker image inspect ams-try/pause >/dev/null 2>&1 ||
    tar -C "$BIN" -cf - pause | docker import --change 'ENTRYPOINT ["/pause"]' - ams-try/pause >/dev/null

  rm -rf "$DIR/etcd" "$DIR/kubelet"
  mkdir -p "$DIR/certificates" "$DIR/kubelet"
  [ -s "$DIR/certificates/accounts.key" ] || openssl genrsa -out "$DIR/certificates/accounts.key" 2048 2>/dev/null
  echo 'trial,trial,trial,system:masters' >"$DIR/tokens.csv"
  start etcd etcd --data-dir "$DIR/etcd" --listen-client-urls "http://$ETCD" --advertise-client-urls "http://$ETCD" \
    --listen-peer-urls http://127.0.0.1:12380 --unsafe-no-fsync
  start apiserver "$BIN/kube-apiserver" --etcd-servers "http://$ETCD" --bind-address "${API%:*}" --secure-port "${API#*:}" \
    --cert-dir "$DIR/certificates" --token-auth-file "$DIR/tokens.csv" --authorization-mode RBAC \
    --service-cluster-ip-range "$SERVICES" --service-account-issuer trial \
    --service-account-key-file "$DIR/certificates/accounts.key" \
    --service-account-signing-key-file "$DIR/certificates/accounts.key" --allow-privileged=true \
    --kubelet-preferred-address-types InternalIP
  kubeconfig
  until_ok 'the API server' 90 curl --silent --fail --insecure "https://$API/readyz"
  start controllers "$BIN/kube-controller-manager" --kubeconfig "$KUBECONFIG" --leader-elect=false \
    --service-account-private-key-file "$DIR/certificates/accounts.key" --port 0
  start scheduler "$BIN/kube-scheduler" --kubeconfig "$KUBECONFIG" --leader-elect=false --port 0
  cat >"$DIR/kubelet.yaml" <<C
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
cgroupDriver: cgroupfs
failSwapOn: false
healthzBindAddress: 127.0.0.1
clusterDomain: cluster.local
clusterDNS: [$NODE]
enforceNodeAllocatable: []
evictionHard: { memory.available: 100Mi, nodefs.available: 1Mi, nodefs.inodesFree: 1%, imagefs.available: 1Mi }
C
  start kubelet "$BIN/kubelet" --config "$DIR/kubelet.yaml" --kubeconfig "$KUBECONFIG" --root-dir "$DIR/kubelet" \
    --container-runtime docker --docker-endpoint "$DOCKER_HOST" --pod-infra-container-image ams-try/pause \
    --hostname-override trial --node-ip $NODE
  start proxy "$BIN/kube-proxy" --kubeconfig "$KUBECONFIG" --proxy-mode iptables --hostname-override trial \
    --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0
  until_ok 'the node' 90 sh -c 'kubectl get node trial -o jsonpath="{.status.conditions[?(@.type==\"Ready\")].status}" | grep -q True'
  network
  echo "$KUBECONFIG"
}

# The names of services, the NetworkPolicies, and a server outside of the cluster, at an address that is public.
network() {
  : >"$RUN/services.hosts"
  start dnsmasq dnsmasq --keep-in-foreground --no-resolv --no-hosts --addn-hosts "$RUN/services.hosts" \
    --listen-address "$NODE" --bind-interfaces --port 53 --local /cluster.local/ --pid-file= --user=root
  start network node "$HERE/cluster-network.mjs" "https://$API" trial "$RUN/services.hosts" "$RUN/dnsmasq.pid"
  ip netns add ams-outside
  ip link add ams-outside type veth peer name outside netns ams-outside
  ip address add "$ROUTER/30" dev ams-outside
  ip link set ams-outside up
  ip -n ams-outside address add "$OUTSIDE/30" dev outside
  ip -n ams-outside link set outside up
  ip -n ams-outside route add default via "$ROUTER"
  start outside ip netns exec ams-outside node -e "require('net').createServer((s) => s.end()).listen(443)"
}

down() {
  local name pid
  for name in outside network dnsmasq proxy kubelet scheduler controllers apiserver etcd; do
    [ -s "$RUN/$name.pid" ] || continue
    pid=$(cat "$RUN/$name.pid")
    kill -- "-$pid" 2>/dev/null || true
    rm -f "$RUN/$name.pid"
  done
  if [ -s "$RUN/dockerd.pid" ]; then
    timeout 120 sh -c 'docker ps --all --quiet | xargs --no-run-if-empty docker rm --force' >/dev/null 2>&1 || true
    pid=$(cat "$RUN/dockerd.pid")
    kill "$pid" 2>/dev/null || true
    # Two daemons must not use the same folder.
    for _ in $(seq 240); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
    kill -KILL -- "-$pid" 2>/dev/null || true
    rm -rf "$RUN/dockerd.pid" "$RUN/docker.pid" "$RUN/docker"
  fi
  [ ! -x "$BIN/kube-proxy" ] || "$BIN/kube-proxy" --cleanup >/dev/null 2>&1 || true
  awk -v d="$DIR/kubelet" 'index($2, d) == 1 {print $2}' /proc/mounts | sort -r | xargs --no-run-if-empty umount 2>/dev/null || true
  ip link delete ams-trial 2>/dev/null || true
  ip link delete ams-outside 2>/dev/null || true
  ip netns delete ams-outside 2>/dev/null || true
  nft delete table inet ams_trial 2>/dev/null || true
}

case ${1:-} in
  up) up ;;
  down) down ;;
  environment)
    printf 'export PATH=%q:$PATH KUBECONFIG=%q DOCKER_HOST=%q CLUSTER_OUTSIDE=%q\n' \
      "$BIN" "$DIR/kubeconfig" "$DOCKER_HOST" "$OUTSIDE:443"
    ;;
  *) fail 'docker/try/cluster.sh up|down|environment' ;;
esac
