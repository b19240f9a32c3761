import { settingsLimits, validateMappingSettings } from '../index.js';

/** `path rule` of each error. */
const faults = (input: unknown) => validateMappingSettings(input).map(({ path, rule }) => `${path} ${rule}`);

test('settings with all fields are accepted', () => {
  expect(
    validateMappingSettings({
      type: 'generic',
      fieldMappings: [
        { target: 'title', source: ['a.b', '$.c["d.e"]'], extract: '^x(.*)$', default: 'D' },
        { target: 'labels.host', template: '{{host}}:{{port}}', default: null, extract: null },
        { target: 'severity', value: 3 },
        { target: 'dedupKey', source: 'id' },
        { target: 'annotations.*', source: 'links' },
      ],
      itemsPath: 'alerts',
      parseJson: ['Message'],
      severityMap: { page: 'critical' },
      statusMap: { '0': 'firing' },
      defaultSeverity: 'low',
      staticLabels: { team: 'sre' },
      ignoreWhen: [
        { path: 'a', equals: 1 },
        { path: 'b', missing: true },
      ],
      handshakeWhen: [{ path: 'Type', equals: 'SubscriptionConfirmation' }],
    }),
  ).toEqual([]);
});

test('every field may be left out, and null clears it', () => {
  expect(faults({})).toEqual([]);
  const fields = [
    'fieldMappings',
    'itemsPath',
    'parseJson',
    'severityMap',
    'statusMap',
    'defaultSeverity',
    'staticLabels',
    'ignoreWhen',
    'handshakeWhen',
  ];
  expect(faults(Object.fromEntries(fields.map((field) => [field, null])))).toEqual([]);
});

const mapping = (entry: unknown) => ({ fieldMappings: [entry] });
const title = { target: 'title' };

test.each<[string, unknown, string[]]>([
  ['no object', [], ['$ type']],
  ['null', null, ['$ type']],
  [
    'unknown fields',
    { itemPath: 'x', fieldMappings: [{ ...title, source: 'a', sauce: 1 }] },
    ['itemPath unknown', 'fieldMappings[0].sauce unknown'],
  ],
  ['an own "__proto__"', JSON.parse('{"__proto__":{}}'), ['__proto__ unknown']],
  ['mappings that are not a list', { fieldMappings: {} }, ['fieldMappings type']],
  ['too many mappings', { fieldMappings: new Array(201).fill(null) }, ['fieldMappings maxItems']],
  ['a mapping that is not an object', mapping('title'), ['fieldMappings[0] type']],
  ['no target', mapping({ source: 'a' }), ['fieldMappings[0].target required']],
  ['no source', mapping(title), ['fieldMappings[0] required']],
  ['two sources', mapping({ ...title, source: 'a', value: 1 }), ['fieldMappings[0] exclusive']],
  [
    'an extract of a constant',
    mapping({ ...title, value: 'a', extract: '(a)' }),
    ['fieldMappings[0].extract exclusive'],
  ],
  ['an unknown target', mapping({ target: 'tittle', source: 'a' }), ['fieldMappings[0].target syntax']],
  ['a target without a key', mapping({ target: 'labels.', source: 'a' }), ['fieldMappings[0].target syntax']],
  ['a target "__proto__"', mapping({ target: 'labels.__proto__', source: 'a' }), ['fieldMappings[0].target syntax']],
  ['a bad path', mapping({ ...title, source: 'a..b' }), ['fieldMappings[0].source syntax']],
  ['a path to a prototype', mapping({ ...title, source: 'a.constructor' }), ['fieldMappings[0].source syntax']],
  [
    'a bad path in a list',
    mapping({ ...title, source: ['a', 'b[', 7] }),
    ['fieldMappings[0].source[1] syntax', 'fieldMappings[0].source[2] type'],
  ],
  ['an empty list of paths', mapping({ ...title, source: [] }), ['fieldMappings[0].source required']],
  ['too many paths', mapping({ ...title, source: new Array(17).fill('a') }), ['fieldMappings[0].source maxItems']],
  ['a bad template', mapping({ ...title, template: '{{a' }), ['fieldMappings[0].template syntax']],
  ['a bad expression', mapping({ ...title, source: 'a', extract: '(' }), ['fieldMappings[0].extract syntax']],
  ['a default that is a list', mapping({ ...title, source: 'a', default: [] }), ['fieldMappings[0].default type']],
  [
    'a long constant',
    mapping({ ...title, value: 'x'.repeat(settingsLimits.text + 1) }),
    ['fieldMappings[0].value maxLength'],
  ],
  ['a bad itemsPath', { itemsPath: '' }, ['itemsPath syntax']],
  ['a bad parseJson', { parseJson: ['a', ''] }, ['parseJson[1] syntax']],
  [
    'a severity that is none',
    { severityMap: { page: 'urgent' }, defaultSeverity: 'HIGH' },
    ['severityMap["page"] enum', 'defaultSeverity enum'],
  ],
  [
    'words that differ by case only',
    { statusMap: { Down: 'firing', ' down': 'resolved' } },
    ['statusMap[" down"] unique'],
  ],
  ['a blank word', { statusMap: { ' ': 'firing' } }, ['statusMap[" "] required']],
  [
    'too many words',
    { severityMap: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [i, 'low'])) },
    ['severityMap maxItems'],
  ],
  ['a map that is a list', { statusMap: [] }, ['statusMap type']],
  [
    'static labels that are not texts',
    { staticLabels: { a: 1, '*': 'x', ' ': 'y' } },
    ['staticLabels["a"] type', 'staticLabels["*"] enum', 'staticLabels[" "] syntax'],
  ],
  ['a static label that is long', { staticLabels: { a: 'é'.repeat(513) } }, ['staticLabels["a"] maxBytes']],
  [
    'a static "__proto__"',
    { staticLabels: JSON.parse('{"__proto__":"x"}') as object },
    ['staticLabels["__proto__"] syntax'],
  ],
  ['a condition without a test', { ignoreWhen: [{ path: 'a' }] }, ['ignoreWhen[0] required']],
  [
    'a condition with two tests',
    { ignoreWhen: [{ path: 'a', equals: 1, missing: true }] },
    ['ignoreWhen[0] exclusive'],
  ],
  [
    'a condition that is not missing',
    { handshakeWhen: [{ path: 'a', missing: false }] },
    ['handshakeWhen[0].missing enum'],
  ],
  [
    'several at once',
    { itemsPath: 7, defaultSeverity: 'x', ignoreWhen: 'y' },
    ['itemsPath type', 'defaultSeverity enum', 'ignoreWhen type'],
  ],
])('%s', (_, input, expected) => {
  expect(faults(input)).toEqual(expected);
});

test('a syntax error has its position', () => {
  expect(validateMappingSettings({ itemsPath: 'a..b' })).toEqual([
    { path: 'itemsPath', rule: 'syntax', message: 'the key is empty (at character 3)' },
  ]);
});
