// Compresses the files of a build (Brotli and gzip), prints what a browser loads first, and fails when that is too much.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Compressed bytes: what the first page loads before it shows something, and what one more page adds. */
export const limits = { first: 250_000, page: 150_000 };

const compressible = /\.(?:html|js|css|svg|json|webmanifest)$/;

export function compressed() {
  let outDir;
  const chunks = new Map();
  return {
    name: 'compressed',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunks.set(chunk.fileName, chunk);
    },
    closeBundle() {
      if (chunks.size === 0) return; // the build failed
      const sizes = compressAll(outDir);
      const { first, pages } = loadsOf(chunks, sizes);
      const page = pages[0] ?? { name: 'none', bytes: 0 };
      const shown = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
      console.log(
        `first load ${shown(first)} of ${shown(limits.first)}; ` +
          pages
            .slice(0, 6)
            .map(({ name, bytes }) => `${name} +${shown(bytes)}`)
            .join(', '),
      );
      if (first > limits.first) throw new Error(`the first load has ${first} bytes; the limit is ${limits.first}`);
      if (page.bytes > limits.page)
        throw new Error(`${page.name} adds ${page.bytes} bytes; the limit is ${limits.page}`);
    },
  };
}

/** The Brotli size of each file, by its name in the build. */
function compressAll(folder) {
  const sizes = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    let size = bytes.length;
    if (compressible.test(entry.name)) {
      const brotli = brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
      size = brotli.length;
      writeFileSync(`${path}.br`, brotli);
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
    sizes.set(path.slice(folder.length + 1).replaceAll('\\', '/'), size);
  }
  return sizes;
}

/** What the entry loads, and what each page that is imported later adds to it, largest first. */
function loadsOf(chunks, sizes) {
  const filesOf = (name, seen = new Set()) => {
    if (seen.has(name)) return seen;
    seen.add(name);
    const chunk = chunks.get(name);
    for (const css of chunk?.viteMetadata?.importedCss ?? []) seen.add(css);
    for (const imported of chunk?.imports ?? []) filesOf(imported, seen);
    return seen;
  };
  const total = (files) => [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const all = [...chunks.values()];
  const first = new Set(all.filter((chunk) => chunk.isEntry).flatMap((chunk) => [...filesOf(chunk.fileName)]));
  const pages = all
    .filter((chunk) => chunk.isDynamicEntry)
    .map(({ name, fileName }) => ({ name, bytes: total([...filesOf(fileName)].filter((file) => !first.has(file))) }))
    .sort((a, b) => b.bytes - a.bytes);
  return { first: total(first) + (sizes.get('index.html') ?? 0), pages };
}
