// Compiles one project's src/ to dist/ with swc; `typecheck` checks the types, so a clean build takes a second. Run it
// in the project's folder, or with folders as arguments. A file that was removed from src/ is removed from dist/ too.
// A project for the browser has a vite.config.mjs: Vite builds it.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';

/** .swcrc is the only place for compiler options: Jest and libs/testing/jest read it too. */
const options = {
  ...JSON.parse(readFileSync(join(import.meta.dirname, '../.swcrc'), 'utf8')),
  swcrc: false,
  sourceMaps: true,
};

export async function build(project) {
  const viteConfig = resolve(project, 'vite.config.mjs');
  return existsSync(viteConfig) ? buildForBrowser(project, viteConfig) : buildForNode(project);
}

/** In a process of its own: a caller with another NODE_ENV, such as a test, would get the development build of React. */
async function buildForBrowser(project, configFile) {
  const vite = join(dirname(createRequire(configFile).resolve('vite/package.json')), 'bin/vite.js');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--config', configFile, '--logLevel', 'warn'],
    { cwd: resolve(project), env: { ...process.env, NODE_ENV: 'production' } },
  );
  process.stderr.write(stdout);
  return (await readdir(join(project, 'dist'), { recursive: true })).length;
}

async function buildForNode(project) {
  const src = join(project, 'src');
  const dist = join(project, 'dist');
  const files = (await readdir(src, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\.ts$/.test(file) && !/\.(spec|long|d)\.ts$/.test(file));
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
