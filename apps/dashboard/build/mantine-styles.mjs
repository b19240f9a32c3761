// `virtual:mantine-styles` imports the styles of those Mantine components that the dashboard uses, also inside others,
// in Mantine's own order. All styles would be an eighth of the first load.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const name = 'virtual:mantine-styles';
const require = createRequire(import.meta.url);
const folderOf = (part) => dirname(require.resolve(`@mantine/${part}/styles.css`));
const core = folderOf('core');
const always = ['baseline', 'default-css-variables', 'global'];

/** Packages of Mantine whose components contain components of @mantine/core. */
const others = ['notifications', 'spotlight'];

export function mantineStyles() {
  let root;
  return {
    name: 'mantine-styles',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: { filter: { id: /^virtual:mantine-styles$/ }, handler: () => `\0${name}` },
    load: {
      filter: { id: /^\0virtual:mantine-styles$/ },
      handler: () =>
        stylesOf(join(root, 'src'))
          .map((style) => `import '@mantine/core/styles/${style}.css';`)
          .join('\n'),
    },
  };
}

/** The names of the style files that the sources in a folder need. */
export function stylesOf(sources) {
  const files = [sources, ...others.map((part) => join(folderOf(part), 'esm'))].flatMap(filesIn);
  const used = new Set(files.flatMap((file) => importedFrom(readFileSync(file, 'utf8'), '@mantine/core')));
  const styles = new Set(always);
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const style = /^(.+)\.module\.(?:css\.)?mjs$/.exec(basename(file))?.[1];
    if (style !== undefined) styles.add(style);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) visit(join(dirname(file), path));
  };
  const index = join(core, 'esm/index.mjs');
  for (const [, names, path] of readFileSync(index, 'utf8').matchAll(/\{([^}]+)\} from "(\.[^"]+)"/g)) {
    if (names.split(',').some((each) => used.has(each.trim()))) visit(join(dirname(index), path));
  }
  const all = readFileSync(join(core, 'styles.css'), 'utf8');
  return readdirSync(join(core, 'styles'))
    .filter((file) => file.endsWith('.css') && !file.endsWith('.layer.css'))
    .map((file) => basename(file, '.css'))
    .filter((style) => styles.has(style))
    .map((style) => ({ style, at: all.indexOf(readFileSync(join(core, 'styles', `${style}.css`), 'utf8').trim()) }))
    .sort((a, b) => a.at - b.at)
    .map(({ style }) => style);
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

const importedFrom = (text, part) =>
  [...text.matchAll(/\{([^}]+)\}\s*from\s*['"]([^'"]+)['"]/g)]
    .filter(([, , source]) => source === part)
    .flatMap(([, names]) =>
      names.split(',').map(
        (each) =>
          each
            .trim()
            .replace(/^type /, '')
            .split(' ')[0],
      ),
    );
