// Runs the commands of a tour in a shell, as a reader does, and stops at the first line that fails:
//
//   node tools/try-tour.mjs [--state DIR] [FILE …]
//
// The default is README.md, docs/api-tour.md and docs/paging-tour.md, with the running installation of npm start.
//
// The blocks of one file run in one bash, one after another; the failure of any part of a pipe counts.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/workspace.mjs';

const { values, positionals } = parseArgs({
  options: { state: { type: 'string', default: '.local' } },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : ['README.md', 'docs/api-tour.md', 'docs/paging-tour.md'];

/** The blocks to run: later blocks use variables of the first one. */
function blocksOf(text) {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  const first = blocks.findIndex((block) => block.startsWith('cred()'));
  return blocks.slice(first);
}

for (const file of files) {
  const blocks = blocksOf(
    readFileSync(join(root, file), 'utf8').replaceAll('.local/credentials.json', `${values.state}/credentials.json`),
  );
  console.log(`\n=== ${file}: ${blocks.length} blocks`);
  const { status } = spawnSync('bash', ['-o', 'pipefail', '-e', '-v', '-c', blocks.join('\n')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`\n${file}: a line failed with status ${status}`);
    process.exit(1);
  }
}
console.log('\nThe tour works.');
