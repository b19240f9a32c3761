import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, isAlive, processesWith } from '../test/support.js';
import { spawnGuarded } from './index.js';

const node = process.execPath;

describe('a guarded process', () => {
  it('is the command itself: process id, exit code and output', async () => {
    const lines: string[] = [];
    const child = await spawnGuarded(
      node,
      ['-e', 'console.log(String(process.pid)); console.error("two words"); process.exitCode = 7'],
      {
        output: (line, stream) => lines.push(`${stream}: ${line}`),
      },
    );
    expect(await child.exited).toEqual({ code: 7, signal: null });
    await eventually(() => expect(lines.sort()).toEqual(['stderr: two words', `stdout: ${child.pid}`]));
    expect(child.running).toBe(false);
    expect(await child.stop()).toEqual({ code: 7, signal: null });
  });

  it('stops with the requested signal', async () => {
    const child = await spawnGuarded(
      node,
      ['-e', 'process.on("SIGINT", () => process.exit(3)); console.log("ready"); setInterval(() => {}, 1000)'],
      {
        stopSignal: 'SIGINT',
        output: () => void child.stop(),
      },
    );
    expect(await child.exited).toEqual({ code: 3, signal: null });
  });

  it('is killed when it does not stop in time', async () => {
    const child = await spawnGuarded(
      node,
      ['-e', 'process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)'],
      {
        graceMs: 200,
        output: () => void child.stop(),
      },
    );
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('exits with 127 for a command that does not exist', async () => {
    const child = await spawnGuarded('/nowhere/command', [], { output: 'ignore' });
    expect((await child.exited).code).toBe(127);
  });

  it('leaves no watcher process', async () => {
    const marker = `SIG${process.pid}`;
    const child = await spawnGuarded('/bin/sleep', ['60'], { output: 'ignore', cwd: '/', env: { MARKER: marker } });
    const ours = () => processesWith('environ', `MARKER=${marker}`);
    await eventually(() => expect(ours()).toHaveLength(2));
    await child.kill();
    await eventually(() => expect(ours()).toEqual([]));
  });

  it.each([
    [
      'asked to stop',
      'process.on("SIGTERM", () => { require("fs").writeFileSync("stopped", ""); process.exit() });',
      true,
    ],
    ['killed when it does not', 'process.on("SIGTERM", () => {});', false],
  ])('when its parent is killed by SIGKILL, is %s', async (_how, handler, stops) => {
    const dir = mkdtempSync(join(tmpdir(), 'guarded-'));
    const script = `${handler} console.log(String(process.pid)); setInterval(() => {}, 1000)`;
    const parent = spawn(
      node,
      [
        '--import',
        register,
        '--input-type=module',
        '-e',
        `
      import { spawnGuarded } from ${JSON.stringify(index)};
      const options = { cwd: ${JSON.stringify(dir)}, graceMs: 1000 };
      await spawnGuarded(process.execPath, ['-e', ${JSON.stringify(script)}], options);`,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data) => resolve(Number(String(data)))),
    );
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
    if (stops) expect(readFileSync(join(dir, 'stopped'), 'utf8')).toBe('');
    rmSync(dir, { recursive: true });
  });
});

const register = join(import.meta.dirname, '../../testing/jest/register-typescript.mjs');
const index = join(import.meta.dirname, 'index.ts');
