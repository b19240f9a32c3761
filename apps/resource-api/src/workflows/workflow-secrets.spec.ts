import { normalizedWorkflow, validateWorkflow, type NotifyTarget, type WorkflowStep } from '@ams/domain';
import fc from 'fast-check';
import { newDataKey, TenantSecrets } from '@ams/service';
import type { RecordSecrets } from '../secrets/secrets.js';
import { maskedSteps, sealedSteps, secretsIn } from './workflow-secrets.js';

const tenant = { organizationId: 'f8dc5b1e-3f5a-4a1a-9c39-70dd5a5b3ba4', environment: 'live' } as const;
const sealing = new TenantSecrets(newDataKey(), tenant).sealing('wfl_1');
const sealed: RecordSecrets = { sealing: () => Promise.resolve(sealing) };
const plain: RecordSecrets = { sealing: () => Promise.resolve(({ value }) => value) };

/** Without sealing, to see which stored secret a mark stands for. */
async function unmaskedSteps(sent: WorkflowStep[], stored: WorkflowStep[]) {
  const { parts: steps, faults } = await sealedSteps(sent, stored, plain, 'wfl_1');
  return { steps, faults };
}
const sealedOf = async (sent: WorkflowStep[], stored: WorkflowStep[] = []) =>
  (await sealedSteps(sent, stored, sealed, 'wfl_1')).parts;

const slack = (name: string): NotifyTarget => ({
  type: 'channel',
  kind: 'slack',
  url: `https://hooks.slack.com/services/${name}`,
  secret: null,
});
const signed = (url: string, secret: string): NotifyTarget => ({ type: 'channel', kind: 'webhook', url, secret });

const trigger = { events: ['alert.created'] };
const stepsOf = (...steps: unknown[]): WorkflowStep[] => normalizedWorkflow({ trigger, steps }).steps;
const notify = (targets: NotifyTarget[], id = 'tell'): WorkflowStep[] =>
  stepsOf({ id, type: 'notify', params: { targets } });
const webhook = (params: object, id = 'hook'): WorkflowStep[] =>
  stepsOf({ id, type: 'webhook', params: { url: 'https://example.com/hook', ...params } });

it('shows marks in place of secrets, and the host of an address', async () => {
  const steps = [
    ...webhook({ secret: 's3cret', headers: { Authorization: 'Bearer s3cret' } }),
    ...notify([
      slack('s3cret'),
      signed('https://example.com/a', 's3cret'),
      { type: 'email', address: 'a@example.com' },
      slack('s3cret/2'),
    ]),
    ...webhook({}, 'unsigned'),
  ];
  expect(maskedSteps(steps)).toMatchObject([
    { params: { url: 'https://example.com/hook', secret: '********', headers: { Authorization: '********' } } },
    {
      params: {
        targets: [
          { url: 'https://hooks.slack.com/********', secret: null },
          { url: 'https://example.com/a', secret: '********' },
          { address: 'a@example.com' },
          { url: 'https://hooks.slack.com/********#2' },
        ],
      },
    },
    { params: { secret: null, headers: {} } },
  ]);
  expect(secretsIn(steps).map(({ value }) => value)).toEqual([
    's3cret',
    'Bearer s3cret',
    'https://hooks.slack.com/services/s3cret',
    's3cret',
    'https://hooks.slack.com/services/s3cret/2',
  ]);
});

it.each([
  ['https://example.com', 'https://example.com'],
  ['https://example.com/', 'https://example.com/'],
  ['https://example.com:8443/hook', 'https://example.com:8443/hook'],
  ['https://example.com/in-coming_hook', 'https://example.com/in-coming_hook'],
  ['https://example.com/services/T0/B0/s3cret', 'https://example.com/services/********'],
  ['https://example.com/v2/s3cret', 'https://example.com/v2/********'],
  ['https://example.com/hook?token=s3cret', 'https://example.com/hook/********'],
  ['https://example.com/?s3cret', 'https://example.com/********'],
  ['https://example.com/s3cret', 'https://example.com/********'],
  ['https://example.com/hook#s3cret', 'https://example.com/hook/********'],
  ['https://me:s3cret@example.com/hook', 'https://example.com/hook/********'],
  ['https://example.com/hook/', 'https://example.com/hook/'],
])('the webhook at %s is shown as %s, and keeps its address, secret and headers', async (url, shown) => {
  const steps = [
    ...webhook({ url, secret: 'k', headers: { A: '1' } }),
    ...notify([signed(url, 'k'), signed(`${url}2`, 'l')]),
  ];
  const seen = maskedSteps(steps);
  expect(seen[0]).toMatchObject({ params: { url: shown, secret: '********', headers: { A: '********' } } });
  expect(await unmaskedSteps(seen, steps)).toEqual({ steps, faults: [] });
});

it('two webhooks at one host keep their own addresses and secrets', async () => {
  const [one, two] = [signed('https://example.com/hooks/a', 'k'), signed('https://example.com/hooks/b', 'l')];
  const stored = notify([one, two]);
  const [step] = maskedSteps(stored);
  const shown = step?.type === 'notify' ? step.params.targets : [];
  expect(shown).toMatchObject([
    { url: 'https://example.com/hooks/********' },
    { url: 'https://example.com/hooks/********#2' },
  ]);
  expect(await unmaskedSteps(notify([shown[1] as NotifyTarget]), stored)).toEqual({ steps: notify([two]), faults: [] });
});

const shownSlack = (suffix = ''): NotifyTarget =>
  ({ ...slack(''), url: `https://hooks.slack.com/********${suffix}` }) as NotifyTarget;

describe('a mark keeps what is stored', () => {
  it.each<[what: string, stored: WorkflowStep[], sent: WorkflowStep[], kept: WorkflowStep[]]>([
    [
      'in the same step',
      webhook({ secret: 'old' }),
      webhook({ secret: '********', timeoutSeconds: 3 }),
      webhook({ secret: 'old', timeoutSeconds: 3 }),
    ],
    [
      'for a header of the same name',
      webhook({ headers: { A: '1', B: '2' } }),
      webhook({ headers: { B: '********', C: '3' } }),
      webhook({ headers: { B: '2', C: '3' } }),
    ],
    [
      'for the address that is left',
      notify([slack('a'), slack('b')]),
      notify([shownSlack('#2')]),
      notify([slack('b')]),
    ],
    [
      'wherever it stands',
      notify([slack('a'), slack('b')]),
      notify([shownSlack('#2'), slack('c'), shownSlack()]),
      notify([slack('b'), slack('c'), slack('a')]),
    ],
    [
      'for a webhook that has moved in the list',
      notify([slack('a'), signed('https://example.com/x', 'k')]),
      notify([signed('https://example.com/x', '********')]),
      notify([signed('https://example.com/x', 'k')]),
    ],
    [
      'not where a new secret is sent',
      webhook({ secret: 'old' }),
      webhook({ secret: 'new' }),
      webhook({ secret: 'new' }),
    ],
    ['not where none is sent', webhook({ secret: 'old' }), webhook({}), webhook({})],
  ])('%s', async (_what, stored, sent, kept) => {
    expect(await unmaskedSteps(sent, stored)).toEqual({ steps: kept, faults: [] });
  });

  it.each<[what: string, stored: WorkflowStep[], sent: WorkflowStep[], path: string]>([
    ['in a new workflow', [], webhook({ secret: '********' }), 'steps[0].params.secret'],
    [
      'in another step',
      webhook({ secret: 'old' }, 'one'),
      webhook({ secret: '********' }, 'two'),
      'steps[0].params.secret',
    ],
    ['in a step that had none', webhook({}), webhook({ secret: '********' }), 'steps[0].params.secret'],
    [
      'for another address',
      webhook({ headers: { A: '1' } }),
      webhook({ url: 'https://evil.example.com', headers: { A: '********' } }),
      'steps[0].params.headers["A"]',
    ],
    [
      'for another header',
      webhook({ headers: { A: '1' } }),
      webhook({ headers: { B: '********' } }),
      'steps[0].params.headers["B"]',
    ],
    [
      'for another webhook',
      notify([signed('https://example.com/x', 'k')]),
      notify([signed('https://example.com/y', '********')]),
      'steps[0].params.targets[0].secret',
    ],
    [
      'for a chat at another host',
      notify([slack('a')]),
      notify([{ ...slack('a'), url: 'https://chat.example.com/********' } as NotifyTarget]),
      'steps[0].params.targets[0].url',
    ],
    [
      'for a chat of another kind',
      notify([slack('a')]),
      notify([{ ...shownSlack(), kind: 'discord' } as NotifyTarget]),
      'steps[0].params.targets[0].url',
    ],
    [
      'as a webhook',
      notify([slack('a')]),
      notify([{ ...shownSlack(), kind: 'webhook' } as NotifyTarget]),
      'steps[0].params.targets[0].url',
    ],
    [
      'for a third of two',
      notify([slack('a'), slack('b')]),
      notify([slack('c'), shownSlack('#3')]),
      'steps[0].params.targets[1].url',
    ],
  ])('but not %s', async (_what, stored, sent, path) => {
    expect((await unmaskedSteps(sent, stored)).faults).toEqual([{ path, rule: 'exists', message: expect.any(String) }]);
  });
});

describe('for any steps', () => {
  const secret = fc.stringMatching(/^s3cret[a-z]{1,8}$/);
  const host = fc.constantFrom('https://hooks.slack.com', 'http://chat.example.com:8065', 'https://example.com');
  const chat = fc.record({
    type: fc.constant('channel'),
    kind: fc.constantFrom('slack', 'teams', 'mattermost', 'discord'),
    url: fc.tuple(host, secret).map(([at, path]) => `${at}/${path}`),
  });
  const webhookUrl = fc
    .tuple(host, secret, fc.constantFrom('', '/hook', '/hook/S', '/S', '/hook?key=S', '/v1/a/S'))
    .map(([at, hidden, path]) => `${at}${path.replace('S', hidden)}`);
  const hook = fc.record({
    type: fc.constant('channel'),
    kind: fc.constant('webhook'),
    url: webhookUrl,
    secret: fc.option(secret),
  });
  const user = fc.record({ type: fc.constant('user'), id: fc.constant('usr_1') });
  const targets = fc.array(fc.oneof(chat, hook, user), { minLength: 1, maxLength: 8 });
  const params = fc.record({
    url: webhookUrl,
    secret: fc.option(secret),
    headers: fc.dictionary(fc.constantFrom('Authorization', 'X-Key', '__proto__'), secret),
  });
  const step = fc.oneof(
    targets.map((list) => ({ type: 'notify', params: { targets: list } })),
    params.map((sent) => ({ type: 'webhook', params: sent })),
    fc.constant({ type: 'resolve' }),
  );
  const definitions = fc
    .array(step, { minLength: 1, maxLength: 5 })
    .map((list) => stepsOf(...list.map((sent, index) => ({ id: `step-${index}`, ...sent }))));

  it('no secret is shown, and marks that are sent back keep the stored secrets', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, async (steps) => {
        const shown = maskedSteps(steps);
        expect(JSON.stringify(shown)).not.toContain('s3cret');
        expect(validateWorkflow({ trigger, steps: shown })).toEqual([]);
        expect(await unmaskedSteps(shown, steps)).toEqual({ steps, faults: [] });
      }),
    );
  });

  it('sealed ones hold no secret, show the same, and are the same when they or their marks are sent again', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, async (steps) => {
        const stored = await sealedOf(steps);
        expect(JSON.stringify(stored)).not.toContain('s3cret');
        expect(maskedSteps(stored)).toEqual(maskedSteps(steps));
        expect(await sealedOf(maskedSteps(stored), stored)).toEqual(stored);
        expect(await sealedOf(steps, stored)).toEqual(stored);
        expect(await sealedOf(maskedSteps(steps), steps)).toEqual(stored);
      }),
    );
  });

  it('each chat that is sent back keeps its own address, in any order, also when others are removed', async () => {
    const shuffledPart = fc.array(chat, { minLength: 1, maxLength: 6 }).chain((chats) =>
      fc.tuple(
        fc.constant(chats),
        fc.shuffledSubarray(
          chats.map((_, index) => index),
          { minLength: 1 },
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffledPart, async ([chats, order]) => {
        const stored = notify(chats as NotifyTarget[]);
        const targetsOf = ([only]: WorkflowStep[]): NotifyTarget[] =>
          only?.type === 'notify' ? only.params.targets : [];
        const pick = (list: NotifyTarget[]): NotifyTarget[] => order.map((index) => list[index] as NotifyTarget);
        expect(await unmaskedSteps(notify(pick(targetsOf(maskedSteps(stored)))), stored)).toEqual({
          steps: notify(pick(targetsOf(stored))),
          faults: [],
        });
      }),
    );
  });
});
