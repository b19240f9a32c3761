// Pastes a tour into a shell, as a reader does, and stops at the first line that fails:
//
//   node tools/try-tour.mjs [--state DIR] [FILE …]      README.md and docs/api-tour.md, against what npm start runs
//
// The blocks of one file run in one bash, one after the other, with the failures of every part of a pipe counted.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/workspace.mjs';

const { values, positionals } = parseArgs({
  options: { state: { type: 'string', default: '.local' } },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : ['README.md', 'docs/api-tour.md'];

/** The blocks that are pasted: those of a tour use what its first block defines. */
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
