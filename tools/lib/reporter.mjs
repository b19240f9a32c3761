// Progress output on the terminal: the current step, its duration, errors and their remedies.
export function createReporter(out = process.stdout) {
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`.padStart(7);
  return {
    elapsedMs: () => performance.now() - began,
    line: (text = '') => out.write(`${text}\n`),
    /** One step: prints what it waits for, and when it is done. */
    async step(what, work) {
      out.write(`${seconds()}  ${what} …\n`);
      return work((detail) => out.write(`${seconds()}    ${detail}\n`));
    },
    failed(error) {
      out.write(`\nThe start failed: ${error?.message ?? error}\n`);
      if (process.env.LOG_LEVEL === 'debug' && error?.stack) out.write(`${error.stack}\n`);
    },
  };
}
