import { answerOf, labelOf, labelsIn } from './answer.js';

type Item = NonNullable<Parameters<typeof answerOf>[0]>;

const ada = { channel: 'email', target: 'ada@example.com', why: 'On call.', onCall: null, unreachable: null };
const away = { ...ada, unreachable: 'disabled' };
const page = (levelOne: unknown[], tellsNow = true) => ({
  policyId: 'pol_1',
  policyName: 'Payments',
  by: 'team',
  why: 'The policy of the team.',
  tellsNow,
  levelOne,
  later: [{ level: 2, afterSeconds: 300, targets: [ada] }],
});
const step = (more: object) => ({ would: 'Page.', targets: [], outcome: 'done', incident: null, page: null, ...more });
const item = (steps: object[], more: object = {}): Item =>
  ({
    outcome: 'event',
    faults: [],
    alert: { status: 'firing' },
    windows: [],
    workflows: [{ workflowId: 'wfl_1', name: 'Page the team', outcome: 'run', steps }],
    catchAll: { outcome: 'workflow', would: 'A workflow runs.', incident: null, page: null, targets: [] },
    ...more,
  }) as unknown as Item;

test.each([
  ['somebody is told', item([step({ page: page([ada]) })]), 'paged'],
  ['one of two can be told', item([step({ page: page([away, ada]) })]), 'paged'],
  ['nobody can be told', item([step({ page: page([away]) })]), 'unreachable'],
  ['nobody is in the level', item([step({ page: page([]) })]), 'unreachable'],
  ['the people were told before', item([step({ page: page([ada], false) })]), 'joined'],
  ['the step is skipped', item([step({ page: page([ada]), outcome: 'skipped' })]), 'nobody'],
  ['only a message', item([step({ targets: [ada] })]), 'nobody'],
  ['suppressed', item([], { alert: { status: 'suppressed' } }), 'suppressed'],
  ['not accepted', item([], { outcome: 'faulty', faults: [{ message: 'title is missing' }] }), 'refused'],
  ['no item', undefined, 'refused'],
  [
    'the catch-all policy',
    item([], { catchAll: { outcome: 'asked', would: '', incident: null, page: page([ada]), targets: [] } }),
    'paged',
  ],
] as const)('%s', (_, simulated, verdict) => {
  expect(answerOf(simulated).verdict).toBe(verdict);
});

test('pages and messages are apart', () => {
  const answer = answerOf(
    item([step({ page: page([ada]), targets: [ada] }), step({ would: 'Tell the chat.', targets: [ada] })]),
  );
  expect([answer.pages.map(({ policyName }) => policyName), answer.messages.map(({ would }) => would)]).toEqual([
    ['Payments'],
    ['Tell the chat.'],
  ]);
});

test('only the windows that match hide the alert', () => {
  const windows = [
    { windowId: 'sup_1', name: 'Load test', matched: false },
    { windowId: 'sup_2', name: 'Patching', matched: true },
  ];
  expect(answerOf(item([], { windows })).windows).toEqual(['Patching']);
});

test.each([
  ['team=payments', 'team:payments'],
  [' team : a=b ', 'team:a=b'],
  ['url=http://a:1', 'url:http://a:1'],
  ['team', null],
  ['=x', null],
  ['team=', null],
])('the label %j', (text, expected) => {
  expect(labelOf(text)).toBe(expected);
});

test('labels of the address', () => {
  expect(labelsIn(['team:payments', 'url:http://a:1', 'x'])).toEqual({ team: 'payments', url: 'http://a:1', x: '' });
});
