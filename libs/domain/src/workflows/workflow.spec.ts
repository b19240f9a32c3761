import fc from 'fast-check';
import type { AlertFacts } from '../conditions/condition-facts.js';
import { urlChannels } from './channels.js';
import { stepTypes, unlessStates, workflowEvents, type WorkflowDefinition } from './workflow-schema.js';
import { groupKeyOf, usualGroupBy } from './group-key.js';
import { normalizedWorkflow, validateWorkflow } from './workflow-check.js';
import { referencesOf } from './workflow-references.js';
import { severities } from '../alerts/severity.js';

const trigger = { events: ['alert.created'] };
const step = (type: string, params?: unknown, more: object = {}) => ({
  id: 'a',
  type,
  ...(params === undefined ? {} : { params }),
  ...more,
});
const withSteps = (...steps: unknown[]) => ({ trigger, conditions: null, steps });
const notifying = (target: unknown) => step('notify', { targets: [target] });
const hook = (url: unknown, more: object = {}) => step('webhook', { url, ...more });

const faultsOf = (input: unknown) => validateWorkflow(input).map(({ path, rule }) => `${path}: ${rule}`);
const fromJson = (text: string): unknown => JSON.parse(text);

const escalation = {
  trigger: { events: ['alert.created', 'alert.resumed'] },
  conditions: {
    all: [
      { field: 'severity', op: 'gte', value: 'high' },
      { field: 'labels.env', op: 'neq', value: 'staging' },
    ],
  },
  steps: [
    {
      id: 'incident',
      type: 'openIncident',
      params: {
        groupBy: ['fingerprint', 'labels.app.kubernetes.io/name'],
        autoResolve: true,
        title: '{{labels.service}} fails',
        severity: 'high',
      },
    },
    {
      id: 'page',
      type: 'notify',
      params: {
        targets: [
          { type: 'schedule', id: 'sch_1' },
          { type: 'email', address: "o'neil+ops@example.com" },
        ],
        subject: 'Look',
        message: 'Please.',
      },
    },
    {
      id: 'escalate',
      type: 'notify',
      params: { targets: [{ type: 'user', id: 'usr_1' }] },
      delaySeconds: 600,
      unless: ['acknowledged', 'resolved'],
    },
    {
      id: 'chat',
      type: 'notify',
      params: {
        targets: [
          { type: 'channel', kind: 'slack', url: 'https://hooks.slack.com/x' },
          { type: 'channel', kind: 'webhook', url: 'http://a.example:8080/', secret: 's' },
        ],
      },
    },
    {
      id: 'tell',
      type: 'webhook',
      params: { url: 'https://example.com/hook?a=b', secret: null, headers: { 'X-Team': 'ops' }, timeoutSeconds: 30 },
      continueOnError: true,
    },
    { id: 'worse', type: 'setSeverity', params: { severity: 'critical' } },
    { id: 'mark', type: 'addLabels', params: { labels: { team: 'ops', 'a.b/c': '' } } },
    { id: 'person', type: 'assign', params: { userId: 'usr_2' } },
    { id: 'on-call', type: 'assign', params: { scheduleId: 'sch_2' } },
    { id: 'seen', type: 'acknowledge' },
    { id: 'done', type: 'resolve', params: {} },
  ],
};

const at = 'steps[0].params.targets[0]';
const tooLong = 'steps[0].params.secret: maxLength';
const both = ['alert.created', 'incident.created'];
const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');

describe('validateWorkflow', () => {
  test.each<[string, unknown]>([
    ['every type of step', escalation],
    ['no conditions', { trigger, steps: [step('resolve')] }],
    [
      'null where something may be left out',
      withSteps(
        step(
          'notify',
          {
            targets: [{ type: 'channel', kind: 'teams', url: 'https://a.example', secret: null }],
            subject: null,
            message: null,
          },
          { delaySeconds: null, unless: null, continueOnError: null },
        ),
      ),
    ],
    ['an incident without settings', withSteps(step('openIncident'))],
    ['a page without settings: the catch-all policy', withSteps(step('page'))],
    [
      'a page with null for every setting',
      withSteps(step('page', { groupBy: null, windowSeconds: null, autoResolve: null, title: null, policy: null })),
    ],
    [
      'a page with every setting',
      withSteps(
        step('page', {
          groupBy: [],
          windowSeconds: 604_800,
          autoResolve: false,
          title: '{{title}}',
          policy: { id: 'pol_1' },
        }),
      ),
    ],
    ['a page of the team that a label names', withSteps(step('page', { policy: { teamFrom: 'labels.a.b/team' } }))],
    [
      'incidents that notify',
      { trigger: { events: ['incident.created'] }, steps: [notifying({ type: 'user', id: 'usr_1' })] },
    ],
    [
      'a step of alerts where alerts may trigger',
      { trigger: { events: ['incident.created', 'alert.created'] }, steps: [step('setSeverity', { severity: 'low' })] },
    ],
    [
      'an address that the alert names',
      withSteps(notifying({ type: 'email', addressFrom: 'labels.owner' }), {
        ...notifying({ type: 'email', address: null, addressFrom: 'annotations.mail' }),
        id: 'b',
      }),
    ],
    ...['s', 'whsec', '********', `whsec_${bytes(24)}`, `whsec_${bytes(64)}`, `old whsec_${bytes(32)}`].map(
      (secret): [string, unknown] => [`the secret ${secret}`, withSteps(hook('https://a.example', { secret }))],
    ),
    ['fifty steps', withSteps(...Array.from({ length: 50 }, (_, index) => step('resolve', {}, { id: `s${index}` })))],
    ['every event', { trigger: { events: [...workflowEvents] }, steps: [hook('https://a.example')] }],
    ['the longest delay', withSteps(step('resolve', {}, { delaySeconds: 2_592_000 }))],
  ])('accepts %s', (_name, input) => expect(faultsOf(input)).toEqual([]));

  test.each<[string, unknown, string[]]>([
    ['text', 'notify me', ['$: type']],
    ['nothing', {}, ['trigger: required', 'steps: required']],
    ['unknown fields', { ...withSteps(step('resolve')), name: 'x' }, ['name: unknown']],
    ['a trigger that is a list', { trigger: [], steps: [step('resolve')] }, ['trigger: type']],
    ['no events', { trigger: { events: [] }, steps: [step('resolve')] }, ['trigger.events: required']],
    [
      'unknown events',
      { trigger: { events: ['alert.created', 'alert.deleted'] }, steps: [step('resolve')] },
      ['trigger.events[1]: enum'],
    ],
    [
      'doubled events',
      { trigger: { events: ['alert.created', 'alert.created'] }, steps: [step('resolve')] },
      ['trigger.events[1]: unique'],
    ],
    [
      'a bad condition',
      { trigger, conditions: { all: [{ field: 'title', op: 'gt', value: 1 }] }, steps: [step('resolve')] },
      ['conditions.all[0].op: enum'],
    ],
    ['no steps', withSteps(), ['steps: required']],
    [
      '51 steps',
      withSteps(...Array.from({ length: 51 }, (_, index) => step('resolve', {}, { id: `s${index}` }))),
      ['steps: maxItems'],
    ],
    ['a step that is not an object', withSteps(5), ['steps[0]: type']],
    ['an empty step', withSteps({}), ['steps[0].type: required']],
    ['an unknown type', withSteps(step('call')), ['steps[0].type: enum']],
    ['an inherited type', withSteps(step('constructor')), ['steps[0].type: enum']],
    ['no id', withSteps({ type: 'resolve' }), ['steps[0].id: required']],
    [
      'odd ids',
      withSteps(
        step('resolve', {}, { id: 'a b' }),
        step('resolve', {}, { id: 5 }),
        step('resolve', {}, { id: 'x'.repeat(65) }),
        step('resolve', {}, { id: '' }),
      ),
      ['steps[0].id: format', 'steps[1].id: type', 'steps[2].id: maxLength', 'steps[3].id: format'],
    ],
    ['the same id twice', withSteps(step('resolve'), step('acknowledge')), ['steps[1].id: unique']],
    [
      'odd timing',
      withSteps(step('resolve', {}, { delaySeconds: -1, unless: ['firing'], continueOnError: 'yes' })),
      ['steps[0].delaySeconds: range', 'steps[0].unless[0]: enum', 'steps[0].continueOnError: type'],
    ],
    ['too long a delay', withSteps(step('resolve', {}, { delaySeconds: 2_592_001 })), ['steps[0].delaySeconds: range']],
    ['half a second', withSteps(step('resolve', {}, { delaySeconds: 0.5 })), ['steps[0].delaySeconds: type']],
    [
      'a doubled unless',
      withSteps(step('resolve', {}, { unless: ['resolved', 'resolved'] })),
      ['steps[0].unless[1]: unique'],
    ],
    ['an unknown field of a step', withSteps(step('resolve', {}, { delay: 5 })), ['steps[0].delay: unknown']],
    ['params where none belong', withSteps(step('acknowledge', { note: 'x' })), ['steps[0].params.note: unknown']],

    ['notify without params', withSteps(step('notify')), ['steps[0].params: required']],
    ['notify without targets', withSteps(step('notify', {})), ['steps[0].params.targets: required']],
    ['notify of nobody', withSteps(step('notify', { targets: [] })), ['steps[0].params.targets: required']],
    [
      '21 targets',
      withSteps(step('notify', { targets: Array.from({ length: 21 }, () => ({ type: 'user', id: 'u' })) })),
      ['steps[0].params.targets: maxItems'],
    ],
    ['a target that is not an object', withSteps(notifying('usr_1')), ['steps[0].params.targets[0]: type']],
    [
      'a target of an unknown type',
      withSteps(notifying({ type: 'team', id: 't' })),
      ['steps[0].params.targets[0].type: enum'],
    ],
    ['a user without id', withSteps(notifying({ type: 'user', id: ' ' })), ['steps[0].params.targets[0].id: required']],
    [
      'a schedule with an address',
      withSteps(notifying({ type: 'schedule', id: 's', address: 'a@b.c' })),
      ['steps[0].params.targets[0].address: unknown'],
    ],
    ['an e-mail target without an address', withSteps(notifying({ type: 'email' })), [`${at}.address: required`]],
    [
      'two addresses in one target',
      withSteps(notifying({ type: 'email', address: 'a@b.c', addressFrom: 'labels.owner' })),
      [`${at}.addressFrom: exclusive`],
    ],
    [
      'an address from a field that is neither a label nor an annotation',
      withSteps(
        notifying({ type: 'email', addressFrom: 'title' }),
        { ...notifying({ type: 'email', addressFrom: 'labels.*' }), id: 'b' },
        { ...notifying({ type: 'email', addressFrom: '{{labels.owner}}' }), id: 'c' },
        { ...notifying({ type: 'email', addressFrom: 5 }), id: 'd' },
      ),
      [
        `${at}.addressFrom: enum`,
        'steps[1].params.targets[0].addressFrom: enum',
        'steps[2].params.targets[0].addressFrom: enum',
        'steps[3].params.targets[0].addressFrom: type',
      ],
    ],
    [
      'an address from an alert where an incident may trigger',
      { ...withSteps(notifying({ type: 'email', addressFrom: 'labels.owner' })), trigger: { events: both } },
      [`${at}.addressFrom: trigger`],
    ],
    [
      'a template as an address',
      withSteps(notifying({ type: 'email', address: '{{labels.owner}}' })),
      [`${at}.address: template`],
    ],
    [
      'a template in an address',
      withSteps(notifying({ type: 'email', address: '{{labels.owner}}@example.com' })),
      [`${at}.address: template`],
    ],
    [
      'a template in the URL of a chat',
      withSteps(notifying({ type: 'channel', kind: 'slack', url: 'https://a.example/{{labels.team}}' })),
      [`${at}.url: template`],
    ],
    [
      'a template in the URL of a webhook',
      withSteps(hook('https://{{labels.host}}/hook')),
      ['steps[0].params.url: template'],
    ],
    ...['whsec_', 'whsec_!!', `whsec_${bytes(23)}`, `whsec_${bytes(65)}`, `whsec_${bytes(25).replace(/=+$/, '')}`]
      .flatMap((secret) => [secret, `old ${secret}`, `${secret} new`])
      .map((secret): [string, unknown, string[]] => [
        `the secret ${secret.slice(0, 30)} of ${secret.length} characters`,
        withSteps(hook('https://a.example', { secret }), {
          ...notifying({ type: 'channel', kind: 'webhook', url: 'https://a.example', secret }),
          id: 'b',
        }),
        ['steps[0].params.secret: secret', 'steps[1].params.targets[0].secret: secret'],
      ]),
    ['a secret that is too long', withSteps(hook('https://a.example', { secret: 's'.repeat(501) })), [tooLong]],
    [
      'an address without @',
      withSteps(notifying({ type: 'email', address: 'ops' })),
      ['steps[0].params.targets[0].address: format'],
    ],
    [
      'an address with a second line',
      withSteps(notifying({ type: 'email', address: 'a@example.com\r\nBcc: b@example.com' })),
      ['steps[0].params.targets[0].address: format'],
    ],
    [
      'an address that is too long',
      withSteps(notifying({ type: 'email', address: `${'a'.repeat(250)}@b.de` })),
      ['steps[0].params.targets[0].address: maxLength'],
    ],
    [
      'a channel without kind and url',
      withSteps(notifying({ type: 'channel' })),
      ['steps[0].params.targets[0].kind: required', 'steps[0].params.targets[0].url: required'],
    ],
    [
      'a secret of a chat',
      withSteps(notifying({ type: 'channel', kind: 'slack', url: 'https://a.example', secret: 's' })),
      ['steps[0].params.targets[0].secret: exclusive'],
    ],
    [
      'long words',
      withSteps(
        step('notify', { targets: [{ type: 'user', id: 'u' }], subject: 'x'.repeat(201), message: 'x'.repeat(4_001) }),
      ),
      ['steps[0].params.subject: maxLength', 'steps[0].params.message: maxLength'],
    ],

    ...[
      'ftp://a.example',
      'javascript:alert(1)',
      '/hook',
      '',
      'https://',
      'https://exa mple.com',
      ' https://a.example',
      'https://a.exam\nple',
    ].map((url): [string, unknown, string[]] => [
      `the address ${JSON.stringify(url)}`,
      withSteps(hook(url)),
      ['steps[0].params.url: format'],
    ]),
    ['credentials in an address', withSteps(hook('https://user:secret@a.example')), ['steps[0].params.url: format']],
    ['a user in an address', withSteps(hook('https://user@a.example')), ['steps[0].params.url: format']],
    [
      'an address that is too long',
      withSteps(hook(`https://a.example/${'x'.repeat(2_048)}`)),
      ['steps[0].params.url: maxLength'],
    ],
    ['an address that is not a text', withSteps(hook({ href: 'https://a.example' })), ['steps[0].params.url: type']],
    ['an empty secret', withSteps(hook('https://a.example', { secret: '' })), ['steps[0].params.secret: required']],
    [
      '31 seconds',
      withSteps(hook('https://a.example', { timeoutSeconds: 31 })),
      ['steps[0].params.timeoutSeconds: range'],
    ],
    ['no time', withSteps(hook('https://a.example', { timeoutSeconds: 0 })), ['steps[0].params.timeoutSeconds: range']],
    ...[
      'Host',
      'content-length',
      'Webhook-Signature',
      'webhook-x',
      'Transfer-Encoding',
      'connection',
      'proxy-authorization',
    ].map((name): [string, unknown, string[]] => [
      `the header ${name}`,
      withSteps(hook('https://a.example', { headers: { [name]: 'x' } })),
      [`steps[0].params.headers["${name}"]: reserved`],
    ]),
    [
      'headers that break out',
      withSteps(hook('https://a.example', { headers: { 'a b': 'x', 'x-a': 'x\r\nhost: y', 'x-b': 5, 'x-c': 'ü' } })),
      [
        'steps[0].params.headers["a b"]: format',
        'steps[0].params.headers["x-a"]: format',
        'steps[0].params.headers["x-b"]: type',
        'steps[0].params.headers["x-c"]: format',
      ],
    ],
    [
      'a header twice',
      withSteps(hook('https://a.example', { headers: { 'X-A': '1', 'x-a': '2' } })),
      ['steps[0].params.headers["x-a"]: unique'],
    ],
    [
      '21 headers',
      withSteps(
        hook('https://a.example', {
          headers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, ''])),
        }),
      ),
      ['steps[0].params.headers: maxItems'],
    ],

    [
      'odd groups',
      withSteps(step('openIncident', { groupBy: ['labels.', 'description', 'labels.*', 5, 'source', 'source'] })),
      [
        'steps[0].params.groupBy[0]: enum',
        'steps[0].params.groupBy[1]: enum',
        'steps[0].params.groupBy[2]: enum',
        'steps[0].params.groupBy[3]: enum',
        'steps[0].params.groupBy[5]: unique',
      ],
    ],
    [
      'eleven groups',
      withSteps(step('openIncident', { groupBy: Array.from({ length: 11 }, (_, index) => `labels.${index}`) })),
      ['steps[0].params.groupBy: maxItems'],
    ],
    [
      'odd settings of an incident',
      withSteps(step('openIncident', { windowSeconds: 604_801, autoResolve: 1, title: '{{a', severity: 'High' })),
      [
        'steps[0].params.windowSeconds: range',
        'steps[0].params.autoResolve: type',
        'steps[0].params.title: syntax',
        'steps[0].params.severity: enum',
      ],
    ],
    [
      'a title that is too long',
      withSteps(step('openIncident', { title: 'x'.repeat(1_025) })),
      ['steps[0].params.title: maxLength'],
    ],
    [
      'odd settings of a page',
      withSteps(
        step('page', { groupBy: ['description'], windowSeconds: -1, autoResolve: 1, title: '{{a', severity: 'high' }),
      ),
      [
        'steps[0].params.severity: unknown',
        'steps[0].params.groupBy[0]: enum',
        'steps[0].params.windowSeconds: range',
        'steps[0].params.autoResolve: type',
        'steps[0].params.title: syntax',
      ],
    ],
    ['a policy that is a text', withSteps(step('page', { policy: 'pol_1' })), ['steps[0].params.policy: type']],
    ['a policy without id and team', withSteps(step('page', { policy: {} })), ['steps[0].params.policy: required']],
    [
      'a policy with an id and a team',
      withSteps(step('page', { policy: { id: 'pol_1', teamFrom: 'labels.team' } })),
      ['steps[0].params.policy: exclusive'],
    ],
    [
      'an unknown field of a policy',
      withSteps(step('page', { policy: { id: 'pol_1', name: 'x' } })),
      ['steps[0].params.policy.name: unknown'],
    ],
    [
      'an empty id of a policy',
      withSteps(step('page', { policy: { id: ' ' } })),
      ['steps[0].params.policy.id: required'],
    ],
    ...['team', 'labels.', 'labels.*', 'annotations.team', '{{labels.team}}', 5].map(
      (teamFrom): [string, unknown, string[]] => [
        `the team from ${teamFrom}`,
        withSteps(step('page', { policy: { teamFrom } })),
        ['steps[0].params.policy.teamFrom: format'],
      ],
    ),
    [
      'a severity that is none',
      withSteps(step('setSeverity', { severity: 'worst' })),
      ['steps[0].params.severity: enum'],
    ],
    ['no severity', withSteps(step('setSeverity', {})), ['steps[0].params.severity: required']],
    ['no labels', withSteps(step('addLabels', { labels: {} })), ['steps[0].params.labels: required']],
    [
      '65 labels',
      withSteps(
        step('addLabels', { labels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, 'x'])) }),
      ),
      ['steps[0].params.labels: maxItems'],
    ],
    [
      'odd labels',
      withSteps(step('addLabels', { labels: { '': 'x', '*': 'x', a: 5, b: 'ü'.repeat(513), ['k'.repeat(256)]: 'x' } })),
      [
        'steps[0].params.labels[""]: format',
        'steps[0].params.labels["*"]: format',
        'steps[0].params.labels["a"]: type',
        'steps[0].params.labels["b"]: maxBytes',
        `steps[0].params.labels["${'k'.repeat(256)}"]: maxLength`,
      ],
    ],
    [
      'the label __proto__',
      withSteps(step('addLabels', { labels: fromJson('{"__proto__": "x"}') })),
      ['steps[0].params.labels["__proto__"]: format'],
    ],
    ['nobody to assign', withSteps(step('assign', {})), ['steps[0].params: required']],
    ['two to assign', withSteps(step('assign', { userId: 'u', scheduleId: 's' })), ['steps[0].params: exclusive']],

    [
      'steps of alerts where incidents alone trigger',
      {
        trigger: { events: ['incident.created', 'incident.reopened'] },
        steps: [
          step('setSeverity', { severity: 'low' }),
          step('addLabels', { labels: { a: 'b' } }, { id: 'b' }),
          step('openIncident', {}, { id: 'c' }),
          step('page', {}, { id: 'd' }),
          step('resolve', {}, { id: 'e' }),
        ],
      },
      ['steps[0].type: trigger', 'steps[1].type: trigger', 'steps[2].type: trigger', 'steps[3].type: trigger'],
    ],
    [
      'a prototype',
      fromJson(
        '{"__proto__": {"steps": []}, "trigger": {"events": ["alert.created"]}, "steps": [{"id": "a", ' +
          '"type": "resolve"}]}',
      ),
      ['__proto__: unknown'],
    ],
    [
      'faults everywhere, at once',
      {
        trigger: { events: ['x'] },
        conditions: {},
        steps: [step('notify', { targets: [{ type: 'email', address: 'x' }] }), hook('x')],
      },
      [
        'trigger.events[0]: enum',
        'conditions.field: required',
        'conditions.op: required',
        'conditions.value: required',
        'steps[0].params.targets[0].address: format',
        'steps[1].params.url: format',
        'steps[1].id: unique',
      ],
    ],
  ])('rejects %s', (_name, input, expected) => expect(faultsOf(input)).toEqual(expected));
});

describe('normalizedWorkflow', () => {
  test('fills every field', () => {
    expect(
      normalizedWorkflow(
        withSteps(
          step(
            'notify',
            {
              targets: [
                { type: 'channel', kind: 'slack', url: 'https://a.example' },
                { type: 'user', id: 'u' },
              ],
              subject: null,
            },
            { unless: null },
          ),
          hook('https://a.example'),
          step('openIncident'),
          step(
            'assign',
            { userId: 'u', scheduleId: null },
            { delaySeconds: 5, continueOnError: true, unless: ['resolved'] },
          ),
          step('resolve'),
        ),
      ),
    ).toEqual({
      trigger,
      conditions: null,
      steps: [
        {
          ...step('notify', {
            targets: [
              { type: 'channel', kind: 'slack', url: 'https://a.example', secret: null },
              { type: 'user', id: 'u' },
            ],
            subject: null,
            message: null,
          }),
          delaySeconds: 0,
          unless: [],
          continueOnError: false,
        },
        {
          ...hook('https://a.example', { secret: null, headers: {}, timeoutSeconds: 10 }),
          delaySeconds: 0,
          unless: [],
          continueOnError: false,
        },
        {
          ...step('openIncident', { groupBy: [], windowSeconds: 0, autoResolve: false, title: null, severity: null }),
          delaySeconds: 0,
          unless: [],
          continueOnError: false,
        },
        { ...step('assign', { userId: 'u' }), delaySeconds: 5, unless: ['resolved'], continueOnError: true },
        { ...step('resolve', {}), delaySeconds: 0, unless: [], continueOnError: false },
      ],
    });
  });

  test.each<[string, unknown, unknown]>([
    ['nothing', {}, null],
    ['a policy', { policy: { id: 'pol_1', teamFrom: null } }, { id: 'pol_1' }],
    ['a team', { policy: { id: null, teamFrom: 'labels.team' } }, { teamFrom: 'labels.team' }],
  ])('fills a page with %s', (_name, params, policy) => {
    const input = withSteps(step('page', params));
    expect(faultsOf(input)).toEqual([]);
    expect(normalizedWorkflow(input).steps[0]?.params).toEqual({
      groupBy: null,
      windowSeconds: null,
      autoResolve: true,
      title: null,
      policy,
    });
  });

  test('does not change the input', () => {
    const sent = structuredClone(escalation);
    expect(normalizedWorkflow(sent)).toMatchObject(escalation);
    expect(sent).toEqual(escalation);
  });
});

test('referencesOf names members and schedules, and where the steps name them', () => {
  const { steps } = normalizedWorkflow(escalation);
  expect(referencesOf([...steps, ...steps.slice(0, 2)])).toEqual([
    { path: 'steps[1].params.targets[0].id', noun: 'schedule', id: 'sch_1' },
    { path: 'steps[2].params.targets[0].id', noun: 'member', id: 'usr_1' },
    { path: 'steps[7].params.userId', noun: 'member', id: 'usr_2' },
    { path: 'steps[8].params.scheduleId', noun: 'schedule', id: 'sch_2' },
    { path: 'steps[12].params.targets[0].id', noun: 'schedule', id: 'sch_1' },
  ]);
  expect(referencesOf([])).toEqual([]);
});

test('referencesOf names the policy of a page, and no team: the label of an alert names it', () => {
  const { steps } = normalizedWorkflow(
    withSteps(
      step('page', { policy: { id: 'pol_1' } }, { id: 'a' }),
      step('page', { policy: { teamFrom: 'labels.team' } }, { id: 'b' }),
      step('page', {}, { id: 'c' }),
    ),
  );
  expect(referencesOf(steps)).toEqual([{ path: 'steps[0].params.policy.id', noun: 'escalationPolicy', id: 'pol_1' }]);
});

const alert: AlertFacts = {
  title: 'CPU',
  description: null,
  severity: 'high',
  status: 'firing',
  source: null,
  fingerprint: 'cpu-web-01',
  labels: { region: 'eu', empty: '' },
  annotations: {},
  clientId: null,
  integrationId: 'int_1',
  incidentId: null,
  assigneeId: null,
  occurrenceCount: 1,
};

test.each<[string, Record<string, string>, string]>([
  ['the service', { alertname: 'CPU', service: 'shop' }, 'labels.service'],
  ['the name of the alert', { alertname: 'CPU', region: 'eu' }, 'labels.alertname'],
  ['the name of the alert when the service is empty', { alertname: 'CPU', service: '' }, 'labels.alertname'],
  ['the fingerprint', { region: 'eu' }, 'fingerprint'],
])('a page without groups groups alerts by %s', (_name, labels, field) => {
  expect(usualGroupBy({ ...alert, labels })).toBe(field);
});

describe('groupKeyOf', () => {
  test.each<[string, string[], string]>([
    ['nothing', [], ''],
    ['one field', ['fingerprint'], '11:fingerprint=10:cpu-web-01'],
    ['fields in any order', ['title', 'severity'], '8:severity=4:high,5:title=3:CPU'],
    ['a label', ['labels.region'], '13:labels.region=2:eu'],
    ['an empty value', ['labels.empty'], '12:labels.empty=0:'],
    ['a missing value', ['source', 'labels.none', 'clientId'], '8:clientId!,11:labels.none!,6:source!'],
    ['an inherited name', ['labels.constructor'], '18:labels.constructor!'],
  ])('of %s', (_name, groupBy, key) => expect(groupKeyOf(groupBy, alert)).toBe(key));

  test('a long key is hashed', () => {
    expect(groupKeyOf(['title'], { ...alert, title: 'x'.repeat(1_024) })).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(groupKeyOf(['title'], { ...alert, title: 'x'.repeat(1_024) })).not.toBe(
      groupKeyOf(['title'], { ...alert, title: 'x'.repeat(1_023) }),
    );
  });

  test('is the same exactly when the values are the same', () => {
    const value = fc.option(
      fc.oneof(
        fc.constantFrom('', 'a', '1', '!', ',', '=1:a', 'a,8:labels.b!', 'x'.repeat(600)),
        fc.string({ maxLength: 5 }),
      ),
      { nil: undefined },
    );
    const labels = fc
      .record({ a: value, b: value, c: value })
      .map(
        (all) =>
          Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)) as Record<string, string>,
      );
    const groupBy = fc.subarray(['labels.a', 'labels.b', 'labels.c'], { minLength: 1 });
    fc.assert(
      fc.property(groupBy, labels, labels, (fields, one, other) => {
        const same = fields.every((field) => one[field.slice(7)] === other[field.slice(7)]);
        expect(
          groupKeyOf(fields, { ...alert, labels: one }) ===
            groupKeyOf([...fields].reverse(), { ...alert, labels: other }),
        ).toBe(same);
      }),
      { numRuns: 1_000 },
    );
  });
});

// --- Properties -----------------------------------------------------------------------------------------------------

const words = fc.constantFrom(
  ...severities,
  ...workflowEvents,
  ...stepTypes,
  ...unlessStates,
  ...urlChannels,
  'a',
  '',
  'https://a.example',
  'a@b.example',
  'fingerprint',
  'labels.x',
  '{{title}}',
  '__proto__',
);
const keys = fc.constantFrom(
  'trigger',
  'events',
  'conditions',
  'steps',
  'id',
  'type',
  'params',
  'delaySeconds',
  'unless',
  'targets',
  'address',
  'kind',
  'url',
  'secret',
  'headers',
  'groupBy',
  'policy',
  'teamFrom',
  'labels',
  'userId',
  'severity',
  '__proto__',
  'constructor',
);
const leaf = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const json = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(keys, tie('node'), { maxKeys: 5 }),
  ),
})).node;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const url = fc.webUrl({ validSchemes: ['http', 'https'] });
const target = fc.oneof(
  fc.record({ type: fc.constantFrom('user', 'schedule'), id: fc.uuid() }),
  fc.record({ type: fc.constant('email'), address: fc.constantFrom('a@b.example', 'x.y+z@localhost') }),
  fc.record({ type: fc.constant('email'), addressFrom: fc.constantFrom('labels.owner', 'annotations.mail.to') }),
  fc.record({
    type: fc.constant('channel'),
    kind: fc.constant('webhook'),
    url,
    secret: fc.constantFrom(undefined, null, 's'),
  }),
);
const labelKey = fc.constantFrom('a', 'team', 'b.c', 'constructor');
const paramsOf = {
  notify: fc.record({ targets: fc.array(target, { minLength: 1, maxLength: 3 }), subject: maybe(fc.constant('x')) }),
  webhook: fc.record({
    url,
    headers: maybe(fc.dictionary(fc.constantFrom('X-A', 'authorization'), fc.constantFrom('', 'Bearer x'))),
    timeoutSeconds: maybe(fc.integer({ min: 1, max: 30 })),
  }),
  openIncident: maybe(
    fc.record({
      groupBy: maybe(fc.subarray(['fingerprint', 'source', 'labels.x'])),
      autoResolve: maybe(fc.boolean()),
      title: maybe(fc.constant('{{title}}')),
    }),
  ),
  page: maybe(
    fc.record({
      groupBy: fc.option(fc.subarray(['fingerprint', 'source', 'labels.x'])),
      windowSeconds: fc.option(fc.nat(604_800)),
      autoResolve: maybe(fc.boolean()),
      title: maybe(fc.constant('{{title}}')),
      policy: fc.constantFrom(null, { id: 'pol_1' }, { teamFrom: 'labels.team' }),
    }),
  ),
  setSeverity: fc.record({ severity: fc.constantFrom(...severities) }),
  addLabels: fc.record({ labels: fc.dictionary(labelKey, fc.string({ maxLength: 9 }), { minKeys: 1 }) }),
  assign: fc.oneof(fc.record({ userId: fc.uuid() }), fc.record({ scheduleId: fc.uuid() })),
  acknowledge: maybe(fc.constant({})),
  resolve: maybe(fc.constant({})),
};
const anyStep = fc.oneof(
  ...stepTypes.map((type) =>
    fc.record({
      id: fc.uuid(),
      type: fc.constant(type),
      params: paramsOf[type] as fc.Arbitrary<unknown>,
      delaySeconds: maybe(fc.nat(2_592_000)),
      unless: maybe(fc.subarray([...unlessStates])),
    }),
  ),
);
const ofAlerts = workflowEvents.filter((event) => event.startsWith('alert.'));
/** As parsed from its JSON: without undefined fields. */
const validDefinition = fc
  .record({
    trigger: fc.record({ events: fc.subarray(ofAlerts, { minLength: 1 }) }),
    conditions: fc.constantFrom(undefined, null, escalation.conditions),
    steps: fc.uniqueArray(anyStep, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
  })
  .map((definition) => fromJson(JSON.stringify(definition)));

describe('properties', () => {
  test('validation never throws for any input, and a valid definition has a stored form', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.json().map(fromJson),
          fc.record({
            trigger: fc.constant(trigger),
            steps: fc.array(fc.record({ id: words, type: words, params: json })),
          }),
        ),
        (input) => {
          const faults = validateWorkflow(input);
          expect(faults.every(({ path, rule, message }) => path !== '' && rule !== '' && message !== '')).toBe(true);
          if (faults.length === 0) referencesOf(normalizedWorkflow(input).steps);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('the stored form is valid, and is its own stored form', () => {
    fc.assert(
      fc.property(validDefinition, (input) => {
        expect(validateWorkflow(input)).toEqual([]);
        const stored: WorkflowDefinition = normalizedWorkflow(input);
        expect(validateWorkflow(stored)).toEqual([]);
        expect(normalizedWorkflow(stored)).toEqual(stored);
        expect(fromJson(JSON.stringify(stored))).toEqual(stored);
      }),
    );
  });
});
