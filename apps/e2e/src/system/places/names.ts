/**
 * Names for PostgreSQL and NATS that a test can make unknown. The replicas run in mount namespaces with a hosts file
 * and a resolv.conf of the test; the name server in it does not answer.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisMachine, type Place } from './place.js';

const names = { postgres: 'postgres.ams.test', nats: 'nats.ams.test' };

export interface Names {
  place: Place;
  /** The URL with the name of the server in place of its address. */
  named(server: keyof typeof names, url: string): string;
  /** From now on the names are unknown, or known again. */
  know(known: boolean): void;
}

export function openNames(dir: string): Names {
  const folder = join(dir, 'names');
  mkdirSync(folder);
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  // The files are changed in place: a mount refers to the file, not to its path.
  const know = (known: boolean): void =>
    writeFileSync(hosts, `127.0.0.1 localhost ${known ? Object.values(names).join(' ') : ''}\n`);
  know(true);
  writeFileSync(resolver, 'nameserver 127.0.0.254\noptions timeout:1 attempts:1\n');
  const start = 'mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
  return {
    place: { ...thisMachine, prefix: ['unshare', '-m', 'sh', '-c', start, hosts, resolver] },
    named(server, url) {
      const own = new URL(url);
      own.hostname = names[server];
      return own.href;
    },
    know,
  };
}
