import fc from 'fast-check';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { emptyChain, linksAfter } from './audit-chain.js';
import { signedCheckpoint, type Checkpoint } from './audit-checkpoint.js';
import { publicJwkOf, verificationKeys } from './ed25519-keys.js';
import { canonicalJson } from './canonical-json.js';
import { auditWriters, entrySigner, writerKeys } from './entry-signature.js';
import { ExportVerifier, readCheckpoints, type ExportedLink, type VerificationOutcome } from './verify-export.js';

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const keySet = (...keys: KeyObject[]) => verificationKeys(JSON.stringify({ keys: keys.map(publicJwkOf) }));
const key = newKey();
const keys = keySet(key);

const start = Date.parse('2026-11-20T12:00:00Z');
const minute = 60_000;

const entryAt = (n: number, changes: unknown = []) => ({
  id: `aud_${(start + n * minute).toString(16).padStart(12, '0')}${n.toString(16).padStart(20, '0')}`,
  type: 'client.updated',
  occurredAt: new Date(start + n * minute).toISOString(),
  changes,
});

interface LogOptions {
  /** The sequences with a checkpoint. */
  checkpoints: number[];
  contents?: unknown[];
  environment?: string;
  signer?: KeyObject;
  keptSince?: string | null;
}

/** The lines of an export with a number of entries. */
function exportOf(count: number, options: LogOptions): ExportedLink[] {
  const { checkpoints, contents = [], environment = 'live', signer = key, keptSince = null } = options;
  const entries = Array.from({ length: count }, (_, i) => entryAt(i, contents[i]));
  return linksAfter(emptyChain, entries).map((link, i) => ({
    ...link,
    entry: entries[i] as { id: string },
    checkpoint: checkpoints.includes(link.sequence)
      ? signedCheckpoint(
          {
            organizationId: 'org_1',
            environment,
            sequence: link.sequence,
            hash: link.hash,
            keptSince,
            signedAt: '2026-11-21T00:00:00.000Z',
          },
          signer,
        )
      : null,
  }));
}

function verified(lines: readonly (object | string)[], known: Checkpoint[] = [], of = keys): VerificationOutcome {
  const verifier = new ExportVerifier(of, known);
  for (const line of lines) {
    const outcome = verifier.add(typeof line === 'string' ? line : JSON.stringify(line));
    if (outcome) return outcome;
  }
  return verifier.finish();
}

const wrongAt = (line: number, reason: RegExp) => ({
  kind: 'wrong',
  line,
  reason: expect.stringMatching(reason) as string,
});

it('a whole export is right, and the result says what is signed', () => {
  expect(verified(exportOf(7, { checkpoints: [3, 5] }))).toEqual({
    kind: 'whole',
    result: {
      organizationId: 'org_1',
      environment: 'live',
      firstSequence: 1,
      lastSequence: 7,
      signedByWriter: 0,
      unsignedByWriter: 7,
      deleted: 0,
      signedSequence: 5,
      signedAt: '2026-11-21T00:00:00.000Z',
    },
  });
});

describe('any fault before the last checkpoint is found', () => {
  const contents = fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 6, maxLength: 6 });
  const index = fc.integer({ min: 0, max: 5 });
  const holds = (fault: (lines: ExportedLink[], i: number, j: number) => (object | string)[] | null) =>
    fc.assert(
      fc.property(contents, index, index, (values, i, j) => {
        const lines = exportOf(6, { checkpoints: [6], contents: values });
        expect(verified(lines).kind).toBe('whole');
        const wrong = fault(lines, i, j);
        if (wrong) expect(verified(wrong).kind).toBe('wrong');
      }),
      { numRuns: 25 },
    );

  test('a line is removed', () => holds((lines, i) => lines.toSpliced(i, 1)));
  test('a line is inserted a second time', () =>
    holds((lines, i, j) => lines.toSpliced(j, 0, lines[i] as ExportedLink)));
  test('two lines are exchanged', () =>
    holds((lines, i, j) =>
      i === j ? null : lines.with(i, lines[j] as ExportedLink).with(j, lines[i] as ExportedLink),
    ));
  test('a foreign line is inserted', () =>
    holds((lines, i) => {
      const before = lines[i - 1] ?? emptyChain;
      const entry = entryAt(99);
      const [link] = linksAfter(before, [entry]);
      return lines.toSpliced(i, 0, { ...link, entry, checkpoint: null } as ExportedLink);
    }));
  test('everything from a line on is made anew, without the key', () =>
    holds((lines, i) => {
      const entries = lines.map(({ entry }, n) => (n === i ? { ...(entry as { id: string }), type: 'forged' } : entry));
      return linksAfter(emptyChain, entries as { id: string }[]).map((link, n) => ({
        ...link,
        entry: entries[n],
        checkpoint: lines[n]?.checkpoint ?? null,
      }));
    }));

  test('a character of a line is changed', () => {
    const lines = exportOf(6, { checkpoints: [6] }).map((line) => JSON.stringify(line));
    const { length } = lines.join('');
    fc.assert(
      fc.property(fc.nat(length - 1), fc.integer({ min: 33, max: 126 }), (at, code) => {
        let i = 0;
        while (at >= (lines[i] as string).length) at -= (lines[i++] as string).length;
        const line = lines[i] as string;
        const changed = line.slice(0, at) + String.fromCharCode(code) + line.slice(at + 1);
        const isSame = changed === line || canonicalOf(changed) === canonicalOf(line);
        expect([changed, verified(lines.with(i, changed)).kind]).toEqual([changed, isSame ? 'whole' : 'wrong']);
      }),
      { numRuns: 400 },
    );
  });
});

function canonicalOf(text: string): string | null {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return null;
  }
}

test('a cut end is found by a checkpoint that is known from elsewhere', () => {
  const whole = exportOf(9, { checkpoints: [4, 8] });
  const known = readCheckpoints(whole.map((line) => JSON.stringify(line)));
  expect(known).toHaveLength(2);
  expect(verified(whole, known).kind).toBe('whole');
  expect(verified(whole.slice(0, 6))).toMatchObject({ kind: 'whole', result: { signedSequence: 4, lastSequence: 6 } });
  expect(verified(whole.slice(0, 6), known)).toEqual(wrongAt(6, /end is missing.*up to 8/));
});

test('a log that was made anew with the key, but other entries, differs from a known checkpoint', () => {
  const known = readCheckpoints([
    JSON.stringify(exportOf(4, { checkpoints: [4], contents: ['x'] }).at(-1)?.checkpoint),
  ]);
  expect(verified(exportOf(9, { checkpoints: [9] }), known)).toEqual(wrongAt(4, /known from elsewhere/));
});

test('an export of a log whose oldest entries were deleted begins with a checkpoint', () => {
  const keptSince = new Date(start + 4 * minute).toISOString();
  const lines = exportOf(9, { checkpoints: [3, 8], keptSince }).slice(2);
  const withoutOld = lines.map((line) => (line.sequence <= 4 ? { ...line, entry: null } : line));
  expect(verified(withoutOld)).toMatchObject({ kind: 'whole', result: { firstSequence: 3, deleted: 2 } });
  const oneMore = withoutOld.map((line) => (line.sequence === 6 ? { ...line, entry: null } : line));
  expect(verified(oneMore)).toEqual(wrongAt(4, /entry is missing/));
  expect(verified(withoutOld.slice(1))).toEqual(wrongAt(1, /neither at sequence 1/));
});

test('each line of a wrong export has its reason', () => {
  const lines = exportOf(4, { checkpoints: [2, 4] });
  const [first, second, third] = lines as [ExportedLink, ExportedLink, ExportedLink];
  expect(verified([])).toEqual(wrongAt(0, /empty/));
  expect(verified(['{'])).toEqual(wrongAt(1, /not JSON/));
  expect(verified([first, { ...second, more: 1 }])).toEqual(wrongAt(2, /form/));
  expect(verified([first, third])).toEqual(wrongAt(2, /3 follows sequence 1/));
  expect(verified([first, { ...second, entry: { ...second.entry, type: 'x' } }])).toEqual(wrongAt(2, /stored/));
  expect(verified([first, { ...second, entry: null }, third])).toEqual(wrongAt(2, /entry is missing/));
  expect(verified([first])).toEqual(wrongAt(1, /nothing is signed/));
  expect(verified([first, { ...second, checkpoint: lines[3]?.checkpoint }])).toEqual(wrongAt(2, /another line/));
});

test('checkpoints need a key of the file, and are of one log', () => {
  const other = newKey();
  const forged = exportOf(2, { checkpoints: [2], signer: other });
  expect(verified(forged)).toEqual(wrongAt(2, /not in the file with the keys/));
  expect(verified(forged, [], keySet(key, other)).kind).toBe('whole');
  const mixed = exportOf(4, { checkpoints: [2] });
  const foreign = exportOf(4, { checkpoints: [4], environment: 'test' });
  expect(verified([...mixed.slice(0, 3), foreign[3] as object])).toEqual(wrongAt(4, /another audit log/));
});

test.each([
  [{ b: 1, a: [{ d: null, c: 'é\u2028"' }] }, '{"a":[{"c":"é\u2028\\"","d":null}],"b":1}'],
  [{ '€': 1, '\r': 2, '1': 3, '😂': 4, '\ufb33': 5 }, '{"\\r":2,"1":3,"€":1,"😂":4,"\ufb33":5}'],
  [[1e21, 0.1, -0, 1.5e-7], '[1e+21,0.1,0,1.5e-7]'],
  [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
])('the canonical form of %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

describe('entries that are signed by the service that wrote them', () => {
  const services = Object.fromEntries(auditWriters.map((service) => [service, newKey()]));
  const known = writerKeys(
    JSON.stringify(Object.fromEntries(auditWriters.map((name) => [name, { keys: [publicJwkOf(services[name]!)] }]))),
  );
  const place = { organizationId: 'org_1', environment: 'live' };
  /** As `exportOf`, each entry signed by resource-api. */
  const signedExport = (signer: KeyObject = services['resource-api']!, of = place): ExportedLink[] =>
    exportOf(4, { checkpoints: [4] }).map((line) => ({
      ...line,
      writer: { ...of, ...entrySigner('resource-api', signer)(of, line.entry as object) },
    }));
  const checked = (lines: readonly object[], requiredSince: number | null = null): VerificationOutcome => {
    const verifier = new ExportVerifier(keys, [], { keys: known, requiredSince });
    for (const line of lines) {
      const outcome = verifier.add(JSON.stringify(line));
      if (outcome) return outcome;
    }
    return verifier.finish();
  };

  it('are right with their keys, and counted without', () => {
    const whole = { kind: 'whole', result: { signedByWriter: 4, unsignedByWriter: 0 } };
    expect(checked(signedExport())).toMatchObject(whole);
    expect(verified(signedExport())).toMatchObject(whole);
  });

  it('are wrong when another service has signed them, or in another log', () => {
    expect(checked(signedExport(services['alert-pipeline']))).toEqual(wrongAt(1, /not a known key of resource-api/));
    const elsewhere = { ...place, organizationId: 'org_2' };
    expect(checked(signedExport(undefined, elsewhere))).toEqual(wrongAt(4, /another audit log than the checkpoints/));
    const [first, ...others] = signedExport();
    expect(checked([first!, ...signedExport(undefined, elsewhere).slice(1)])).toEqual(wrongAt(2, /another audit log/));
    expect(others).toHaveLength(3);
  });

  it('may be missing before a time only', () => {
    const lines = signedExport().map(({ writer, ...line }, i) => (i === 1 ? line : { ...line, writer }));
    expect(checked(lines)).toMatchObject({ kind: 'whole', result: { signedByWriter: 3, unsignedByWriter: 1 } });
    expect(checked(lines, start + 2 * minute).kind).toBe('whole');
    expect(checked(lines, start + minute)).toEqual(wrongAt(2, /not signed by resource-api/));
  });

  it('have the form of a signature', () => {
    const [first, ...others] = signedExport();
    const wrong = { ...first!, writer: { ...first!.writer, more: 1 } };
    expect(checked([wrong, ...others])).toEqual(wrongAt(1, /form of an export/));
  });
});
