// Compiles one project's src/ to dist/ with swc: no type check (that is `typecheck`), so a cold build takes a second.
// Run from the project's folder, or with folders as arguments. Files that have gone from src/ go from dist/ as well.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { transformFile } from '@swc/core';

const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

export async function build(project) {
  const src = join(project, 'src');
  const dist = join(project, 'dist');
  const files = (await readdir(src, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\.ts$/.test(file) && !/\.(spec|d)\.ts$/.test(file));
  await rm(dist, { recursive: true, force: true });
  await Promise.all(
    files.map(async (file) => {
      const out = join(dist, relative(src, file)).replace(/\.ts$/, '.js');
      await mkdir(dirname(out), { recursive: true });
      const { code, map } = await transformFile(file, { ...options, filename: file });
      await writeFile(out, `${code}\n//# sourceMappingURL=${relative(dirname(out), out)}.map\n`);
      await writeFile(`${out}.map`, map);
    }),
  );
  return files.length;
}

if (process.argv[1] === import.meta.filename) {
  const projects = process.argv.length > 2 ? process.argv.slice(2) : [process.cwd()];
  for (const project of projects) {
    console.log(`${relative(resolve(import.meta.dirname, '..'), project)}: ${await build(project)} files`);
  }
}
