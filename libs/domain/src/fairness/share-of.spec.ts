import type { WorkflowStep } from '../workflows/workflow-schema.js';
import type { Share } from './fair-queue.js';
import { shareOf, shareOfRun, type ShareOwner } from './share-of.js';

const tenant = { organizationId: 'org', environment: 'live' as const };

const page = (policy: { id: string } | { teamFrom: string } | null): WorkflowStep => ({
  id: 'page',
  type: 'page',
  delaySeconds: 0,
  unless: [],
  continueOnError: false,
  params: { groupBy: null, windowSeconds: null, autoResolve: true, title: null, policy },
});

const notify: WorkflowStep = {
  id: 'notify',
  type: 'notify',
  delaySeconds: 0,
  unless: [],
  continueOnError: false,
  params: { targets: [{ type: 'email', address: 'a@example.com' }] },
} as never;

const resolve: WorkflowStep = {
  id: 'resolve',
  type: 'resolve',
  delaySeconds: 0,
  unless: [],
  continueOnError: false,
  params: {},
};

describe('the share of a run', () => {
  it.each<[string, WorkflowStep[], Record<string, string>, string]>([
    ['is the team that it pages', [resolve, page({ teamFrom: 'labels.squad' })], { squad: 'db', team: 'x' }, 'team db'],
    ['is the catch-all policy when the label is missing', [page({ teamFrom: 'labels.team' })], {}, 'catch-all'],
    ['is the policy that it pages', [page({ id: 'pol_1' })], { team: 'x' }, 'policy pol_1'],
    ['is the catch-all policy when it names none', [page(null)], { team: 'x' }, 'catch-all'],
    ['without a page, is the team of the label', [notify], { team: 'x' }, 'team x'],
    ['without a page and a label, is the workflow', [notify], {}, 'workflow w'],
    ['does not read what every object has', [page({ teamFrom: 'labels.constructor' })], {}, 'catch-all'],
  ])('%s', (_what, steps, labels, team) => {
    expect(shareOfRun(tenant, { id: 'w', steps }, labels)).toEqual({ organization: 'org', team: `live ${team}` });
  });
});

it.each<[ShareOwner, string]>([
  [{ team: 'db' }, 'test team db'],
  [{ team: null }, 'test catch-all'],
  [{ policyId: 'pol_1' }, 'test policy pol_1'],
  [{ policyId: null }, 'test catch-all'],
  [{ workflowId: 'w' }, 'test workflow w'],
  [{ workflowId: null }, 'test catch-all'],
  [{ catchAll: true }, 'test catch-all'],
  [{ team: 'x'.repeat(1000) }, `test team ${'x'.repeat(100)}`],
])('environments have shares of their own: %j', (owner, team) => {
  expect(shareOf({ ...tenant, environment: 'test' }, owner)).toEqual({ organization: 'org', team });
});

describe('a run that tells nobody', () => {
  it.each<[string, WorkflowStep[], number, Share]>([
    ['gives way', [resolve], 0, { organization: 'org', team: 'live team x', givesWay: 'few' }],
    ['is prompt as one of ten of a chain', [resolve], 9, { organization: 'org', team: 'live team x', givesWay: 'few' }],
    ['rests after ten of a chain', [resolve], 10, { organization: 'org', team: 'live long chain', givesWay: 'rest' }],
    ['is not one that pages', [resolve, page(null)], 99, { organization: 'org', team: 'live catch-all' }],
    ['is not one that notifies', [notify], 99, { organization: 'org', team: 'live team x' }],
  ])('%s', (_what, steps, causedBefore, expected) => {
    expect(shareOfRun(tenant, { id: 'w', steps }, { team: 'x' }, causedBefore)).toEqual(expected);
  });
});
