/** Requests to the drop-in APIs: no alert is rejected for its size. */
import fc from 'fast-check';
import { compileMapping, eventLimits, fitToLimits, mapPayload, presetSettings, type DropInType } from '../index.js';

const mapped = (type: DropInType, payload: unknown, staticLabels: Record<string, string> = {}) => {
  const fitted = fitToLimits(type, payload, Object.keys(staticLabels).length);
  const result = mapPayload(compileMapping({ ...presetSettings(type), staticLabels }), fitted.payload);
  if (result.kind !== 'items') throw new Error('a handshake');
  return { item: result.items[0]!, warnings: fitted.warnings.map(({ path }) => path) };
};

const trigger = (payload: object, rest: object = {}) => ({
  event_action: 'trigger',
  dedup_key: 'k',
  ...rest,
  payload: { summary: 's', source: 'x', severity: 'error', ...payload },
});
const create = (fields: object) => ({ action: 'create', message: 'm', ...fields });
const long = 'é'.repeat(2_000);
const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, i]));

it('does not change values within the limits', () => {
  const payload = trigger(
    { custom_details: { a: 1, nested: { b: [2] } }, component: 'nginx' },
    { links: [{ href: 'https://x.test' }] },
  );
  expect(fitToLimits('pagerduty_events_v2', payload, 0)).toEqual({ payload, warnings: [] });
});

test.each<[string, DropInType, unknown, string[], object]>([
  [
    'a long detail',
    'pagerduty_events_v2',
    trigger({ custom_details: { firing: long } }),
    ['payload.custom_details.firing'],
    { labels: { firing: `${'é'.repeat(510)}…` } },
  ],
  [
    'a detail of characters that grow',
    'pagerduty_events_v2',
    trigger({ custom_details: { a: '\0'.repeat(1_000) } }),
    ['payload.custom_details.a'],
    { labels: { a: `${'\uFFFD'.repeat(340)}…` } },
  ],
  [
    'details that are a text',
    'pagerduty_events_v2',
    trigger({ custom_details: 'down: since 5' }),
    [],
    { labels: { details: 'down: since 5' } },
  ],
  [
    'details that are a list',
    'pagerduty_events_v2',
    trigger({ custom_details: [1, 2] }),
    [],
    { labels: { details: '[1,2]' } },
  ],
  ['no details', 'pagerduty_events_v2', trigger({ custom_details: null }), [], { labels: {} }],
  ['a long summary', 'pagerduty_events_v2', trigger({ summary: long }), [], { title: `${'é'.repeat(1_023)}…` }],
  [
    'a long link',
    'pagerduty_events_v2',
    trigger({}, { links: [{ href: `https://${long}${long}${long}` }, { href: 'https://x.test' }] }),
    ['links.0.href'],
    { annotations: { link_2: 'https://x.test' } },
  ],
  ['a long message', 'opsgenie', create({ message: long }), [], { title: `${'é'.repeat(1_023)}…` }],
  [
    'a long description',
    'opsgenie',
    create({ description: 'x'.repeat(40_000) }),
    [],
    { description: `${'x'.repeat(eventLimits.descriptionBytes - 3)}…` },
  ],
  [
    'tags',
    'opsgenie',
    create({ tags: ['web', 'env: prod', 'a:b:c', ' ', 7, ':x'], details: { env: 'own' } }),
    [],
    { labels: { tags: 'web, :x', env: 'own', a: 'b:c' } },
  ],
  [
    'tags beside details that are a text',
    'opsgenie',
    create({ tags: ['web'], details: 'text' }),
    [],
    { labels: { tags: 'web', details: 'text' } },
  ],
])('%s', (_, type, payload, warned, event) => {
  const { item, warnings } = mapped(type, payload);
  expect(item).toMatchObject({ kind: 'event', event });
  expect(warnings).toEqual(warned);
});

test.each<[DropInType, object]>([
  ['pagerduty_events_v2', trigger({ custom_details: many, component: 'c', group: 'g', class: 'k' })],
  ['opsgenie', create({ details: many, entity: 'e' })],
])('%s: keeps as many details as the other labels leave places for', (type, payload) => {
  const { item, warnings } = mapped(type, payload, { team: 'sre', site: 'eu' });
  const labels = item.kind === 'event' ? item.event.labels : {};
  expect(labels).toMatchObject({ key0: '0', team: 'sre', site: 'eu' });
  expect(Object.keys(labels).length).toBeLessThanOrEqual(eventLimits.labels);
  expect(warnings).toHaveLength(1);
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    long,
    '\0'.repeat(2_000),
    '\u{1F525}'.repeat(600),
    'x'.repeat(1_023) + '\u{1F525}',
    '\uD83D'.repeat(700),
  ),
);
const details = fc.oneof(
  fc.dictionary(fc.oneof(text, fc.constant('__proto__')), fc.oneof(text, fc.jsonValue()), { maxKeys: 90 }),
  fc.jsonValue(),
);

test('no size of any part loses an alert or throws', () => {
  const titled = text.filter((title) => title.trim() !== '');
  fc.assert(
    fc.property(titled, text, details, fc.jsonValue(), (title, other, bag, tags) => {
      const payloads = [
        [
          'pagerduty_events_v2',
          trigger(
            { summary: title, source: other, component: other, group: bag, class: other, custom_details: bag },
            { client_url: other, links: [{ href: other }] },
          ),
        ],
        [
          'opsgenie',
          create({
            message: title,
            alias: other,
            description: other,
            source: other,
            entity: bag,
            tags,
            details: bag,
            note: other,
            user: bag,
          }),
        ],
      ] as const;
      for (const [type, payload] of payloads) expect(mapped(type, payload).item.kind).toBe('event');
    }),
    { numRuns: 300 },
  );
});

test('any JSON is processed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DropInType>('pagerduty_events_v2', 'opsgenie'),
      fc.jsonValue(),
      (type, payload) => void fitToLimits(type, payload, 0),
    ),
  );
});
