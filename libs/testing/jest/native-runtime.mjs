// Jest's `runtime` that loads test files and modules as Node does, without a vm context for each file. A worker loads
// NestJS, TypeORM and the sources once, not for each test file: that is most of the CPU time of a run. Jest's runner,
// its timeouts, names, filters and reports stay. There are no module mocks; this project has none.
//
// Node translates TypeScript itself by the hooks of register-typescript.mjs.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

let loaded = 0;

export default class NativeRuntime {
  /** A test file is loaded anew each time (watch mode runs it again); its imports are those of the process. */
  async unstable_importModule(path) {
    return import(`${pathToFileURL(path)}?run=${(loaded += 1)}`);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  requireModule(path) {
    return require(path);
  }

  /** Jest's test framework has state: each test file gets it anew. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
  getSourceMaps() {
    return new Map();
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
}
