/** The commands of docs/backup.md. Needs Debian's package `postgresql`, for the server and its programs. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const tool = join(import.meta.dirname, '../../../../tools/try-backup.mjs');

it('everything is there after each restore of docs/backup.md, and what is lost is reported', async () => {
  const child = spawn(process.execPath, [tool], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code === 0 ? '' : output).toBe('');
  expect(output).toMatch(/\nBackup and restore work\.\n$/);
});
