// Lints docs/openapi.json with Redocly (recommended rules) and Spectral (its rules for OpenAPI, .spectral.yaml). Every
// finding is an error, also warnings and hints. Disabled are only rules that read `nullable` beside `allOf` in another
// way than client generators (ADR 30); the test of the document in apps/api-gateway has checks in their place. Needs no
// network: telemetry and update checks are disabled.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './lib/workspace.mjs';

const document = 'docs/openapi.json';

/** Runs a linter that writes JSON; resolves to its output. Throws when it failed without output. */
function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), 'lint', document, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      try {
        resolve(JSON.parse(output));
      } catch {
        reject(new Error(`${program} ended with ${code}:\n${output}${errors}`));
      }
    });
  });
}

async function redocly() {
  const { problems } = await run('@redocly/cli/bin/cli.js', [
    '--extends=recommended',
    '--format=json',
    '--max-problems=1000',
    '--skip-rule=nullable-type-sibling',
    '--skip-rule=no-invalid-media-type-examples',
    // `/alerts/bulk/{id}` beside `/alerts/{id}/timeline`: no id of an alert is `bulk`.
    '--skip-rule=no-ambiguous-paths',
  ]);
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? '#/'})`,
  );
}

async function spectral() {
  const findings = await run('@stoplight/spectral-cli/dist/index.js', [
    '--ruleset=.spectral.yaml',
    '--format=json',
    '--quiet',
    '--fail-severity=hint',
  ]);
  return findings.map(({ code, message, path }) => `spectral ${code}: ${message} (#/${path.join('/')})`);
}

const findings = (await Promise.all([redocly(), spectral()])).flat();
for (const finding of findings) console.error(finding);
console.log(`${document}: ${findings.length} findings of two linters`);
process.exit(findings.length === 0 ? 0 : 1);
