/** From an alert to a page of a team, through all services: policies, escalation, the ledger, and what is missing. */
import { newUuid, publicId, uuidOf, type AlertPage, type Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { openMailbox, type Mailbox } from './system/mailbox.js';
import { startSystem, type List, type One, type Organization, type Sender, type System } from './system.js';

const patient = { timeoutMs: 30_000 };

let system: System;
let mailbox: Mailbox;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  mailbox = await openMailbox();
  system = await startSystem({ env: { notifier: mailbox.settings } });
  acme = await system.organization();
  sender = await acme.integration();
  // Every organization begins with a workflow for severe alerts.
  const { body } = await acme.api.get<List<{ id: string }>>('/api/v1/workflows');
  for (const { id } of body.data) await acme.api.delete(`/api/v1/workflows/${id}`);
  await made('/workflows', {
    name: 'Page the team',
    trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
    conditions: { field: 'labels.team', op: 'exists', value: true },
    steps: [{ id: 'page', type: 'page', params: { policy: { teamFrom: 'labels.team' } } }],
  });
});
afterAll(async () => {
  await system?.stop();
  await mailbox?.close();
});

async function made<T extends { id: string }>(path: string, body: unknown): Promise<T> {
  const answer = await acme.api.post<One<T>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

interface Team {
  slug: string;
  /** The addresses of the levels, one after another. */
  people: string[];
}

/** A team whose policy has a member at each level. */
async function team(...seconds: number[]): Promise<Team> {
  const slug = `team-${crypto.randomUUID()}`;
  const members = await Promise.all(
    seconds.map(async (_second, index) => {
      const email = `${slug}-${index}@example.com`;
      const id = newUuid();
      await system.sql(
        `INSERT INTO auth.members (id, organization_id, name, email, role, status)
         VALUES ($1, $2, $3, $4, 'responder', 'active')`,
        [id, uuidOf('organization', acme.id), `Member ${index}`, email],
      );
      return { id: publicId('member', id), email };
    }),
  );
  const policy = await made('/escalation-policies', {
    name: slug,
    levels: members.map(({ id }, index) => ({
      targets: [{ type: 'user', id }],
      escalateAfterSeconds: seconds[index],
    })),
  });
  await made('/teams', { name: slug, slug, policyId: policy.id });
  return { slug, people: members.map(({ email }) => email) };
}

const fire = (labels: Record<string, string>, severity = 'critical'): Promise<unknown> =>
  sender.fire({ title: 'Checkout is slow', severity, fingerprint: crypto.randomUUID(), labels });

async function listed<T>(path: string, query: Record<string, string> = {}): Promise<T[]> {
  const { status, body } = await acme.api.get<List<T>>(`/api/v1${path}`, { query });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

const incidentOf = async ({ slug }: Team): Promise<Incident> => {
  const alerts = await listed<{ incidentId: string | null }>('/alerts', { label: `team:${slug}` });
  const ids = [...new Set(alerts.map(({ incidentId }) => incidentId))];
  expect(ids).toEqual([expect.any(String)]);
  return (await acme.api.get<One<Incident>>(`/api/v1/incidents/${ids[0]}`)).body.data;
};

const mailed = ({ people }: Team): number[] => people.map((address) => mailbox.mails(address).length);

it('an alert pages the team that its label names, escalates, and the ledger says who was told', async () => {
  const mine = await team(1, 3600);
  await fire({ team: mine.slug });
  await eventually(() => expect(mailed(mine)).toEqual([1, 1]), patient);
  const incident = await incidentOf(mine);
  expect(incident).toMatchObject({
    status: 'triggered',
    urgency: 'high',
    escalation: { state: 'escalating', episode: 1, round: 1, level: 2 },
  });
  await eventually(async () => {
    const pages = await listed<AlertPage>('/pages', { incidentId: incident.id });
    expect(pages).toMatchObject([{ outcome: 'told', repairs: 0 }]);
    expect(pages[0]?.notificationIds.length).toBeGreaterThan(0);
  }, patient);
  await acme.api.put(`/api/v1/incidents/${incident.id}`, { status: 'resolved' });
  expect((await listed<{ status: string }>('/alerts', { label: `team:${mine.slug}` }))[0]).toMatchObject({
    status: 'resolved',
  });
});

it('a storm of one cause is one page, and the alerts that joined say so in the ledger', async () => {
  const mine = await team(3600);
  await Promise.all(Array.from({ length: 40 }, () => fire({ team: mine.slug, service: 'db' })));
  await eventually(async () => expect(await incidentOf(mine)).toMatchObject({ alertCount: 40 }), patient);
  const { id } = await incidentOf(mine);
  await eventually(async () => {
    const outcomes = (await listed<AlertPage>('/pages', { incidentId: id, limit: '100' })).map(
      ({ outcome }) => outcome,
    );
    expect(outcomes.filter((outcome) => outcome === 'told')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(39);
  }, patient);
  expect(mailed(mine)).toEqual([1]);
});

it('an alert of a team that nobody knows, and an urgent one without any workflow, page the catch-all policy', async () => {
  const fallback = await team(3600);
  const [policy] = await listed<{ id: string }>('/escalation-policies', { q: fallback.slug });
  const { status } = await acme.api.put('/api/v1/organization', { catchAllPolicyId: policy?.id });
  expect(status).toBe(200);
  await fire({ team: 'nobody', service: 'unknown' });
  await eventually(() => expect(mailed(fallback)).toEqual([1]), patient);
  await fire({ service: 'without workflow' });
  await eventually(() => expect(mailed(fallback)).toEqual([2]), patient);
  await fire({ service: 'not urgent' }, 'low');
  await eventually(async () => {
    const pages = await listed<AlertPage>('/pages', { limit: '100' });
    expect(pages.filter(({ workflowId }) => workflowId === null).map(({ outcome }) => outcome)).toEqual(['told']);
  }, patient);
  expect(mailed(fallback)).toEqual([2]);
});
