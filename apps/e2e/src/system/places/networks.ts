/**
 * A network namespace for each replica, connected by a bridge, with partitions by nftables: packets between two sides
 * are silently dropped, in both directions. The servers are reached at the address of the bridge, by TCP relays.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Place } from './place.js';

export interface Networks {
  /** The address of the bridge, at which servers and receivers of this process are reached. */
  host: string;
  placeOf(replica: string): Place;
  /** Drops what this replica and the port of the host send each other. */
  cutFromPort(replica: string, port: number): void;
  /** Drops what these two replicas send each other. */
  cutFromReplica(replica: string, other: string): void;
  /** Ends all partitions. */
  heal(): void;
  close(): void;
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The second byte of addresses that no other run uses. */
function freeNet(): number {
  const used = ip('-4', '-o', 'addr');
  for (let net = 1; net < 255; net++) if (!used.includes(` 10.77.${net}.`)) return net;
  throw new Error('all networks are in use');
}

/** Removes the networks of runs that were killed. The alias of a bridge is the process id of its run. */
function removeAbandoned(): void {
  const bridges = JSON.parse(ip('-j', 'link', 'show', 'type', 'bridge')) as { ifname?: string; ifalias?: string }[];
  for (const { ifname = '', ifalias = '' } of bridges) {
    if (!/^ams\d+$/.test(ifname) || existsSync(`/proc/${ifalias}`)) continue;
    for (const [, namespace = ''] of ip('netns').matchAll(new RegExp(`^(${ifname}-\\d+)\\b`, 'gm')))
      ip('netns', 'del', namespace);
    ip('link', 'del', ifname);
  }
}

const bridgesCallIptables = '/proc/sys/net/bridge/bridge-nf-call-iptables';

/** Where bridges call iptables, the rules of Docker drop what a bridge forwards between its namespaces. */
function setForwarding(how: '-I' | '-D', bridge: string): void {
  if (!existsSync(bridgesCallIptables) || readFileSync(bridgesCallIptables, 'utf8').trim() !== '1') return;
  try {
    execFileSync('iptables', ['-w', how, 'FORWARD', '-i', bridge, '-o', bridge, '-j', 'ACCEPT'], { stdio: 'pipe' });
  } catch (error) {
    // A machine without the program has no Docker that made rules with it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A namespace with its address. */
interface Net {
  namespace: string;
  address: string;
}

export function openNetworks(): Networks {
  removeAbandoned();
  const net = freeNet();
  const bridge = `ams${net}`;
  const host = `10.77.${net}.1`;
  const nets = new Map<string, Net>();
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('link', 'set', bridge, 'alias', String(process.pid));
  ip('addr', 'add', `${host}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  setForwarding('-I', bridge);

  const netOf = (replica: string): Net => {
    const known = nets.get(replica);
    if (!known) throw new Error(`${replica} has no network`);
    return known;
  };
  const inside = ({ namespace }: Net, ...command: string[]): unknown =>
    execFileSync('ip', ['netns', 'exec', namespace, ...command], { stdio: 'pipe' });
  /** `to` and `from`: conditions of nftables. */
  const drop = (of: Net, to: string, from: string): void => {
    inside(of, 'nft', `add rule inet ams sent ${to} drop`);
    inside(of, 'nft', `add rule inet ams received ${from} drop`);
  };

  return {
    host,
    placeOf(replica) {
      const n = nets.size + 2;
      const of = { namespace: `${bridge}-${n}`, address: `10.77.${net}.${n}` };
      nets.set(replica, of);
      ip('netns', 'add', of.namespace);
      ip('link', 'add', of.namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', of.namespace);
      ip('link', 'set', of.namespace, 'master', bridge, 'up');
      inside(of, 'ip', 'addr', 'add', `${of.address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) inside(of, 'ip', 'link', 'set', device, 'up');
      inside(of, 'nft', 'add table inet ams');
      inside(of, 'nft', 'add chain inet ams sent { type filter hook output priority 0; }');
      inside(of, 'nft', 'add chain inet ams received { type filter hook input priority 0; }');
      return { prefix: ['ip', 'netns', 'exec', of.namespace], env: {}, host: of.address };
    },
    cutFromPort: (replica, port) =>
      drop(netOf(replica), `ip daddr ${host} tcp dport ${port}`, `ip saddr ${host} tcp sport ${port}`),
    cutFromReplica(replica, other) {
      const { address } = netOf(other);
      drop(netOf(replica), `ip daddr ${address}`, `ip saddr ${address}`);
    },
    heal() {
      for (const of of nets.values()) inside(of, 'nft', 'flush table inet ams');
    },
    close() {
      for (const { namespace } of nets.values()) {
        ip('link', 'del', namespace); // the kernel deletes what is in a namespace some time after it
        ip('netns', 'del', namespace);
      }
      setForwarding('-D', bridge);
      ip('link', 'del', bridge);
    },
  };
}
