import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { explicitFingerprint, generatedFingerprint, maxFingerprintLength, partitionOf } from './fingerprint.js';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('generatedFingerprint', () => {
  test('is the SHA-256 of title and source, each preceded by its length', () => {
    expect(generatedFingerprint('aé', 'b')).toBe(
      sha256(Uint8Array.from([0, 0, 0, 3, 0x61, 0xc3, 0xa9, 0, 0, 0, 1, 0x62])),
    );
    expect(generatedFingerprint('High CPU', null)).toBe(
      '62b6c583840e4b18d0391c1fb2988d8f1f1f7f64a97d86a6e8218ba554ce01fd',
    );
  });

  test('a missing source equals an empty source', () => {
    expect(generatedFingerprint('a', null)).toBe(generatedFingerprint('a', ''));
  });

  test('keeps title and source apart', () => {
    expect(generatedFingerprint('ab', 'c')).not.toBe(generatedFingerprint('a', 'bc'));
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (titleA, sourceA, titleB, sourceB) => {
        const same = titleA === titleB && sourceA === sourceB;
        expect(generatedFingerprint(titleA, sourceA) === generatedFingerprint(titleB, sourceB)).toBe(same);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), (text, first, second) => {
        const [i, j] = [first % (text.length + 1), second % (text.length + 1)];
        const split = (at: number) => generatedFingerprint(text.slice(0, at), text.slice(at));
        expect(split(i) === split(j)).toBe(i === j);
      }),
    );
  });
});

describe('explicitFingerprint', () => {
  test('keeps a key of up to 255 characters and hashes a longer one', () => {
    expect(explicitFingerprint('cpu-web-01')).toBe('cpu-web-01');
    const longest = 'k'.repeat(maxFingerprintLength);
    expect(explicitFingerprint(longest)).toBe(longest);
    expect(explicitFingerprint(`${longest}1`)).toBe(sha256(`${longest}1`));
    expect(explicitFingerprint(`${longest}1`)).not.toBe(explicitFingerprint(`${longest}2`));
  });
});

describe('partitionOf', () => {
  test('never changes, because stored alerts are found by it', () => {
    expect(partitionOf('org_1', 'live', 'cpu-web-01', 64)).toBe(9);
    expect(partitionOf('org_1', 'test', 'cpu-web-01', 64)).toBe(14);
    expect(partitionOf('org_1', 'live', 'höhe 😀', 64)).toBe(18);
  });

  test('is a partition number that is always the same for the same fingerprint', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.integer({ min: 1, max: 1024 }),
        (organization, environment, fingerprint, partitions) => {
          const partition = partitionOf(organization, environment, fingerprint, partitions);
          expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
          expect(partitionOf(organization, environment, fingerprint, partitions)).toBe(partition);
        },
      ),
    );
  });

  test('distributes alerts evenly', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) counts[partitionOf('org_1', 'live', `host-${i}:cpu`, 16)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});
