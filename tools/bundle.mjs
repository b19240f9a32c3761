// Bundles one service into one file, apps/<name>/bundle/main.mjs, with the packages that it uses. The file starts
// in a third of the CPU time of the separate modules. Run it in the project's folder, or with folders as arguments;
// the projects must be compiled. See docs/adr/0026-tests-without-module-contexts.md.
import { statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build as esbuild, stop } from 'esbuild';
import { withoutNeedlessNames } from './lib/function-names.mjs';

/** Packages that a library loads only when its user has installed them. We have none of them. */
const notInstalled = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@grpc/*',
  '@mikro-orm/*',
  '@nestjs/axios',
  '@nestjs/mongoose',
  '@nestjs/platform-express',
  '@nestjs/sequelize',
  '@nestjs/typeorm',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer/storage',
  'ioredis',
  'kafkajs',
  'mqtt',
  'nats',
  'pg-native',
  'typescript',
];

/**
 * Packages that a library loads for functions that we do not use: Fastify its compilers of schemas (see
 * libs/service/src/fastify-schemas.ts), class-validator `IsPhoneNumber` (which ESLint refuses). They are left out:
 * 1.2 MB of text.
 */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'libphonenumber-js/max'];

const leaveOut = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: /^(@fastify\/|libphonenumber-js\/)/ }, ({ path }) =>
      unused.includes(path) ? { path, namespace: 'left-out' } : null,
    );
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Packages with native code: they are loaded from node_modules. */
export const native = ['@node-rs/argon2'];

/** What CommonJS packages expect in an ES module. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;

/**
 * These modules make a `require` of their own, which esbuild does not follow: at run time they would load second copies
 * of class-validator and class-transformer, without the decorators of our classes.
 */
const followRequire = {
  name: 'follow-require',
  setup(build) {
    build.onLoad({ filter: /@nestjs\/(mapped-types|terminus)\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''), loader: 'js' };
    });
  },
};

export const bundleOf = (project) => join(project, 'bundle/main.mjs');

/** Bundles projects at the same time. */
export async function bundleAll(projects) {
  try {
    await Promise.all(projects.map((project) => bundle(project)));
  } finally {
    await stop(); // esbuild is a process of its own, which keeps its memory
  }
}

async function bundle(project) {
  await rm(join(project, 'bundle'), { recursive: true, force: true });
  await bundleFile(join(project, 'dist/main.js'), bundleOf(project));
}

/** Bundles a program into one file. Returns esbuild's metafile, which has the files that are in it. */
export async function bundleFile(entry, outfile) {
  const { metafile } = await esbuild({
    entryPoints: [entry],
    outfile,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true, // NestJS and TypeORM use the names of classes
    // Node keeps the text in memory. Names and lines stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'none',
    external: [...notInstalled, ...native],
    plugins: [followRequire, leaveOut],
    banner: { js: banner },
    logLevel: 'warning',
  });
  await writeFile(outfile, withoutWideCharacters(withoutNeedlessNames(await readFile(outfile, 'utf8'))));
  return metafile;
}

/**
 * Node keeps the text with two bytes for each character when a single one needs them: 8 MB more in each process.
 * esbuild writes them as escapes, except in regular expressions, where an escape means the same.
 */
function withoutWideCharacters(text) {
  // There a backslash would belong to the backslash of the escape.
  if (/\\[^\0-\x7f]/.test(text)) throw new Error('a regular expression has a backslash before a wide character');
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

if (process.argv[1] === import.meta.filename) {
  const projects = process.argv.length > 2 ? process.argv.slice(2).map((path) => resolve(path)) : [process.cwd()];
  await bundleAll(projects);
  for (const project of projects) {
    const size = (statSync(bundleOf(project)).size / 1024 / 1024).toFixed(1);
    console.log(`${relative(resolve(import.meta.dirname, '..'), bundleOf(project))}: ${size} MB`);
  }
}
