// What a network plugin and a DNS server do in a cluster, for the one of cluster.sh: it follows the API, writes the
// names of services for dnsmasq, and the NetworkPolicies as rules of nftables.
//
//   node docker/try/cluster-network.mjs API TOKEN HOSTS-FILE DNSMASQ-PID-FILE
//
// A packet that begins a connection is forwarded when the policies of its sender let it out and those of its receiver
// let it in. Every pod of the cluster is on this machine, so the address of a packet tells the pod.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const [api, token, hostsFile, pidFile] = process.argv.slice(2);
const pollMs = 500;

const list = (path) =>
  new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}` }, timeout: 5000 };
    request(`${api}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('end', () =>
        response.statusCode === 200 ? resolve(JSON.parse(text).items) : reject(new Error(`${response.statusCode}`)),
      );
    })
      .on('timeout', function () {
        this.destroy(new Error('no answer'));
      })
      .on('error', reject)
      .end();
  });

/** Whether labels fit a selector of Kubernetes; an empty selector fits all. */
export function fits({ matchLabels = {}, matchExpressions = [] } = {}, labels = {}) {
  const has = (key) => Object.hasOwn(labels, key);
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) =>
      operator === 'In'
        ? values.includes(labels[key])
        : operator === 'NotIn'
          ? !values.includes(labels[key])
          : operator === 'Exists'
            ? has(key)
            : !has(key),
    )
  );
}

/** The rules of nftables for all pods with an address. */
export function rulesOf({ pods, policies, namespaces }) {
  const labelsOfNamespace = new Map(
    namespaces.map(({ metadata: { name, labels } }) => [name, { 'kubernetes.io/metadata.name': name, ...labels }]),
  );
  // A pod that has ended keeps its address in the API, and a new pod may have got it.
  const ended = ['Succeeded', 'Failed'];
  const withAddress = pods
    .filter(({ status, spec }) => status.podIP && !spec.hostNetwork && !ended.includes(status.phase))
    .sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp));
  const running = [...new Map(withAddress.map((pod) => [pod.status.podIP, pod])).values()];
  const chains = [];
  const ways = { in: [], out: [] };
  running.forEach((pod, n) => {
    const own = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.metadata.namespace && fits(spec.podSelector, pod.metadata.labels),
    );
    for (const [way, type, rules, peers, address] of [
      ['in', 'Ingress', 'ingress', 'from', 'saddr'],
      ['out', 'Egress', 'egress', 'to', 'daddr'],
    ]) {
      const ruling = own.filter(({ spec }) => spec.policyTypes.includes(type));
      if (ruling.length === 0) continue;
      const lines = ruling.flatMap(({ metadata, spec }) =>
        (spec[rules] ?? []).flatMap((rule) =>
          addressesOf(rule[peers], metadata.namespace).flatMap((match) =>
            portsOf(rule.ports, pod).map((port) =>
              [match && `ip ${address} ${match}`, port, 'return'].filter(Boolean).join(' '),
            ),
          ),
        ),
      );
      chains.push(`  chain ${way}_${n} {\n${[...lines, 'counter drop'].map((line) => `    ${line}\n`).join('')}  }`);
      ways[way].push(`${pod.status.podIP} : jump ${way}_${n}`);
    }
  });

  /** Addresses of the peers of a rule; an empty text is every address. */
  function addressesOf(peers, namespace) {
    if (!peers?.length) return [''];
    return peers.flatMap(({ ipBlock, podSelector, namespaceSelector }) => {
      if (ipBlock?.cidr.includes(':')) return [];
      if (ipBlock) {
        const { cidr, except = [] } = ipBlock;
        const all = cidr === '0.0.0.0/0' ? '' : cidr;
        return except.length === 0 ? [all] : [`!= { ${except.join(', ')} }${all && ` ip daddr ${all}`}`];
      }
      const found = running.filter(
        ({ metadata }) =>
          (namespaceSelector
            ? fits(namespaceSelector, labelsOfNamespace.get(metadata.namespace))
            : metadata.namespace === namespace) && fits(podSelector, metadata.labels),
      );
      return found.length === 0 ? [] : [`{ ${found.map(({ status }) => status.podIP).join(', ')} }`];
    });
  }

  const table = ['table inet ams_trial', 'delete table inet ams_trial', 'table inet ams_trial {'];
  for (const way of ['out', 'in'])
    if (ways[way].length > 0)
      table.push(`  map ${way} { type ipv4_addr : verdict; elements = { ${ways[way].join(', ')} } }`);
  table.push(
    ...chains,
    '  chain forward {',
    '    type filter hook forward priority -5; policy accept;',
    '    ct state established,related accept',
    ...(ways.out.length > 0 ? ['    ip saddr vmap @out'] : []),
    ...(ways.in.length > 0 ? ['    ip daddr vmap @in'] : []),
    '  }',
    '}',
  );
  return `${table.join('\n')}\n`;
}

function portsOf(ports, pod) {
  if (!ports?.length) return [''];
  const numberOf = (port) =>
    typeof port === 'number'
      ? port
      : pod.spec.containers.flatMap((container) => container.ports ?? []).find(({ name }) => name === port)
          ?.containerPort;
  return ports.map(({ protocol = 'TCP', port }) =>
    port === undefined ? `meta l4proto ${protocol.toLowerCase()}` : `${protocol.toLowerCase()} dport ${numberOf(port)}`,
  );
}

async function follow() {
  let rules = '';
  let hosts = '';
  for (;;) {
    try {
      const [pods, policies, namespaces, services] = await Promise.all(
        ['/api/v1/pods', '/apis/networking.k8s.io/v1/networkpolicies', '/api/v1/namespaces', '/api/v1/services'].map(
          list,
        ),
      );
      const newHosts = services
        .filter(({ spec }) => spec.clusterIP && spec.clusterIP !== 'None')
        .map(({ metadata, spec }) => `${spec.clusterIP} ${metadata.name}.${metadata.namespace}.svc.cluster.local\n`)
        .sort()
        .join('');
      if (newHosts !== hosts) {
        writeFileSync(hostsFile, newHosts);
        if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGHUP');
        hosts = newHosts;
      }
      const newRules = rulesOf({ pods, policies, namespaces });
      if (newRules !== rules) {
        const { status, stderr } = spawnSync('nft', ['-f', '-'], { input: newRules, encoding: 'utf8' });
        if (status === 0) rules = newRules;
        else console.error(stderr);
      }
    } catch (error) {
      console.error(error.message);
    }
    await sleep(pollMs);
  }
}

if (process.argv[1] === import.meta.filename) await follow();
