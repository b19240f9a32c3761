// The location of an embedded PostgreSQL's data: the requested folder, or, when the server's account cannot enter it
// (root's home is 0700), another folder that `<dir>/postgres-location` names.
//
// Another folder is used only if we created it: its name is random and is stored before mkdir, and mkdir fails when
// the folder exists. So no other account can prepare a folder for us, and after an interruption every existing folder
// is named and can be removed. The folder belongs to us, `data` in it (0700) to the account, which therefore cannot
// place a link where we write.
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
  /** The folder that it belongs to, to distinguish a moved folder from a copied one. */
  dir: string;
}

/** The folder of `data`: created if missing, owned by us, and accessible to the account. */
export function postgresHome(dir: string, account: Account | null, log: (line: string) => void): string {
  const known = readLocation(dir);
  if (known) return belongsTo(dir, known) ? adopt(dir, known) : createOtherHome(dir, account, log);
  if (!account || canEnter(account, dir)) return dir;
  if (existsSync(join(dir, 'data'))) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `PostgreSQL cannot run as root, and user ${account.uid}, the owner of its data, cannot enter ${dir}: ` +
        'give the user access to that folder',
    );
  }
  return createOtherHome(dir, account, log);
}

/** The other folder that `postgresHome` created, or null. */
export function otherHome(dir: string): string | null {
  const known = readLocation(dir);
  return known && belongsTo(dir, known) ? known.home : null;
}

/** Valid also when the folder was moved; not when it is a copy. */
const belongsTo = (dir: string, known: Location) =>
  known.dir === dir || !existsSync(join(known.dir, 'postgres-location'));

function createOtherHome(dir: string, account: Account | null, log: (line: string) => void): string {
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 8);
  const name = `${PREFIX}${hash}-${randomBytes(6).toString('hex')}`;
  const base = ['/var/lib', '/var/tmp', tmpdir()].find((folder) => isWritable(folder) && canEnter(account, folder));
  if (!base) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      'PostgreSQL cannot run as root, and there is no folder that both root and an ordinary user can use: ' +
        `neither ${dir} nor /var/lib, /var/tmp or ${tmpdir()}`,
    );
  }
  const home = join(base, name);
  writeLocation(dir, { home, dir });
  log(`PostgreSQL: an ordinary user cannot enter ${dir}, so the data are stored in ${home}`);
  return claim(home);
}

function adopt(dir: string, known: Location): string {
  if (known.dir !== dir) writeLocation(dir, { home: known.home, dir });
  return claim(known.home);
}

/**
 * Creates the folder, or uses the one we created before; throws when it is not ours. The data in it belong to the
 * account.
 */
function claim(home: string): string {
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (!found) mkdirSync(home, { mode: 0o711 });
  else if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `${home} is not the folder that was created for PostgreSQL's data: it belongs to user ${found.uid} and ` +
        `has mode ${(found.mode & 0o7777).toString(8)}`,
    );
  }
  chmodSync(home, 0o711); // regardless of the umask
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
