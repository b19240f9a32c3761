// Jest's `runtime` that loads test files and modules as Node does, without a vm context for each file. A worker loads
// NestJS, TypeORM and the sources once, not for each test file: that is most of the CPU time of a run. Jest's runner,
// its timeouts, names, filters and reports stay. There are no module mocks; this project has none.
//
// Node translates TypeScript itself by the hooks of register-typescript.mjs.
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

let loaded = 0;

/** `load()`, and the storages that were made meanwhile. */
function withStorages(load) {
  const { AsyncLocalStorage } = asyncHooks;
  const storages = [];
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      storages.push(this);
    }
  };
  try {
    return { module: load(), storages };
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

export default class NativeRuntime {
  #storages = [];

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
    const { module, storages } = withStorages(() => require(path));
    this.#storages.push(...storages);
    return module;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}

  /** Node copies the value of each enabled storage to each new promise: those of past files would slow all others. */
  teardown() {
    for (const storage of this.#storages.splice(0)) storage.disable();
  }

  getSourceMaps() {
    return new Map();
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
}
