import fc from 'fast-check';
import { originsOf, type FieldSources } from './field-sources.js';
import { compileMapping } from './mapper.js';
import { mapPayload, type ItemResult } from './mapping.js';
import type { MappingSettings } from './mapping-settings.js';
import { presetSettings } from '../presets/integration-types.js';

type Mapped = Extract<ItemResult, { kind: 'event' }>;

const taken = (payload: unknown, settings: Partial<MappingSettings>, explain: true | 'short'): Mapped => {
  const mapped = mapPayload(compileMapping({ ...presetSettings('generic'), ...settings }), payload, { explain });
  if (mapped.kind !== 'items' || mapped.items[0]?.kind !== 'event') throw new Error(JSON.stringify(mapped));
  return mapped.items[0];
};
const sourcesOf = (payload: unknown, settings: Partial<MappingSettings> = {}): FieldSources =>
  taken(payload, settings, 'short').sources!;

const base = { title: 't', severity: 'high', status: 'firing', fingerprint: 'f' };

test.each<[string, unknown, Partial<MappingSettings>, FieldSources]>([
  ['names nothing that is where everybody expects it', { ...base, source: 's', labels: { a: 'b' } }, {}, {}],
  ['says that nobody sent a status', { title: 't', severity: 'high', fingerprint: 'f' }, {}, { status: 'd' }],
  [
    'names the other name of the identity',
    { title: 't', severity: 'high', status: 'firing', dedup_key: 'k' },
    {},
    { fingerprint: 's:dedup_key' },
  ],
  ['says which of the two names counted', { ...base, dedup_key: 'k' }, {}, {}],
  ['says that a fingerprint was made', { title: 't', severity: 'high', status: 'firing' }, {}, { fingerprint: 'g' }],
  [
    'names the entry and the path that was there',
    { ...base, check: { summary: 'x' } },
    { fieldMappings: [{ target: 'title', source: ['check.name', 'check.summary'] }] },
    { title: 'm0:check.summary' },
  ],
  [
    'names templates, constants and defaults',
    { ...base, a: 1 },
    {
      fieldMappings: [
        { target: 'title', template: '{{a}}:{{title}}' },
        { target: 'source', value: 'probe' },
        { target: 'labels.host', source: 'h', default: 'unknown' },
      ],
    },
    { title: 't0:{{a}}:{{title}}', source: 'v1', 'labels.host': 'd2' },
  ],
  [
    'keeps the word a map translated',
    { ...base, severity: 'P1', status: 'odd' },
    { severityMap: { p1: 'critical' }, statusMap: { odd: 'firing' } },
    { 'severity=': 'map:P1', 'status=': 'map:odd' },
  ],
  ['keeps a word that everybody uses', { ...base, status: 'OK' }, {}, { 'status=': 'known:OK' }],
  [
    'keeps the word that nobody knew',
    { ...base, severity: 'odd' },
    { defaultSeverity: 'low' },
    { severity: 'd', 'severity=': 'unknown:odd' },
  ],
  [
    'says that a severity was missing',
    { title: 't', status: 'firing', fingerprint: 'f' },
    { defaultSeverity: 'low' },
    { severity: 'd' },
  ],
  [
    'names all labels at once, those that are added, and the fixed ones',
    { ...base, tags: { x: 1 }, more: 'y:2' },
    {
      fieldMappings: [
        { target: 'labels.*', source: 'tags' },
        { target: 'labels.*', source: 'more' },
      ],
      staticLabels: { team: 'sre' },
    },
    { 'labels.*': 'm0:tags', 'labels.*2': 'm1:more', 'labels.team': 'l' },
  ],
])('%s', (_, payload, settings, expected) => expect(sourcesOf(payload, settings)).toEqual(expected));

test('the beginning of a word is kept, without splitting a character', () => {
  const kept = sourcesOf({ ...base, severity: `${'x'.repeat(63)}😀` }, { defaultSeverity: 'low' })['severity=']!;
  expect(kept).toBe(`unknown:${'x'.repeat(63)}\ufffd`);
});

test('the full form equals the provenance of the mapper, except for raw values', () => {
  const key = fc.constantFrom('a', 'b', 'c.d');
  const mapping = fc.oneof(
    fc.record({
      target: fc.constantFrom('title', 'source', 'description', 'labels.x', 'labels.y', 'annotations.x', 'fingerprint'),
      source: fc.array(key, { minLength: 1, maxLength: 2 }),
      default: fc.constant('d'),
    }),
    fc.record({ target: fc.constantFrom('source', 'description', 'labels.z'), template: fc.constant('{{a}}-{{b}}') }),
    fc.record({ target: fc.constantFrom('source', 'labels.z'), value: fc.constant('constant') }),
  );
  const payload = fc.record(
    {
      a: fc.constantFrom('1', 'two'),
      b: fc.constantFrom('3', ''),
      'c.d': fc.constant('5'),
      source: fc.constant('s'),
      dedup_key: fc.constant('k'),
      labels: fc.constant({ w: 'v' }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(mapping, { maxLength: 5 }),
      payload,
      fc.constantFrom('high', 'P1', 'odd'),
      (fieldMappings, more, severity) => {
        const settings = { fieldMappings, severityMap: { P1: 'low' as const }, defaultSeverity: 'info' as const };
        const sent = { title: 'own', severity, ...more };
        const [short, long] = [taken(sent, settings, 'short'), taken(sent, settings, true)];
        expect(short.event).toEqual(long.event);
        const origins = originsOf(short.event, short.sources!);
        for (const [field, { raw: _raw, via: _via, ...origin }] of Object.entries(long.provenance!)) {
          // The place of an unknown word is not recorded, only the word.
          if (field === 'severity' && origin.from === 'default') delete origin.path;
          if (field === 'dedup_key' || (field in short.event && short.event[field as 'title'] === null)) continue;
          const whole = field.replace(/\..*$/, '.*');
          const { raw: _, via: __, ...rest } = origins[field] ?? origins[whole] ?? {};
          expect({ field, ...rest }).toEqual({ field, ...origin });
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the full form contains the translated word', () => {
  const { event, sources } = taken({ ...base, severity: 'P1', status: 'OK' }, { severityMap: { P1: 'low' } }, 'short');
  expect(originsOf(event, sources!)).toEqual({
    title: { from: 'standard', path: 'title' },
    severity: { from: 'standard', path: 'severity', raw: 'P1', via: 'severityMap' },
    status: { from: 'standard', path: 'status', raw: 'OK', via: 'knownWords' },
    fingerprint: { from: 'standard', path: 'fingerprint' },
  });
});
