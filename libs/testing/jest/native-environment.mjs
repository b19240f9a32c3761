// A test environment of Jest without a vm context: tests run in the context of the process. See native-runtime.mjs.
export default class NativeEnvironment {
  global = globalThis;
  #variables = { ...process.env };
  #signalListeners = new Map(['SIGTERM', 'SIGINT'].map((signal) => [signal, process.listeners(signal)]));
  #exit = process.exit;
  #console = console;

  getVmContext() {
    return {};
  }

  async setup() {}

  /** Restores what a test file has changed in the process. */
  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const [signal, before] of this.#signalListeners)
      for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
    process.exit = this.#exit;
    globalThis.console = this.#console;
  }
}
