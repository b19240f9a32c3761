import fc from 'fast-check';
import type { WorkflowStep } from '../workflows/workflow-schema.js';
import { isYielding, shareOf, shareOfRun, type ShareOwner } from './share-of.js';

const tenant = { organizationId: 'org', environment: 'live' as const };

const page = (policy: { id: string } | { teamFrom: string } | null): WorkflowStep => ({
  id: 'page',
  type: 'page',
  delaySeconds: 0,
  unless: [],
  continueOnError: false,
  params: { groupBy: null, windowSeconds: null, autoResolve: true, title: null, policy },
});

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
    ['without a page, is the team of the label', [resolve], { team: 'x' }, 'team x'],
    ['without a page and a label, is the workflow', [resolve], {}, 'workflow w'],
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

describe('a run of a long chain of workflows', () => {
  it.each<[string, WorkflowStep[], number, boolean]>([
    ['gives way after ten others', [resolve], 10, true],
    ['is like others before that', [resolve], 9, false],
    ['never gives way when it pages', [resolve, page(null)], 99, false],
  ])('%s', (_what, steps, causedBefore, expected) => {
    const share = shareOfRun(tenant, { id: 'w', steps }, { team: 'yielding' }, causedBefore);
    expect(share.organization).toBe('org');
    expect(isYielding(share)).toBe(expected);
  });

  it('has a share of its own, whatever senders call their teams', () => {
    fc.assert(
      fc.property(fc.string(), (team) => {
        expect(isYielding(shareOf(tenant, { team }))).toBe(false);
      }),
    );
  });
});
