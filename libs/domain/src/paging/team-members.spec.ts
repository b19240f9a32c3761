import { validateTeamMembers, wholeTeamMembers } from '../index.js';

const mira = { userId: 'usr_1', role: 'manager' };

test.each<[string, unknown, string[]]>([
  ['no members', [], []],
  ['a manager and a responder', [mira, { userId: 'usr_2', role: 'responder' }], []],
  ['a hundred members', Array.from({ length: 100 }, (_, i) => ({ ...mira, userId: `usr_${i}` })), []],
  ['101 members', Array.from({ length: 101 }, (_, i) => ({ ...mira, userId: `usr_${i}` })), ['members maxItems']],
  ['a member twice', [mira, { ...mira, role: 'responder' }], ['members[1].userId unique']],
  ['another role', [{ ...mira, role: 'owner' }], ['members[0].role enum']],
  [
    'a member without an id, and one without a role',
    [{ role: 'manager' }, { userId: 'usr_2' }],
    ['members[0].userId required'],
  ],
  ['an unknown field', [{ ...mira, since: 1 }], ['members[0].since unknown']],
  ['no list', null, ['members type']],
])('%s', (_, input, expected) => {
  expect(validateTeamMembers(input).map(({ path, rule }) => `${path} ${rule}`)).toEqual(expected);
});

test('a member of a team who is sent without a role is a responder', () => {
  expect(wholeTeamMembers([mira as { userId: string; role: 'manager' }, { userId: 'usr_2' }])).toEqual([
    mira,
    { userId: 'usr_2', role: 'responder' },
  ]);
});
