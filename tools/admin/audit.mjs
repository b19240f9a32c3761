// The audit log of an organization: its export, and the verification of an export, which needs no installation.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from './command-line.mjs';
import { printedJson } from './printing.mjs';

const environments = ['live', 'test'];

const exportLog = {
  summary: 'writes the audit log into FILE, as GET /audit-log/export does',
  positionals: ['FILE'],
  options: {
    organization: { value: 'SLUG', summary: 'the organization', required: true },
    environment: { value: 'ENVIRONMENT', summary: 'live or test (default live)' },
  },
  fault: ({ environment = 'live' }) => (environments.includes(environment) ? null : '--environment is live or test.'),
  async run({ database, exportedLines, print }, { organization, environment = 'live' }, file) {
    let target;
    let lines = 0;
    try {
      for await (const page of exportedLines(database, organization, environment)) {
        target ??= await open(file, 'wx', 0o600);
        await target.writeFile(page.map((line) => `${JSON.stringify(line)}\n`).join(''));
        lines += page.length;
      }
    } finally {
      await target?.close();
    }
    print(`${file} has ${lines} entries.`);
  },
};

const verify = {
  summary: 'checks an export: whether it is what its checkpoints were signed for',
  positionals: ['FILE'],
  options: {
    keys: { value: 'FILE', summary: 'the public keys, from "audit keys"', required: true },
    checkpoints: {
      value: 'FILE',
      summary: 'an earlier or later export of the same log, or its checkpoints, one on a line: they show a missing end',
    },
    writers: {
      value: 'FILE',
      summary: 'the public keys of the services, from "audit writers": the signature of each entry is checked, too',
    },
    'signed-since': {
      value: 'TIME',
      summary: 'with --writers: entries of services at or after this time must be signed',
    },
    json,
  },
  needsDatabase: false,
  fault: ({ writers, 'signed-since': since }) => {
    if (since === undefined) return null;
    if (writers === undefined) return '--signed-since needs --writers.';
    return Number.isNaN(Date.parse(since)) ? '--signed-since must be a time, such as 2027-01-31T12:00:00Z.' : null;
  },
  async run(
    { ExportVerifier, readCheckpoints, verificationKeys, writerKeys },
    { keys, checkpoints, writers, 'signed-since': since },
    file,
  ) {
    const known = checkpoints ? readCheckpoints(readFileSync(checkpoints, 'utf8').split('\n')) : [];
    const writerCheck = writers
      ? {
          keys: writerKeys(readFileSync(writers, 'utf8')),
          requiredSince: since === undefined ? null : Date.parse(since),
        }
      : null;
    const verifier = new ExportVerifier(verificationKeys(readFileSync(keys, 'utf8')), known, writerCheck);
    const outcome = await outcomeOf(verifier, file);
    if (outcome.kind === 'wrong') throw new Error(`${file}, line ${outcome.line}: ${outcome.reason}.`);
    const { result } = outcome;
    const unsigned = result.lastSequence - result.signedSequence;
    return {
      record: result,
      lines: [
        `${file} is right: ${result.organizationId}, ${result.environment}, sequence ${result.firstSequence} to ` +
          `${result.lastSequence}.`,
        `The last checkpoint covers sequence ${result.signedSequence}, and was signed at ${result.signedAt}.`,
        ...(unsigned > 0 ? [`Entries after it, not signed yet: ${unsigned}.`] : []),
        `Entries that are signed by the service that wrote them: ${result.signedByWriter}` +
          (writers ? '.' : ', not checked without --writers.'),
        ...(result.unsignedByWriter > 0
          ? [`Entries of services without such a signature: ${result.unsignedByWriter}.`]
          : []),
        ...(result.deleted > 0 ? [`Entries that were deleted because of their age: ${result.deleted}.`] : []),
      ],
    };
  },
};

async function outcomeOf(verifier, file) {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const outcome = verifier.add(line);
    if (outcome) return outcome;
  }
  return verifier.finish();
}

const keys = {
  summary:
    'prints the public keys of FILE (default: AUDIT_SIGNING_KEYS_FILE, or that of npm start), for "audit verify"',
  positionals: ['[FILE]'],
  needsDatabase: false,
  async run({ readSigningKeys }, _options, file) {
    const own = join(import.meta.dirname, '../../.local/audit-keys.pem');
    const chosen = file ?? process.env.AUDIT_SIGNING_KEYS_FILE ?? own;
    if (!existsSync(chosen)) throw new Error(`There is no file ${chosen}.`);
    console.log(printedJson(readSigningKeys(chosen).published));
  },
};

const writers = {
  summary: 'prints the public keys of the services that write audit entries, for AUDIT_WRITERS_FILE and "audit verify"',
  options: {
    'alert-pipeline': { value: 'FILE', summary: 'AUDIT_WRITER_KEYS_FILE of the service', required: true },
    'resource-api': { value: 'FILE', summary: 'the same', required: true },
    'workflow-engine': { value: 'FILE', summary: 'the same', required: true },
  },
  needsDatabase: false,
  async run({ auditWriters, readSigningKeys }, files) {
    console.log(
      printedJson(Object.fromEntries(auditWriters.map((name) => [name, readSigningKeys(files[name]).published]))),
    );
  },
};

export const commands = { export: exportLog, verify, keys, writers };
