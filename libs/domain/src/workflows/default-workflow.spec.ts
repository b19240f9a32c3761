import fc from 'fast-check';
import { defaultWorkflow, isUnchangedFormerDefault, type StoredDefault } from './default-workflow.js';
import { normalizedWorkflow, validateWorkflow } from './workflow-check.js';

const former = (id = 'sch_1', second: object = { type: 'schedule', id }): StoredDefault => ({
  name: 'Open an incident and page',
  description: null,
  enabled: true,
  teamId: null,
  version: 1,
  ...normalizedWorkflow({
    trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
    conditions: { field: 'severity', op: 'gte', value: 'high' },
    steps: [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
      { id: 'page', type: 'notify', params: { targets: [{ type: 'schedule', id }] } },
      {
        id: 'escalate',
        type: 'notify',
        params: { targets: [second] },
        delaySeconds: 600,
        unless: ['acknowledged', 'resolved'],
      },
    ],
  }),
});

test('an organization begins with one step that pages the team of an alert', () => {
  const { name, ...definition } = defaultWorkflow;
  expect(name).toBe('Page the team');
  expect(validateWorkflow(definition)).toEqual([]);
  expect(definition).toMatchObject({
    trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
    conditions: { field: 'severity', op: 'gte', value: 'high' },
    steps: [{ type: 'page', params: { groupBy: null, autoResolve: true, policy: { teamFrom: 'labels.team' } } }],
  });
});

test('the workflow of an earlier release is found, whatever schedule it pages', () =>
  fc.assert(fc.property(fc.stringMatching(/^sch_[0-9a-f]{32}$/), (id) => isUnchangedFormerDefault(former(id)))));

test('it is also found when it lacks settings that later releases have', () => {
  const [incident, ...others] = former().steps;
  const { title: _title, severity: _severity, ...params } = incident?.params as Record<string, unknown>;
  const stored = { ...former(), steps: [{ ...incident, params }, ...others] } as StoredDefault;
  expect(isUnchangedFormerDefault(stored)).toBe(true);
});

const { steps } = former();

test.each<[string, Partial<StoredDefault>]>([
  ['has another name', { name: 'Page' }],
  ['has a description', { description: 'Ours' }],
  ['is disabled', { enabled: false }],
  ['belongs to a team', { teamId: 'tem_1' }],
  ['was changed and changed back', { version: 3 }],
  ['has another trigger', { trigger: { events: ['alert.created'] } }],
  ['has other conditions', { conditions: { field: 'severity', op: 'gte', value: 'critical' } }],
  ['has no conditions', { conditions: null }],
  ['has another delay', { steps: steps.map((step, index) => ({ ...step, delaySeconds: index * 300 })) }],
  ['has a step less', { steps: steps.slice(0, 2) }],
  ['has no page', { steps: steps.slice(0, 1) }],
  ['pages two schedules', { steps: former('sch_1', { type: 'schedule', id: 'sch_2' }).steps }],
  ['pages the next one on call', { steps: former('sch_1', { type: 'schedule', id: 'sch_1', who: 'next' }).steps }],
  ['is the present one', { ...defaultWorkflow }],
])('a workflow that %s is not the unchanged one', (_what, changes) =>
  expect(isUnchangedFormerDefault({ ...former(), ...changes })).toBe(false),
);
