/** Properties of every mapping result, for any payload and any settings. */
import fc from 'fast-check';
import {
  alertStatuses,
  compileMapping,
  eventLimits,
  integrationTypes,
  mapPayload,
  maxFingerprintLength,
  presetSettings,
  severities,
  validateMappingSettings,
  type FieldMapping,
  type IgnoreCondition,
  type ItemResult,
  type MappingSettings,
} from '../index.js';

/** Few names, so that settings and payloads often match. */
const names = [
  'title',
  'severity',
  'status',
  'source',
  'fingerprint',
  'dedup_key',
  'labels',
  'annotations',
  'a',
  'b',
  'alerts',
  'x.y',
  '0',
];
const name = fc.constantFrom(...names);
const words = fc.constantFrom(
  'critical',
  'HIGH',
  'warning',
  'ok',
  'resolved',
  'firing',
  'down',
  'odd',
  '',
  ' ',
  '0',
  '\0',
  '\uD800',
  '__proto__',
);

const scalar = fc.oneof(
  words,
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom('x'.repeat(1_100), 'é'.repeat(20_000)),
);
const { payload } = fc.letrec((tie) => ({
  payload: fc.oneof({ maxDepth: 5, withCrossShrink: true }, fc.constant(null), scalar, tie('list'), tie('object')),
  list: fc.array(tie('payload'), { maxLength: 6 }),
  object: fc.oneof(
    fc.dictionary(fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: words }), tie('payload'), {
      maxKeys: 8,
    }),
    fc.array(tie('payload'), { maxLength: 4 }).map((values) => ({ alerts: values })),
    fc
      .integer({ min: 60, max: 70 })
      .map((count) => ({ labels: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])) })),
    fc.constant(
      JSON.parse(
        '{"labels":{"__proto__":{"polluted":1},"constructor":"c"},"__proto__":{"title":"polluted"}}',
      ) as object,
    ),
  ),
}));
/** Similar to an alert, so that some payloads are valid. */
const alert = fc
  .tuple(
    payload,
    fc.record(
      { title: fc.string({ minLength: 1 }), severity: fc.constantFrom(...severities), status: words },
      { requiredKeys: ['title', 'severity'] },
    ),
  )
  .map(([value, fields]) => ({ ...(value as object | null), ...fields }));
const body = fc.oneof(
  payload,
  alert,
  fc.array(alert, { maxLength: 3 }),
  fc.array(fc.oneof(alert, payload), { maxLength: 3 }).map((alerts) => ({ alerts })),
  fc.oneof(alert, payload).map((value) => ({ title: 'x', severity: 'low', a: JSON.stringify(value) })),
);

const plainPath = fc
  .tuple(fc.boolean(), fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([fromRoot, keys]) => (fromRoot ? '$' : '') + keys.map((key) => `["${key}"]`).join(''));
const selector = fc.oneof(
  fc.constantFrom('[first]', '[any]', '[all]'),
  fc
    .tuple(fc.constantFrom('', 'all '), name, fc.constantFrom('=', '!='), words)
    .map(([mode, key, operator, text]) => `[${mode}"${key}"${operator}"${text}"]`),
);
const path = fc.oneof(
  plainPath,
  fc
    .tuple(
      fc.boolean(),
      name,
      fc.array(
        fc.oneof(
          selector,
          name.map((key) => `["${key}"]`),
        ),
        { maxLength: 3 },
      ),
    )
    .map(([fromRoot, key, rest]) => `${fromRoot ? '$' : ''}["${key}"]${rest.join('')}`),
);
const target = fc.constantFrom(
  'title',
  'severity',
  'status',
  'source',
  'description',
  'fingerprint',
  'dedupKey',
  'labels.a',
  'annotations.b',
  'labels.*',
  'annotations.*',
);
const template = fc
  .array(
    fc.oneof(
      path.map((text) => `{{${text}}}`),
      fc.constantFrom(':', ' ', 'x'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const extract = fc.constantFrom(undefined, null, '^(.)', 'x(y*)', '(?:a|b)*(c)?');
const fallback = fc.option(fc.oneof(words, fc.integer()), { nil: undefined });

const fieldMapping: fc.Arbitrary<FieldMapping> = fc.oneof(
  fc.record({
    target,
    source: fc.oneof(path, fc.array(path, { minLength: 1, maxLength: 3 })),
    extract,
    default: fallback,
  }),
  fc.record({ target, template, extract, default: fallback }),
  fc.record({ target, value: fc.oneof(words, fc.integer(), fc.boolean()) }),
);
const conditions: fc.Arbitrary<IgnoreCondition[]> = fc.array(
  fc.oneof<fc.Arbitrary<IgnoreCondition>[]>(
    fc.record({ path, equals: words }),
    fc.record({ path, missing: fc.constant(true as const) }),
  ),
  { maxLength: 2 },
);
const wordMap = <Word>(ours: readonly Word[]) =>
  fc.option(fc.dictionary(fc.constantFrom('odd', 'down', '0', 'x'), fc.constantFrom(...ours)));

const ownSettings: fc.Arbitrary<MappingSettings> = fc.record({
  type: fc.constant('generic'),
  fieldMappings: fc.oneof(fc.constant<FieldMapping[]>([]), fc.array(fieldMapping, { maxLength: 8 })),
  itemsPath: fc.option(fc.oneof(fc.constant('alerts'), path)),
  parseJson: fc.array(fc.oneof(fc.constant('a'), plainPath), { maxLength: 3 }),
  severityMap: wordMap(severities),
  statusMap: wordMap(alertStatuses),
  defaultSeverity: fc.option(fc.constantFrom(...severities)),
  staticLabels: fc.dictionary(fc.constantFrom('a', 'team', 'constructor'), fc.string({ maxLength: 20 })),
  ignoreWhen: fc.oneof(
    { weight: 4, arbitrary: fc.constant<IgnoreCondition[]>([]) },
    { weight: 1, arbitrary: conditions },
  ),
  handshakeWhen: fc.constant<IgnoreCondition[]>([]),
});
const settings = fc.oneof(
  ownSettings,
  fc.constantFrom(...integrationTypes).map(({ type }) => presetSettings(type)),
);

const wellFormed = (text: string) => Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0');

function checkBag(bag: Record<string, string>, limit: number, valueBytes: number): void {
  expect(Object.keys(bag).length).toBeLessThanOrEqual(limit);
  for (const [key, value] of Object.entries(bag)) {
    expect(typeof value).toBe('string');
    expect(key).not.toBe('__proto__');
    expect([...key].length).toBeLessThanOrEqual(eventLimits.key);
    expect(Buffer.byteLength(value)).toBeLessThanOrEqual(valueBytes);
    expect(wellFormed(key) && wellFormed(value)).toBe(true);
  }
}

function checkItem(item: ItemResult): void {
  if (item.kind === 'ignored') return expect(item.reason).not.toBe('');
  if (item.kind === 'faulty') {
    expect(item.faults.length).toBeGreaterThan(0);
    for (const fault of item.faults)
      expect(fault).toEqual({
        path: expect.stringMatching(/./) as string,
        rule: expect.stringMatching(/^\w+$/) as string,
        message: expect.stringMatching(/./) as string,
      });
    return;
  }
  const { event, warnings } = item;
  expect(event.title.trim()).toBe(event.title);
  expect([...event.title].length).toBeLessThanOrEqual(eventLimits.title);
  expect(event.title).not.toBe('');
  expect(alertStatuses).toContain(event.status);
  if (event.status !== 'resolved' || event.severity !== null) expect(severities).toContain(event.severity);
  if (event.source !== null) expect([...event.source].length).toBeLessThanOrEqual(eventLimits.source);
  if (event.description !== null)
    expect(Buffer.byteLength(event.description)).toBeLessThanOrEqual(eventLimits.descriptionBytes);
  expect(event.fingerprint.length).toBeLessThanOrEqual(maxFingerprintLength);
  if (event.fingerprintSource === 'generated') expect(event.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  for (const text of [event.title, event.source ?? '', event.description ?? '', event.fingerprint])
    expect(wellFormed(text)).toBe(true);
  checkBag(event.labels, eventLimits.labels, eventLimits.labelBytes);
  checkBag(event.annotations, eventLimits.annotations, eventLimits.annotationBytes);
  for (const warning of warnings)
    expect(warning).toEqual({ path: expect.any(String) as string, message: expect.stringMatching(/./) as string });
}

test('every result is within the limits, for any input', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(settings, body, (own, value) => {
      expect(validateMappingSettings(own)).toEqual([]);
      const before = JSON.stringify(value);
      const mapped = mapPayload(compileMapping(own), value, { explain: true });
      expect(JSON.stringify(value)).toBe(before);
      if (mapped.kind === 'handshake') return;
      expect(mapped.items.length).toBeGreaterThan(0);
      for (const item of mapped.items) {
        kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + 1);
        checkItem(item);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
  // The properties prove little if hardly any payload becomes an event.
  expect([...kinds.keys()].sort()).toEqual(['event', 'faulty', 'ignored']);
  expect(kinds.get('event')).toBeGreaterThan(50);
});

test('mapping the same payload again gives the same result, with or without explanation', () => {
  fc.assert(
    fc.property(settings, body, (own, value) => {
      const mapper = compileMapping(own);
      const mapped = mapPayload(mapper, value);
      expect(mapPayload(mapper, structuredClone(value))).toEqual(mapped);
      const explained = mapPayload(compileMapping(structuredClone(own)), value, { explain: true });
      if (explained.kind === 'items')
        for (const item of explained.items) delete (item as { provenance?: unknown }).provenance;
      expect(explained).toEqual(mapped);
    }),
    { numRuns: 300 },
  );
});

test('settings of any JSON are valid, or have errors with path, rule and message; valid settings compile', () => {
  const keys = fc.constantFrom(
    'fieldMappings',
    'itemsPath',
    'severityMap',
    'ignoreWhen',
    'staticLabels',
    'target',
    'source',
    'template',
    'path',
    'equals',
    '__proto__',
    'x',
  );
  const { anything } = fc.letrec((tie) => ({
    anything: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, 'a', '', 'title', 'a..b', '{{', 1, true),
      fc.array(tie('anything'), { maxLength: 3 }),
      fc.dictionary(keys, tie('anything'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(anything, (input) => {
      const faults = validateMappingSettings(input);
      for (const fault of faults)
        expect(fault).toEqual({
          path: expect.stringMatching(/./) as string,
          rule: expect.stringMatching(/^\w+$/) as string,
          message: expect.stringMatching(/./) as string,
        });
      if (faults.length > 0) return;
      const sent = Object.fromEntries(Object.entries(input as object).filter(([, value]) => value !== null));
      expect(() => compileMapping({ ...presetSettings('generic'), ...sent })).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
