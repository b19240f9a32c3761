// Where the data of an embedded PostgreSQL lies: in the folder asked for, or, when the account that runs the server
// cannot enter that (root's home is 0700), in a folder elsewhere that `<dir>/postgres-location` names.
//
// The folder elsewhere is only ever one that we made ourselves: its name is random and written down before mkdir makes
// it, and mkdir fails when somebody else was there first. So nobody can prepare a folder for us to trust, and whatever
// is interrupted, what exists is named and can be removed. It belongs to us; `data` in it (0700) to the account, which
// therefore cannot put a link where we are about to write.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Account, canEnter } from './account.js';
import { EmbeddedError } from './embedded-error.js';

const PREFIX = 'alert-management-service-';

interface Location {
  home: string;
  /** The folder that it belongs to, to tell a folder that was moved from one that was copied. */
  dir: string;
}

/** The folder that holds `data`: ours, made when missing, and one that the account can enter. */
export function postgresHome(dir: string, account: Account | null, log: (line: string) => void): string {
  const known = readLocation(dir);
  if (known) return belongsTo(dir, known) ? adopt(dir, known) : elsewhere(dir, account, log);
  if (!account || canEnter(account, dir)) return dir;
  if (existsSync(join(dir, 'data'))) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `PostgreSQL cannot run as root, and user ${account.uid}, whom its data belong to, cannot enter ${dir}: give it access to that folder`,
    );
  }
  return elsewhere(dir, account, log);
}

/** What `postgresHome` made outside `dir`, or null. */
export function homeElsewhere(dir: string): string | null {
  const known = readLocation(dir);
  return known && belongsTo(dir, known) ? known.home : null;
}

/** Also when the folder was moved; not when this one is a copy of it. */
const belongsTo = (dir: string, known: Location) =>
  known.dir === dir || !existsSync(join(known.dir, 'postgres-location'));

function elsewhere(dir: string, account: Account | null, log: (line: string) => void): string {
  const name = `${PREFIX}${createHash('sha256').update(dir).digest('hex').slice(0, 8)}-${randomBytes(6).toString('hex')}`;
  const base = ['/var/lib', '/var/tmp', tmpdir()].find((folder) => isWritable(folder) && canEnter(account, folder));
  if (!base) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `PostgreSQL cannot run as root, and there is no folder that both root and an ordinary user can use: neither ${dir} nor /var/lib, /var/tmp or ${tmpdir()}`,
    );
  }
  const home = join(base, name);
  writeLocation(dir, { home, dir });
  log(`PostgreSQL: an ordinary user cannot enter ${dir}, so its data go to ${home}`);
  return claim(home);
}

function adopt(dir: string, known: Location): string {
  if (known.dir !== dir) writeLocation(dir, { home: known.home, dir });
  return claim(known.home);
}

/** Makes the folder, or takes the one we made before; refuses one that is not ours. The data in it are the account's. */
function claim(home: string): string {
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (!found) mkdirSync(home, { mode: 0o711 });
  else if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `${home} is not the folder that we put PostgreSQL's data in: it belongs to user ${found.uid} and has mode ${(found.mode & 0o7777).toString(8)}`,
    );
  }
  chmodSync(home, 0o711); // whatever the umask
  return home;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readLocation(dir: string): Location | null {
  const path = join(dir, 'postgres-location');
  if (!existsSync(path)) return null;
  const [home = '', owner = ''] = readFileSync(path, 'utf8').split('\n');
  if (!basename(home).startsWith(PREFIX))
    throw new EmbeddedError('FAILED', `${path} does not name a folder of this service`);
  return { home, dir: owner };
}

function writeLocation(dir: string, { home, dir: owner }: Location): void {
  const path = join(dir, 'postgres-location');
  const half = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(half, `${home}\n${owner}\n`, { mode: 0o600 });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}
