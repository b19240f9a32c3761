/**
 * The files of the built dashboard, which its build has compressed. They are found once, when the gateway starts, so a
 * path of a request never reaches the file system; a file is read at its first request.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The document of every page. */
export const documentName = 'index.html';

/** Null when the folder has no built dashboard. */
export const findDashboard = (folder: string): DashboardFiles | null =>
  existsSync(join(folder, documentName)) ? new DashboardFiles(folder) : null;

export type Encoding = 'br' | 'gzip' | 'identity';

export interface DashboardFile {
  type: string;
  etag: string;
  bytes: Record<Encoding, Buffer | null>;
}

export class DashboardFiles {
  /** Names such as `assets/index-B1x2.js`. */
  readonly names: ReadonlySet<string>;
  private readonly contents = new Map<string, Promise<DashboardFile>>();

  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const shown = entries.filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined);
    this.names = new Set(
      shown.map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(this.folder.length + 1)
          .replaceAll('\\', '/'),
      ),
    );
  }

  read(name: string): Promise<DashboardFile> {
    let content = this.contents.get(name);
    if (!content) this.contents.set(name, (content = this.load(name)));
    return content;
  }

  private async load(name: string): Promise<DashboardFile> {
    const path = join(this.folder, name);
    const compressed = (suffix: string) => (existsSync(path + suffix) ? readFile(path + suffix) : null);
    const [identity, br, gzip] = await Promise.all([readFile(path), compressed('.br'), compressed('.gz')]);
    return {
      type: types[extname(name)] as string,
      etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`,
      bytes: { identity, br, gzip },
    };
  }
}

/** The best encoding that the caller takes; a quality of 0 refuses one (RFC 9110 §12.5.3). */
export function encodingFor(acceptEncoding: string | undefined, file: DashboardFile): Encoding {
  const taken = new Set<string>();
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) taken.add(name);
  }
  return (['br', 'gzip'] as const).find((name) => taken.has(name) && file.bytes[name] !== null) ?? 'identity';
}
