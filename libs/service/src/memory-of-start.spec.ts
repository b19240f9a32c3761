import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const urlOf = (path: string): string => pathToFileURL(join(import.meta.dirname, path)).href;

/** Runs the script in a process of its own: a collection in a process with tests of others would hold these. */
async function run(script: string): Promise<unknown> {
  const text = `import { giveBackMemoryOfStart } from ${JSON.stringify(urlOf('memory-of-start.ts'))};
    import { setTimeout as pause } from 'node:timers/promises';
    ${script}`;
  const hooks = urlOf('../../testing/jest/register-typescript.mjs');
  const args = ['--import', hooks, '--input-type=module', '--eval', text];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  return JSON.parse(stdout);
}

it('collects what nobody uses any more, once', async () => {
  const result = await run(`
    const unused = new WeakRef({});
    const errors = [];
    giveBackMemoryOfStart((error) => errors.push(error), { earliestMs: 0, lookMs: 20 });
    while (errors.length === 0) await pause(10);
    await pause(200);
    console.log(JSON.stringify({ errors, isCollected: unused.deref() === undefined }));
  `);
  expect(result).toEqual({ errors: [null], isCollected: true });
});

it('waits while there is work', async () => {
  const result = await run(`
    let collections = 0;
    const timer = giveBackMemoryOfStart(() => collections++, { earliestMs: 0, lookMs: 50 });
    for (const until = performance.now() + 400; performance.now() < until; await pause(0))
      for (const held = performance.now() + 10; performance.now() < held; );
    clearInterval(timer);
    console.log(JSON.stringify({ collections }));
  `);
  expect(result).toEqual({ collections: 0 });
});

it('waits for the earliest time', async () => {
  const result = await run(`
    let collections = 0;
    const timer = giveBackMemoryOfStart(() => collections++, { earliestMs: 60000, lookMs: 10 });
    await pause(200);
    clearInterval(timer);
    console.log(JSON.stringify({ collections }));
  `);
  expect(result).toEqual({ collections: 0 });
});
