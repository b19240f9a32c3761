import fc from 'fast-check';
import { compileMapping } from './mapper.js';
import { mapPayload } from './mapping.js';
import { differenceBetween, triedItems, type TriedItem } from './mapping-difference.js';
import type { MappingSettings } from './mapping-settings.js';
import { presetSettings } from '../presets/integration-types.js';

const tried = (payload: unknown, settings: Partial<MappingSettings> = {}): TriedItem[] =>
  triedItems(mapPayload(compileMapping({ ...presetSettings('generic'), ...settings }), payload));
const payload = { title: 'High CPU', severity: 'alpha', fingerprint: 'f', labels: { host: 'web' } };
const known: Partial<MappingSettings> = { severityMap: { alpha: 'critical' } };

test('equal settings give no difference', () => {
  expect(differenceBetween(tried(payload, known), tried(payload, known))).toEqual({ difference: 'same', changes: [] });
});

test('every difference is named, labels individually', () => {
  expect(
    differenceBetween(
      tried(payload, known),
      tried(payload, { severityMap: { alpha: 'high' }, staticLabels: { team: 'sre' } }),
    ),
  ).toEqual({
    difference: 'changed',
    changes: [
      { item: 0, field: 'severity', before: 'critical', after: 'high' },
      { item: 0, field: 'labels.team', before: null, after: 'sre' },
    ],
  });
});

test('a payload that becomes valid is newly accepted, and vice versa newly refused', () => {
  expect(differenceBetween(tried(payload), tried(payload, known))).toMatchObject({
    difference: 'nowAccepted',
    changes: expect.arrayContaining([{ item: 0, field: 'outcome', before: 'faulty', after: 'event' }]),
  });
  expect(differenceBetween(tried(payload, known), tried(payload))).toMatchObject({ difference: 'nowRefused' });
});

test('one lost item takes precedence over an additional one', () => {
  const items = [
    { title: 'a', severity: 'alpha' },
    { title: 'b', severity: 'beta' },
  ];
  expect(
    differenceBetween(tried(items, { severityMap: { alpha: 'low' } }), tried(items, { severityMap: { beta: 'low' } })),
  ).toMatchObject({ difference: 'nowRefused' });
});

test('an item that is ignored by a rule is not lost', () => {
  expect(
    differenceBetween(
      tried(payload, known),
      tried(payload, { ...known, ignoreWhen: [{ path: 'severity', equals: 'alpha' }] }),
    ),
  ).toMatchObject({ difference: 'changed' });
});

test('a list in place of a single alert refuses nothing', () => {
  const group = {
    title: 'group',
    severity: 'low',
    alerts: [
      { title: 'a', severity: 'low' },
      { title: 'b', severity: 'low' },
    ],
  };
  expect(differenceBetween(tried(group), tried(group, { itemsPath: 'alerts' }))).toMatchObject({
    difference: 'changed',
  });
});

test('with the settings exchanged, accepted and refused are exchanged', () => {
  const item = fc.constantFrom<TriedItem>(
    { outcome: 'ignored', reason: 'x' },
    { outcome: 'faulty', faults: [] },
    { outcome: 'handshake' },
    { outcome: 'unreadable', reason: 'y' },
  );
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 4 }),
      fc.array(item, { minLength: 1, maxLength: 4 }),
      (before, after) => {
        const [there, back] = [
          differenceBetween(before, after).difference,
          differenceBetween(after, before).difference,
        ];
        if (there === 'nowAccepted') expect(back).toBe('nowRefused');
        if (there === 'same' || there === 'changed') expect(back).toBe(there);
        expect(there === 'same').toBe(JSON.stringify(before) === JSON.stringify(after));
      },
    ),
  );
});
