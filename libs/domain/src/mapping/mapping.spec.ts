import { eventLimits } from '../alerts/event-limits.js';
import {
  compileMapping,
  generatedFingerprint,
  integrationTypes,
  mapPayload,
  presetSettings,
  validateMappingSettings,
  type ItemResult,
  type MapOptions,
  type MappedEvent,
  type MappingSettings,
  type Severity,
} from '../index.js';

const base = { title: 'High CPU', severity: 'high' };

/** Maps with the settings of the standard payload, overridden by valid user settings. */
function results(payload: unknown, settings: Partial<MappingSettings> = {}, options?: MapOptions): ItemResult[] {
  expect(validateMappingSettings(settings)).toEqual([]);
  const mapped = mapPayload(compileMapping({ ...presetSettings('generic'), ...settings }), payload, options);
  if (mapped.kind !== 'items') throw new Error('a handshake was not expected');
  return mapped.items;
}

function single(payload: unknown, settings?: Partial<MappingSettings>, options?: MapOptions): ItemResult {
  const items = results(payload, settings, options);
  expect(items).toHaveLength(1);
  return items[0]!;
}

function taken(
  payload: unknown,
  settings?: Partial<MappingSettings>,
  options?: MapOptions,
): Extract<ItemResult, { kind: 'event' }> {
  const item = single(payload, settings, options);
  if (item.kind !== 'event') throw new Error(`expected an event: ${JSON.stringify(item)}`);
  return item;
}

const event = (payload: unknown, settings?: Partial<MappingSettings>): MappedEvent => taken(payload, settings).event;

/** `path rule` of each error. */
function faults(payload: unknown, settings?: Partial<MappingSettings>): string[] {
  const item = single(payload, settings);
  return item.kind === 'faulty' ? item.faults.map(({ path, rule }) => `${path} ${rule}`) : [];
}

describe('the standard payload', () => {
  test('is mapped field by field', () => {
    const labels = { host: 'web-01' };
    const annotations = { runbook: 'https://r' };
    const payload = {
      ...base,
      severity: 'CRITICAL',
      status: 'Firing',
      source: 'script',
      description: 'd',
      fingerprint: 'cpu',
      labels,
      annotations,
    };
    const result = taken(payload);
    expect(result.warnings).toEqual([]);
    expect({
      ...result.event,
      labels: { ...result.event.labels },
      annotations: { ...result.event.annotations },
    }).toEqual({
      title: 'High CPU',
      severity: 'critical',
      status: 'firing',
      source: 'script',
      description: 'd',
      fingerprint: 'cpu',
      fingerprintSource: 'explicit',
      labels,
      annotations,
    });
  });

  test('requires only title and severity', () => {
    expect(event(base)).toMatchObject({
      status: 'firing',
      source: null,
      description: null,
      fingerprint: generatedFingerprint('High CPU', null),
      fingerprintSource: 'generated',
    });
  });

  test.each<[string, unknown, string[]]>([
    ['nothing', {}, ['title required', 'severity required']],
    ['null fields', { title: null, severity: null }, ['title required', 'severity required']],
    ['a blank title', { ...base, title: ' \n' }, ['title required']],
    ['a title that is an object', { ...base, title: {} }, ['title type']],
    ['a severity beyond the five', { ...base, severity: 'urgent' }, ['severity enum']],
    ['a severity that nobody uses', { ...base, severity: 'sepia' }, ['severity enum']],
    ['a severity that is a number', { ...base, severity: 1 }, ['severity enum']],
    ['a severity that is an object', { ...base, severity: {} }, ['severity enum']],
    ['an unknown status', { ...base, status: 'sideways' }, ['status enum']],
    ['a status that is a list', { ...base, status: [] }, ['status type']],
    ['an acknowledgement without severity', { title: 'x', status: 'acknowledged' }, ['severity required']],
    ['a resolve without title', { status: 'resolved', fingerprint: 'f' }, ['title required']],
    [
      'several faults',
      { title: '', severity: 'x', status: 'y', source: [] },
      ['status enum', 'title required', 'severity enum'],
    ],
    ['a number', 5, ['$ type']],
    ['null', null, ['$ type']],
    ['a text', 'hello', ['$ type']],
  ])('%s is rejected', (_, payload, expected) => {
    expect(faults(payload)).toEqual(expected);
  });

  test.each<[string, object, string[]]>([
    ['a fingerprint that is an object', { fingerprint: {} }, ['fingerprint']],
    ['a dedup_key that is a list', { dedup_key: [1] }, ['dedup_key']],
    ['a source and a description that are lists', { source: [], description: [1] }, ['source', 'description']],
    ['labels that are a number', { labels: 7 }, ['labels']],
    ['labels that are a text without pairs', { labels: 'prod, web' }, ['labels']],
    ['labels that are a list of tags', { labels: ['prod', 'web'] }, ['labels']],
    ['labels that are a list of other things', { labels: [{ a: 1 }, 7] }, ['labels']],
    ['labels without values', { labels: { a: null } }, ['labels']],
    ['annotations that are true', { annotations: true }, ['annotations']],
    ['empty labels and annotations', { labels: {}, annotations: [] }, []],
  ])('%s: left out, with a warning', (_, fields, warned) => {
    const { event: mapped, warnings } = taken({ ...base, ...fields });
    expect(warnings.map(({ path }) => path)).toEqual(warned);
    expect(mapped).toMatchObject({ source: null, description: null, fingerprintSource: 'generated' });
    expect(Object.keys({ ...mapped.labels, ...mapped.annotations })).toEqual([]);
  });

  test('numbers and booleans are converted to text', () => {
    const payload = {
      title: 7,
      severity: 'low',
      source: false,
      fingerprint: 42,
      labels: { port: 80, up: true, ratio: 0.5, none: null, blank: '' },
    };
    const mapped = event(payload);
    expect(mapped).toMatchObject({ title: '7', source: 'false', fingerprint: '42' });
    expect({ ...mapped.labels }).toEqual({ port: '80', up: 'true', ratio: '0.5', blank: '' });
  });

  test("only the payload's own properties are read", () => {
    expect(faults(Object.create({ title: 'inherited', severity: 'high' }))).toEqual([
      'title required',
      'severity required',
    ]);
  });
});

describe('identity', () => {
  test.each<[string, object, string]>([
    ['fingerprint', { fingerprint: 'a' }, 'a'],
    ['dedup_key', { dedup_key: 'b' }, 'b'],
    ['dedupKey', { dedupKey: 'c' }, 'c'],
    ['a blank fingerprint and a dedup_key', { fingerprint: ' ', dedup_key: 'b' }, 'b'],
  ])('%s', (_, keys, fingerprint) => {
    expect(taken({ ...base, ...keys })).toMatchObject({
      event: { fingerprint, fingerprintSource: 'explicit' },
      warnings: [],
    });
  });

  test('when the two keys differ, fingerprint is used, with a warning', () => {
    expect(taken({ ...base, dedup_key: 'b', fingerprint: 'a' })).toMatchObject({
      event: { fingerprint: 'a' },
      warnings: [{ path: 'dedup_key' }],
    });
    expect(taken({ ...base, dedup_key: 'a', fingerprint: 'a' }).warnings).toEqual([]);
  });

  test('is generated from title and source, also for a resolving event', () => {
    expect(event({ title: ' High CPU ', source: 'probe', status: 'resolved' })).toMatchObject({
      title: 'High CPU',
      severity: null,
      fingerprint: generatedFingerprint('High CPU', 'probe'),
      fingerprintSource: 'generated',
    });
  });

  test('a mapping of either name replaces both', () => {
    const settings = { fieldMappings: [{ target: 'dedup_key', source: 'id' }] };
    expect(event({ ...base, id: 1, fingerprint: 'theirs' }, settings).fingerprint).toBe('1');
    expect(event({ ...base, fingerprint: 'theirs' }, settings).fingerprintSource).toBe('generated');
  });

  test('a long key is hashed', () => {
    expect(event({ ...base, fingerprint: 'k'.repeat(256) }).fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('severity', () => {
  const mapped = (severity: unknown, settings: Partial<MappingSettings>) =>
    event({ title: 'x', severity }, settings).severity;

  test.each([
    ['page', 'critical'],
    [' PAGE ', 'critical'],
    ['high', 'info'],
    ['medium', 'medium'],
    ['Warning', 'medium'],
    ['FATAL', 'critical'],
    ['error', 'high'],
    ['P4', 'low'],
    ['sev2', 'high'],
    [3, 'low'],
    ['ok', 'info'],
  ])('%s is %s by the map, the five severities, or the well-known words', (word, severity) => {
    expect(mapped(word, { severityMap: { Page: 'critical', high: 'info', '3': 'low' } })).toBe(severity);
  });

  test.each<[string, object]>([
    ['unknown', { severity: 'odd' }],
    ['missing', {}],
    ['blank', { severity: '' }],
    ['not text', { severity: [] }],
  ])('one that is %s becomes the default, with a warning', (_, fields) => {
    expect(taken({ title: 'x', ...fields }, { defaultSeverity: 'low' })).toMatchObject({
      event: { severity: 'low' },
      warnings: [{ path: 'severity' }],
    });
  });

  test('a map without a default rejects an unknown word', () => {
    expect(faults({ title: 'x', severity: 'odd' }, { severityMap: { page: 'critical' } })).toEqual(['severity enum']);
  });

  test.each([
    ['critical', 'critical', 0],
    ['OK', null, 0],
    ['odd', null, 1],
    [undefined, null, 0],
  ])(
    'when resolving, %s is %s: severity is optional, and "no problem" words give none',
    (severity, expected, warnings) => {
      const payload = { title: 'x', status: 'resolved', severity };
      for (const settings of [{ severityMap: { page: 'critical' }, defaultSeverity: 'low' } as const, {}]) {
        const result = taken(payload, settings);
        expect(result.event.severity).toBe(expected);
        if (severity !== 'OK') expect(result.warnings).toHaveLength(warnings);
      }
    },
  );
});

describe('status', () => {
  test.each([
    ['down', 'firing'],
    ['ALARM', 'firing'],
    ['Problem', 'firing'],
    ['alerting', 'firing'],
    ['up', 'resolved'],
    ['Recovery', 'resolved'],
    ['ok', 'resolved'],
    ['closed', 'resolved'],
    ['ACKNOWLEDGEMENT', 'acknowledged'],
    ['suppressed', 'suppressed'],
    [0, 'firing'],
    [1, 'resolved'],
    ['muted', 'firing'],
    ['Weird State', 'acknowledged'],
    ['', 'firing'],
  ])('%s is %s', (word, status) => {
    const statusMap = { '0': 'firing', '1': 'resolved', MUTED: 'firing', 'weird state': 'acknowledged' } as const;
    expect(event({ ...base, status: word }, { statusMap }).status).toBe(status);
  });

  test('when a mapping does not find it, the status is firing, with a warning', () => {
    const settings = { fieldMappings: [{ target: 'status', source: 'state' }] };
    expect(taken(base, settings)).toMatchObject({ event: { status: 'firing' }, warnings: [{ path: 'status' }] });
    expect(taken(base).warnings).toEqual([]);
  });
});

describe('field mappings', () => {
  const title = (payload: object, ...fieldMappings: MappingSettings['fieldMappings']) =>
    event({ severity: 'low', ...payload }, { fieldMappings }).title;

  test.each<[string, object, string]>([
    ['the first path that is there', { a: 'A', b: 'B' }, 'A'],
    ['not null', { a: null, b: 'B' }, 'B'],
    ['not blank', { a: ' ', b: 'B' }, 'B'],
    ['false is there', { a: false, b: 'B' }, 'false'],
    ['zero is there', { a: 0, b: 'B' }, '0'],
  ])('for a list of paths: %s', (_, payload, expected) => {
    expect(title(payload, { target: 'title', source: ['a', 'b'] })).toBe(expected);
  });

  test('several entries for one field are used in order', () => {
    const entries = [
      { target: 'title', source: 'summary' },
      { target: 'title', template: 'Event {{id}}' },
      { target: 'title', value: 'Unnamed' },
    ];
    expect(title({ summary: 's', id: 1 }, ...entries)).toBe('s');
    expect(title({ id: 1 }, ...entries)).toBe('Event 1');
    expect(title({}, ...entries)).toBe('Unnamed');
  });

  test('a default is used when the value is missing', () => {
    expect(title({}, { target: 'title', source: 'a', default: 'D' })).toBe('D');
    expect(title({ a: '' }, { target: 'title', source: 'a', default: 'D' })).toBe('D');
    expect(title({}, { target: 'title', template: '{{a}}', default: 7 })).toBe('7');
  });

  test('extract applies to the text found, not to the default', () => {
    const entry = { target: 'title', source: 'a', extract: '\\[(.+)\\]', default: '[D]' };
    expect(title({ a: 'x [y] z' }, entry)).toBe('y');
    expect(title({ a: 'x y z' }, entry)).toBe('x y z');
    expect(title({}, entry)).toBe('[D]');
  });

  test("a mapped field does not use the payload's own field", () => {
    expect(faults({ ...base }, { fieldMappings: [{ target: 'title', source: 'name' }] })).toEqual(['title required']);
    expect(event({ ...base, source: 'own' }, { fieldMappings: [{ target: 'title', value: 't' }] }).source).toBe('own');
  });

  test("the sender's own field of another type with the same name is left out, with a warning", () => {
    const settings = { fieldMappings: [{ target: 'title', source: 'title' }] };
    const payload = { ...base, source: { name: 'x' }, labels: 3 };
    expect(taken(payload, settings)).toMatchObject({
      event: { source: null },
      warnings: [{ path: 'source' }, { path: 'labels' }],
    });
    expect(taken({ ...base, x: {} }, { fieldMappings: [{ target: 'source', source: 'x' }] }).warnings).toMatchObject([
      { path: 'source' },
    ]);
  });
});

describe('labels and annotations', () => {
  const labels = (payload: object, ...fieldMappings: MappingSettings['fieldMappings']) => ({
    ...event({ ...base, ...payload }, { fieldMappings }).labels,
  });
  const all = { target: 'labels.*', source: 'tags' };

  test.each<[string, unknown, object]>([
    ['an object', { a: 1, b: null, c: { d: [1] } }, { a: '1', c: '{"d":[1]}' }],
    [
      'named pairs',
      [{ name: 'a', value: 1 }, { key: 'b', value: true }, { tag: 'c', value: 'x' }, { tag: 'd' }],
      { a: '1', b: 'true', c: 'x' },
    ],
    [
      'pairs',
      [
        ['a', 1],
        ['b', 'x'],
        ['c', null],
      ],
      { a: '1', b: 'x' },
    ],
    ['texts', ['a:1', 'bare', 'url:http://x'], { a: '1', url: 'http://x' }],
    ['one text', 'a:1, bare ,url:http://x:80, b : 2,:none', { a: '1', url: 'http://x:80', b: '2' }],
    [
      'the last of the same key',
      [
        ['a', 1],
        ['a', 2],
      ],
      { a: '2' },
    ],
    ['an empty list', [], {}],
    ['an empty object', {}, {}],
  ])('labels.* accepts %s', (_, tags, expected) => {
    expect(labels({ tags }, all)).toEqual(expected);
  });

  test('entries that are not pairs are left out, with one warning', () => {
    const result = taken(
      { ...base, tags: [1, {}, ['a', 1], [{}, 2], { name: {}, value: 1 }] },
      { fieldMappings: [all] },
    );
    expect({ ...result.event.labels }).toEqual({ a: '1' });
    expect(result.warnings).toEqual([{ path: 'labels', message: expect.stringMatching(/^4 of 5/) as string }]);
  });

  test('later labels.* replace earlier ones, single labels replace both, static labels replace all', () => {
    const payload = { one: { a: 1, b: 1, c: 1, d: 1 }, two: { b: 2, c: 2, d: 2 }, three: 3 };
    const fieldMappings = [
      { target: 'labels.c', source: 'three' },
      { target: 'labels.*', source: 'one' },
      { target: 'labels.*', source: 'two' },
      { target: 'labels.d', source: 'three' },
    ];
    const mapped = event({ ...base, ...payload }, { fieldMappings, staticLabels: { d: 'fixed', team: 'sre' } });
    expect({ ...mapped.labels }).toEqual({ a: '1', b: '2', c: '3', d: 'fixed', team: 'sre' });
    expect({ ...mapped.annotations }).toEqual({});
  });

  test('a single label that is blank or missing is left out and replaces nothing', () => {
    expect(
      labels(
        { tags: { a: 'x' }, blank: '' },
        all,
        { target: 'labels.a', source: 'blank' },
        { target: 'labels.b', source: 'none' },
      ),
    ).toEqual({ a: 'x' });
  });

  test("without labels.*, the payload's own labels are kept beside single ones", () => {
    expect(labels({ labels: { a: 1, b: 1 }, host: 'h' }, { target: 'labels.b', source: 'host' })).toEqual({
      a: '1',
      b: 'h',
    });
    expect(labels({ labels: { a: 1 }, tags: { b: 2 } }, all)).toEqual({ b: '2' });
  });

  test('a key is the text after the first dot', () => {
    expect(labels({ h: 1 }, { target: 'labels.app.kubernetes.io/name', source: 'h' })).toEqual({
      'app.kubernetes.io/name': '1',
    });
  });

  test('a "__proto__" is left out with a warning, and the result inherits nothing', () => {
    const payload = JSON.parse(
      '{"title":"x","severity":"low","labels":{"__proto__":{"polluted":1},"constructor":"c","":"e","a":"1"}}',
    ) as object;
    const result = taken(payload);
    expect(Object.entries(result.event.labels)).toEqual([
      ['constructor', 'c'],
      ['a', '1'],
    ]);
    expect('toString' in result.event.labels).toBe(false);
    expect(result.warnings).toHaveLength(2);
    expect('polluted' in {}).toBe(false);
    const pairs = taken({ ...base, tags: '__proto__:x' }, { fieldMappings: [all] });
    expect(Object.keys(pairs.event.labels)).toEqual([]);
  });
});

describe('limits', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  const emoji = '😀';

  test.each<[string, object]>([
    ['title', { title: emoji.repeat(eventLimits.title) }],
    ['source', { source: 's'.repeat(eventLimits.source) }],
    ['description', { description: 'é'.repeat(eventLimits.descriptionBytes / 2) }],
    ['labels', { labels: many(eventLimits.labels) }],
    ['annotations', { annotations: many(eventLimits.annotations) }],
    ['a label', { labels: { a: 'é'.repeat(eventLimits.labelBytes / 2) } }],
    ['an annotation', { annotations: { a: 'é'.repeat(eventLimits.annotationBytes / 2) } }],
    ['a key', { labels: { ['k'.repeat(eventLimits.key)]: 'v' } }],
  ])('%s at the limit is accepted', (_, fields) => {
    expect(taken({ ...base, ...fields }).warnings).toEqual([]);
  });

  test.each<[string, object, string, object]>([
    [
      'title',
      { title: emoji.repeat(eventLimits.title) + 'x' },
      'title',
      { title: `${emoji.repeat(eventLimits.title - 1)}…` },
    ],
    ['source', { source: 's'.repeat(eventLimits.source + 1) }, 'source', { source: `${'s'.repeat(1_023)}…` }],
    [
      'description',
      { description: 'é'.repeat(eventLimits.descriptionBytes / 2) + 'x' },
      'description',
      { description: `${'é'.repeat((eventLimits.descriptionBytes - 4) / 2)}…` },
    ],
    ['label', { labels: { a: 'é'.repeat(513), b: 'x' } }, 'labels.a', { labels: { a: `${'é'.repeat(510)}…`, b: 'x' } }],
    [
      'annotation',
      { annotations: { url: 'x'.repeat(8_193) } },
      'annotations.url',
      { annotations: { url: `${'x'.repeat(8_189)}…` } },
    ],
    ['key', { labels: { ['k'.repeat(257)]: 'v' } }, 'labels', { labels: { [`${'k'.repeat(255)}…`]: 'v' } }],
  ])('a %s over the limit is cut, with a warning', (_, fields, warned, expected) => {
    const { event: mapped, warnings } = taken({ ...base, ...fields });
    expect(mapped).toMatchObject(expected);
    expect(warnings.map(({ path }) => path)).toEqual([warned]);
  });

  test.each(['labels', 'annotations'] as const)('%s over the number are left out, with a warning', (field) => {
    const { event: mapped, warnings } = taken({ ...base, [field]: many(500) });
    expect({ ...mapped[field] }).toEqual(
      Object.fromEntries(Object.entries(many(64)).map(([key, value]) => [key, String(value)])),
    );
    expect(warnings).toEqual([{ path: field, message: `436 ${field} are left out: an alert has at most 64 ${field}` }]);
  });

  test('a generator URL of 1,078 characters is kept whole', () => {
    const generatorURL = `https://prometheus/graph?g0.expr=${'x'.repeat(1_045)}`;
    const alerts = [{ status: 'firing', labels: { alertname: 'A' }, annotations: {}, generatorURL }];
    const item = results({ alerts }, presetSettings('alertmanager'))[0];
    expect(item).toMatchObject({ kind: 'event', event: { annotations: { generator_url: generatorURL } } });
  });

  test('a firing and a resolving event with a long title and source are one alert, and two titles are two', () => {
    const long = { title: 'x'.repeat(2_000), source: 'y'.repeat(2_000) };
    const firing = event({ ...base, ...long });
    expect(firing.fingerprint).toBe(generatedFingerprint(long.title, long.source));
    expect(event({ ...long, status: 'resolved' })).toMatchObject({
      status: 'resolved',
      fingerprint: firing.fingerprint,
    });
    expect(event({ ...base, ...long, title: `${long.title}!` }).fingerprint).not.toBe(firing.fingerprint);
  });

  test('a replaced label is not counted with its old value', () => {
    const replaced = taken({ ...base, labels: { a: 'x'.repeat(2_000) } }, { staticLabels: { a: 'short' } });
    expect(replaced).toMatchObject({ event: { labels: { a: 'short' } }, warnings: [] });
  });

  test("static and mapped labels have places before the sender's own", () => {
    const settings = { fieldMappings: [{ target: 'labels.host', source: 'host' }], staticLabels: { team: 'sre' } };
    const { event: mapped, warnings } = taken({ ...base, host: 'a', labels: many(64) }, settings, { explain: true });
    expect(Object.keys(mapped.labels)).toHaveLength(64);
    expect(mapped.labels).toMatchObject({ k0: '0', k61: '61', host: 'a', team: 'sre' });
    expect(warnings).toMatchObject([{ path: 'labels', message: expect.stringMatching(/^2 labels/) as string }]);
  });

  test('characters that cannot be stored are replaced', () => {
    const mapped = event({ title: 'a\0b', severity: 'low', fingerprint: '\uD800', labels: { 'k\0': 'v\uDC00' } });
    expect(mapped).toMatchObject({ title: 'a\uFFFDb', fingerprint: '\uFFFD' });
    expect({ ...mapped.labels }).toEqual({ 'k\uFFFD': 'v\uFFFD' });
  });
});

describe('severities', () => {
  const meanings: [Severity, string[]][] = [
    ['critical', ['fatal', 'crit', 'emergency', 'P1', 'sev1', 'SEV-1']],
    ['high', ['error', 'Major', 'alert', 'P2', 'sev2']],
    ['medium', ['warning', 'P3', 'sev3']],
    ['low', ['minor', 'P4', 'sev4']],
    ['info', ['notice', 'ok', 'P5', 'sev5']],
  ];
  const types = integrationTypes.filter(({ settings }) => settings.severityMap === null).map(({ type }) => type);

  test.each(types)('%s knows the common words', (type) => {
    const fieldMappings = [
      { target: 'title', value: 'x' },
      { target: 'status', value: 'firing' },
    ];
    const settings = { ...presetSettings(type), itemsPath: null, ignoreWhen: [], defaultSeverity: null };
    const own = { ...settings, fieldMappings: settings.fieldMappings.length > 0 ? fieldMappings : [] };
    for (const [severity, words] of meanings)
      for (const word of words) expect(event({ title: 'x', severity: word }, own)).toMatchObject({ severity });
  });

  test('an unknown word is an error only without a defaultSeverity', () => {
    expect(faults({ title: 'x', severity: 'sepia' })).toEqual(['severity enum']);
    expect(taken({ title: 'x', severity: 'sepia' }, { defaultSeverity: 'low' })).toMatchObject({
      event: { severity: 'low' },
      warnings: [{ path: 'severity' }],
    });
  });

  test('an event says when its severity is a default', () => {
    const byMapping = { fieldMappings: [{ target: 'severity', source: 'level', default: 'high' }] };
    expect(event({ title: 'x' }, { defaultSeverity: 'low' })).toMatchObject({ severityIsDefault: true });
    expect(event({ title: 'x' }, byMapping)).toMatchObject({ severity: 'high', severityIsDefault: true });
    for (const [payload, settings] of [
      [{ title: 'x', severity: 'sepia' }, { defaultSeverity: 'low' as const }],
      [{ title: 'x', severity: 'low' }, { defaultSeverity: 'low' as const }],
      [{ title: 'x', level: 'low' }, byMapping],
      [{ title: 'x' }, { fieldMappings: [{ target: 'severity', value: 'high' }] }],
    ] as const)
      expect(event(payload, settings as Partial<MappingSettings>)).not.toHaveProperty('severityIsDefault');
  });
});

describe('lists of alerts', () => {
  const itemsPath = 'alerts';

  test('each item is mapped separately, and errors name the item', () => {
    const alerts = [base, { title: 'no severity' }, { ...base, status: 'resolved' }, 'text'];
    const items = results({ alerts }, { itemsPath });
    expect(items.map(({ kind }) => kind)).toEqual(['event', 'faulty', 'event', 'faulty']);
    expect(items[1]).toMatchObject({ faults: [{ path: 'alerts[1].severity' }] });
    expect(items[3]).toMatchObject({ faults: [{ path: 'alerts[3]', rule: 'type' }] });
  });

  test('an item reads the whole payload under $', () => {
    const fieldMappings = [
      { target: 'source', source: '$.receiver' },
      { target: 'labels.*', source: '$.common' },
    ];
    const [first] = results({ receiver: 'r', common: { team: 'sre' }, alerts: [base] }, { itemsPath, fieldMappings });
    expect(first).toMatchObject({ event: { source: 'r', labels: { team: 'sre' } } });
  });

  test('a payload that is a list is a list of items', () => {
    const items = results([base, {}]);
    expect(items).toMatchObject([
      { kind: 'event' },
      { kind: 'faulty', faults: [{ path: '[1].title' }, { path: '[1].severity' }] },
    ]);
  });

  test('warnings name the item', () => {
    const [, second] = results([base, { title: 'x' }], { defaultSeverity: 'low' });
    expect(second).toMatchObject({ warnings: [{ path: '[1].severity' }] });
  });

  test.each<[string, unknown, object]>([
    ['missing', {}, { kind: 'faulty', faults: [{ path: 'itemsPath', rule: 'required' }] }],
    ['an object', { alerts: {} }, { kind: 'faulty', faults: [{ path: 'itemsPath', rule: 'type' }] }],
    ['empty', { alerts: [] }, { kind: 'ignored' }],
    [
      'too long',
      { alerts: new Array(1_001).fill(base) },
      { kind: 'faulty', faults: [{ path: 'itemsPath', rule: 'maxItems' }] },
    ],
    ['in no payload at all', null, { kind: 'faulty', faults: [{ path: 'itemsPath', rule: 'required' }] }],
  ])('a list that is %s', (_, payload, expected) => {
    expect(single(payload, { itemsPath })).toMatchObject(expected);
  });

  test('an empty payload list is ignored', () => {
    expect(single([])).toMatchObject({ kind: 'ignored' });
  });

  test('1,000 items are accepted', () => {
    expect(results(new Array(1_000).fill(base))).toHaveLength(1_000);
  });
});

describe('parseJson', () => {
  const settings = {
    parseJson: ['Message', 'Message.inner', 'missing'],
    fieldMappings: [{ target: 'title', source: ['Message.inner.name', 'Message.name', 'Message'] }],
  };
  const title = (Message: unknown) => event({ severity: 'low', Message }, settings).title;

  test.each<[string, unknown, string]>([
    ['JSON', '{"name":"n"}', 'n'],
    ['JSON within JSON', '{"inner":"{\\"name\\":\\"deep\\"}"}', 'deep'],
    ['no JSON', 'Hello world!', 'Hello world!'],
    ['an object that is one already', { name: 'o' }, 'o'],
  ])('%s', (_, message, expected) => {
    expect(title(message)).toBe(expected);
  });

  test('does not change the payload', () => {
    const payload = { severity: 'low', Message: '{"name":"n"}' };
    const before = structuredClone(payload);
    event(payload, settings);
    expect(payload).toEqual(before);
  });

  test('works within the items, and may contain the list of items', () => {
    const batch = {
      parseJson: ['body', 'tags'],
      itemsPath: 'body.alerts',
      fieldMappings: [{ target: 'labels.*', source: 'tags' }],
    };
    const alerts = [{ ...base, tags: '[{"tag":"a","value":"1"}]' }];
    expect(event({ body: JSON.stringify({ alerts }) }, batch)).toMatchObject({ labels: { a: '1' } });
  });

  test('cannot pollute a prototype', () => {
    const mapped = event(
      { ...base, Message: '{"__proto__":{"polluted":1}}' },
      { ...settings, fieldMappings: [{ target: 'labels.*', source: 'Message' }] },
    );
    expect(Object.keys(mapped.labels)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('payloads that are not alerts', () => {
  const ignoreWhen = [
    { path: 'kind', equals: 'ping' },
    { path: 'level', equals: 0 },
    { path: 'body', missing: true as const },
  ];

  test.each<[string, object, boolean]>([
    ['equals', { kind: 'ping', body: 1 }, true],
    ['equals a number', { level: 0, body: 1 }, true],
    ['equals the number’s text', { level: '0', body: 1 }, true],
    ['missing', {}, true],
    ['null', { body: null }, true],
    ['another case', { kind: 'PING', body: 1 }, false],
    ['none', { body: 1 }, false],
  ])('ignoreWhen: %s', (_, fields, ignored) => {
    expect(single({ ...base, ...fields }, { ignoreWhen }).kind).toBe(ignored ? 'ignored' : 'event');
  });

  test('reports the condition that held', () => {
    expect(single({ kind: 'ping' }, { ignoreWhen })).toEqual({
      kind: 'ignored',
      reason: 'ignoreWhen[0]: kind is "ping"',
    });
  });

  test('applies to each item, and to the whole payload under $', () => {
    const settings = {
      itemsPath: 'alerts',
      ignoreWhen: [
        { path: 'test', equals: true },
        { path: '$.ping', equals: true },
      ],
    };
    expect(results({ alerts: [base, { ...base, test: true }] }, settings).map(({ kind }) => kind)).toEqual([
      'event',
      'ignored',
    ]);
    expect(results({ ping: true }, settings)).toMatchObject([{ kind: 'ignored' }]);
    expect(results({ test: true }, settings)).toMatchObject([{ kind: 'faulty' }]);
  });

  test('a handshake has no other effect', () => {
    const settings: MappingSettings = {
      ...presetSettings('generic'),
      handshakeWhen: [{ path: 'Type', equals: 'SubscriptionConfirmation' }],
    };
    expect(mapPayload(compileMapping(settings), { Type: 'SubscriptionConfirmation' })).toEqual({ kind: 'handshake' });
    expect(mapPayload(compileMapping(settings), { ...base, Type: 'Notification' })).toMatchObject({ kind: 'items' });
  });
});

describe('provenance', () => {
  const settings: Partial<MappingSettings> = {
    fieldMappings: [
      { target: 'title', source: ['name', 'subject'] },
      { target: 'description', template: '{{a}}-{{b}}' },
      { target: 'status', source: 'state' },
      { target: 'source', value: 'probe' },
      { target: 'labels.*', source: 'tags' },
      { target: 'labels.host', source: 'h', default: 'unknown' },
    ],
    severityMap: { page: 'critical' },
    staticLabels: { team: 'sre' },
  };

  test('reports for every field where its value comes from', () => {
    const payload = {
      subject: 's',
      a: 1,
      b: 2,
      state: 'down',
      severity: 'page',
      tags: { x: 1 },
      annotations: { y: 1 },
    };
    expect({ ...taken(payload, settings, { explain: true }).provenance }).toEqual({
      title: { from: 'mapping', entry: 0, path: 'subject', raw: 's' },
      description: { from: 'mapping', entry: 1, template: '{{a}}-{{b}}', raw: '1-2' },
      status: { from: 'mapping', entry: 2, path: 'state', raw: 'down', via: 'knownWords' },
      source: { from: 'mapping', entry: 3, raw: 'probe' },
      severity: { from: 'standard', path: 'severity', raw: 'page', via: 'severityMap' },
      fingerprint: { from: 'generated' },
      'labels.x': { from: 'mapping', entry: 4, path: 'tags' },
      'labels.host': { from: 'default', entry: 5, raw: 'unknown' },
      'labels.team': { from: 'static' },
      'annotations.y': { from: 'standard', path: 'annotations' },
    });
  });

  test('exists for an invalid item too, and only on request', () => {
    const faulty = single({ name: 'n', severity: 'odd' }, settings, { explain: true });
    expect(faulty).toMatchObject({ kind: 'faulty', provenance: { title: { path: 'name' } } });
    expect(single({ name: 'n', severity: 'page' }, settings)).not.toHaveProperty('provenance');
  });
});

test('settings that copy too much of a large payload into too many items are rejected early', () => {
  const fieldMappings = Array.from({ length: 200 }, (_, i) => ({
    target: `labels.l${i % 60}`,
    template: '{{$.big}}{{$.big}}',
  }));
  const big = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, i]));
  const started = performance.now();
  const items = results({ big, alerts: new Array(1_000).fill(base) }, { itemsPath: 'alerts', fieldMappings });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(items.at(-1)).toMatchObject({ kind: 'faulty', faults: [{ path: 'alerts[999]', rule: 'complexity' }] });
});

describe('elements of lists', () => {
  const payload = {
    ...base,
    jobs: [
      { name: 'lint', status: 'ok', host: 'a' },
      { name: 'unit tests', status: 'failed', host: 'b', tags: { team: 'web' } },
      { name: 'build', status: 'failed', host: 'b' },
    ],
  };
  const mapped = (target: string, source: string) => event(payload, { fieldMappings: [{ target, source }] });

  test('the first, any or all of a list, and an element by a condition', () => {
    expect(mapped('title', 'jobs[status=failed].name').title).toBe('unit tests');
    expect(mapped('title', 'jobs[first].name').title).toBe('lint');
    expect(mapped('source', 'jobs[any].tags.team').source).toBe('web');
    expect(mapped('description', 'jobs[all status=failed].name').description).toBe('unit tests, build');
    expect(mapped('labels.hosts', 'jobs[all].host').labels).toEqual({ hosts: 'a, b' });
    expect({ ...mapped('labels.*', 'jobs[status=failed].tags').labels }).toEqual({ team: 'web' });
  });

  test('in templates', () => {
    const fieldMappings = [{ target: 'title', template: 'Failed: {{jobs[all status=failed].name}}' }];
    expect(event(payload, { fieldMappings }).title).toBe('Failed: unit tests, build');
  });

  test('in ignoreWhen: one element for [any], all for [all]', () => {
    const ignored = (path: string, equals: string) =>
      single(payload, { ignoreWhen: [{ path, equals }] }).kind === 'ignored';
    expect(ignored('jobs[any].status', 'ok')).toBe(true);
    expect(ignored('jobs[all].status', 'ok')).toBe(false);
    expect(ignored('jobs[all status!=failed].status', 'ok')).toBe(true);
    expect(single(payload, { ignoreWhen: [{ path: 'jobs[status=skipped]', missing: true }] }).kind).toBe('ignored');
    expect(single(payload, { ignoreWhen: [{ path: 'jobs[status=failed]', missing: true }] }).kind).toBe('event');
  });

  test('the lists of several elements are one list of items', () => {
    const groups = { groups: [{ alerts: [base, base] }, {}, { alerts: [base] }] };
    expect(results(groups, { itemsPath: 'groups[all].alerts' })).toHaveLength(3);
    expect(results({ data: [{ t: 'x' }, { t: 'a', list: [base] }] }, { itemsPath: 'data[t=a].list' })).toHaveLength(1);
  });

  test('a preview names the path', () => {
    const fieldMappings = [{ target: 'title', source: ['jobs[status=skipped].name', 'jobs[status=failed].name'] }];
    expect(taken(payload, { fieldMappings }, { explain: true }).provenance?.title).toEqual({
      from: 'mapping',
      entry: 0,
      path: 'jobs[status=failed].name',
      raw: 'unit tests',
    });
  });

  test('parseJson names one text', () => {
    expect(validateMappingSettings({ parseJson: ['jobs[all].name'] })).toMatchObject([
      { path: 'parseJson[0]', rule: 'syntax' },
    ]);
    expect(validateMappingSettings({ parseJson: ['jobs[first].name'] })).toEqual([]);
  });

  test('a search through a large list for each of many items is refused early, and never ignored', () => {
    const big = Array.from({ length: 20_000 }, (_, i) => ({ i }));
    const settings = {
      itemsPath: 'alerts',
      ignoreWhen: [{ path: '$.big[i=x]', missing: true as const }],
    };
    const items = results({ big, alerts: new Array(1_000).fill(base) }, settings);
    expect(items.findIndex(({ kind }) => kind === 'faulty')).toBeLessThan(300);
    expect(items[0]).toMatchObject({ kind: 'ignored' });
    expect(items.at(-1)).toMatchObject({ kind: 'faulty', faults: [{ rule: 'complexity' }] });
  });
});

test('settings without validation do not compile', () => {
  expect(() => compileMapping({ ...presetSettings('generic'), itemsPath: 'a..b' })).toThrow(TypeError);
});
