import fc from 'fast-check';
import { normalizedPolicy, policyReferencesOf, validatePolicy, type PolicySettings } from '../index.js';
import { policyLimits } from './policy.js';

const user = { type: 'user', id: 'usr_1' };
const level = { targets: [user] };
const policy = { levels: [level] };
const withTarget = (target: unknown) => ({ levels: [{ targets: [target] }] });
const faultsOf = (input: unknown) => validatePolicy(input).map(({ path, rule }) => `${path} ${rule}`);

test.each<[string, unknown]>([
  ['one level', policy],
  ['the largest numbers', { levels: [{ ...level, escalateAfterSeconds: 604_800 }], repeat: 9 }],
  ['the smallest numbers', { levels: [{ ...level, escalateAfterSeconds: 1 }], repeat: 0, ackTimeoutSeconds: 60 }],
  ['null for what has a default', { levels: [{ ...level, id: null }], repeat: null, ackTimeoutSeconds: null }],
  ['twenty levels', { levels: Array.from({ length: 20 }, () => level) }],
  ['twenty targets', { levels: [{ targets: Array.from({ length: 20 }, () => user) }] }],
  ['a team', withTarget({ type: 'team', id: 'tem_1' })],
  ['who is next on call', withTarget({ type: 'schedule', id: 'sch_1', who: 'next' })],
  ['an e-mail address', withTarget({ type: 'email', address: 'ops@example.com' })],
  ['a chat', withTarget({ type: 'channel', kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x' })],
  [
    'ids of levels',
    {
      levels: [
        { id: 'first', ...level },
        { id: 'second', ...level },
      ],
    },
  ],
])('%s is a valid policy', (_, input) => {
  expect(validatePolicy(input)).toEqual([]);
  expect(validatePolicy(normalizedPolicy(input))).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  ['nothing', {}, ['levels required']],
  ['no levels', { levels: [] }, ['levels required']],
  ['twenty-one levels', { levels: Array.from({ length: 21 }, () => level) }, ['levels maxItems']],
  ['no targets', { levels: [{ targets: [] }] }, ['levels[0].targets required']],
  [
    'twenty-one targets',
    { levels: [{ targets: Array.from({ length: 21 }, () => user) }] },
    ['levels[0].targets maxItems'],
  ],
  ['a level at once', { levels: [{ ...level, escalateAfterSeconds: 0 }] }, ['levels[0].escalateAfterSeconds range']],
  ['ten repetitions', { ...policy, repeat: 10 }, ['repeat range']],
  [
    'a short and a fractional time',
    { ...policy, ackTimeoutSeconds: 59, repeat: 0.5 },
    ['repeat type', 'ackTimeoutSeconds range'],
  ],
  [
    'two levels with one id',
    {
      levels: [
        { id: 'a', ...level },
        { id: 'a', ...level },
      ],
    },
    ['levels[1].id unique'],
  ],
  ['an id with a space', { levels: [{ id: 'a b', ...level }] }, ['levels[0].id format']],
  ['an unknown target', withTarget({ type: 'pager', id: 'x' }), ['levels[0].targets[0].type enum']],
  [
    'an address that an alert would name',
    withTarget({ type: 'email', addressFrom: 'labels.owner' }),
    ['levels[0].targets[0].addressFrom unknown', 'levels[0].targets[0].address required'],
  ],
  [
    'an address with a template',
    withTarget({ type: 'email', address: '{{labels.owner}}' }),
    ['levels[0].targets[0].address template'],
  ],
  ['a team without an id', withTarget({ type: 'team' }), ['levels[0].targets[0].id required']],
  [
    'a secret of a chat',
    withTarget({ type: 'channel', kind: 'slack', url: 'https://a.example', secret: 'x' }),
    ['levels[0].targets[0].secret exclusive'],
  ],
  ['an unknown field', { ...policy, rounds: 1 }, ['rounds unknown']],
])('%s is refused', (_, input, expected) => {
  expect(faultsOf(input)).toEqual(expected);
});

test('a stored policy has every field', () => {
  expect(normalizedPolicy({ levels: [level, { id: 'level-1', targets: [user] }, level] })).toEqual({
    levels: [
      { id: 'level-2', targets: [user], escalateAfterSeconds: 600 },
      { id: 'level-1', targets: [user], escalateAfterSeconds: 600 },
      { id: 'level-3', targets: [user], escalateAfterSeconds: 600 },
    ],
    repeat: 0,
    ackTimeoutSeconds: null,
  });
});

test('the references are the members, schedules and teams of all levels, with their paths', () => {
  const levels = normalizedPolicy({
    levels: [
      { targets: [{ type: 'schedule', id: 'sch_1' }, { type: 'email', address: 'a@example.com' }, user] },
      { targets: [{ type: 'team', id: 'tem_1' }, user] },
    ],
  }).levels;
  expect(policyReferencesOf(levels)).toEqual([
    { noun: 'schedule', id: 'sch_1', path: 'levels[0].targets[0].id' },
    { noun: 'member', id: 'usr_1', path: 'levels[0].targets[2].id' },
    { noun: 'team', id: 'tem_1', path: 'levels[1].targets[0].id' },
    { noun: 'member', id: 'usr_1', path: 'levels[1].targets[1].id' },
  ]);
});

// --- Any policy -----------------------------------------------------------------------------------------------------

const target = fc.oneof(
  fc.record({ type: fc.constantFrom('user', 'schedule', 'team'), id: fc.constantFrom('a_1', 'a_2') }),
  fc.constant({ type: 'email', address: 'a@example.com' }),
);
const anyLevel = fc.record(
  {
    id: fc.constantFrom('level-1', 'level-2', 'first'),
    targets: fc.array(target, { minLength: 1, maxLength: 3 }),
    escalateAfterSeconds: fc.integer({ min: 1, max: policyLimits.escalateAfterSeconds }),
  },
  { requiredKeys: ['targets'] },
);
const anyPolicy = fc.record(
  {
    levels: fc.uniqueArray(anyLevel, {
      minLength: 1,
      maxLength: 6,
      selector: ({ id }) => id,
      comparator: (a, b) => a !== undefined && a === b,
    }),
    repeat: fc.integer({ min: 0, max: policyLimits.repeat }),
    ackTimeoutSeconds: fc.option(fc.integer(policyLimits.ackTimeoutSeconds)),
  },
  { requiredKeys: ['levels'] },
);

test('the stored form of a valid policy is valid, stays the same, and has distinct ids of levels', () => {
  fc.assert(
    fc.property(anyPolicy, (input) => {
      expect(validatePolicy(input)).toEqual([]);
      const stored: PolicySettings = normalizedPolicy(input);
      expect(validatePolicy(stored)).toEqual([]);
      expect(normalizedPolicy(stored)).toEqual(stored);
      expect(new Set(stored.levels.map(({ id }) => id)).size).toBe(stored.levels.length);
      expect(stored.levels.map(({ targets }) => targets)).toEqual(input.levels.map(({ targets }) => targets));
    }),
  );
});

test('any input is validated without an exception', () => {
  fc.assert(fc.property(fc.anything(), (input) => Array.isArray(validatePolicy(input))));
});
