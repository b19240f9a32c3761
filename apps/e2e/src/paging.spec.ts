/**
 * From an alert to a page of a team, through all services: policies, escalation, the ledger, and what is missing. The
 * workflow is the one with which every organization begins.
 */
import { newUuid, publicId, uuidOf, type AlertPage, type Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { type List, type One, type Organization, type Sender } from './system.js';
import { sharedSystem, type SharedSystem } from './system/shared-system.js';

let system: SharedSystem;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(() => system?.close());

async function made<T extends { id: string }>(path: string, body: unknown): Promise<T> {
  const answer = await acme.api.post<One<T>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

interface Team {
  slug: string;
  /** The addresses of the levels, one after another. */
  people: string[];
  /** Their ids. */
  memberIds: string[];
  policyId: string;
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
  const memberIds = members.map(({ id }) => id);
  return { slug, people: members.map(({ email }) => email), memberIds, policyId: policy.id };
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

const mailed = ({ people }: Team): Promise<number[]> =>
  Promise.all(people.map(async (address) => (await system.mails(address)).length));

it('an alert pages the team that its label names, escalates, and the ledger says who was told', async () => {
  const mine = await team(1, 3600);
  await fire({ team: mine.slug });
  await eventually(async () => expect(await mailed(mine)).toEqual([1, 1]));
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
  });
  await acme.api.put(`/api/v1/incidents/${incident.id}`, { status: 'resolved' });
  expect((await listed<{ status: string }>('/alerts', { label: `team:${mine.slug}` }))[0]).toMatchObject({
    status: 'resolved',
  });
});

it('a member who was told and has acknowledged is deleted: the records say who it was, and others are told', async () => {
  const mine = await team(3600, 3600);
  const [deleted, other] = mine.memberIds;
  const labels = { team: mine.slug, service: mine.slug };
  await fire(labels);
  await eventually(async () => expect(await mailed(mine)).toEqual([1, 0]));
  const { id } = await incidentOf(mine);
  await acme.api.put(`/api/v1/incidents/${id}`, { status: 'acknowledged', onBehalfOf: deleted });

  const refusal = await acme.api.delete<{ code: string; details: unknown }>(`/api/v1/users/${deleted}`);
  expect(refusal.status).toBe(409);
  expect(refusal.body).toMatchObject({
    code: 'RESOURCE_IN_USE',
    details: { references: [{ resource: 'escalation_policy', id: mine.policyId, name: mine.slug }] },
  });
  await acme.api.put(`/api/v1/escalation-policies/${mine.policyId}`, {
    levels: [{ targets: [{ type: 'user', id: other }], escalateAfterSeconds: 3600 }],
  });
  expect((await acme.api.delete(`/api/v1/users/${deleted}`)).status).toBe(204);
  expect((await acme.api.delete(`/api/v1/users/${deleted}`)).status).toBe(404);

  await fire(labels);
  await eventually(async () => expect(await mailed(mine)).toEqual([1, 1]));
  expect(await incidentOf(mine)).toMatchObject({
    id,
    status: 'acknowledged',
    acknowledgedBy: { type: 'user', id: deleted, name: 'Member 0' },
    escalation: { told: expect.arrayContaining([expect.objectContaining({ userId: deleted })]) },
  });
  await eventually(async () => {
    const notifications = await listed<{ target: string; status: string }>('/notifications', { incidentId: id });
    expect(notifications.map(({ target, status }) => [target, status])).toEqual(
      expect.arrayContaining(mine.people.map((address) => [address, 'sent'])),
    );
  });
  await eventually(async () => {
    const pages = await listed<AlertPage>('/pages', { incidentId: id });
    expect(pages.length).toBe(2);
    expect(pages.every(({ outcome }) => outcome !== null)).toBe(true);
  });
  await acme.api.put(`/api/v1/incidents/${id}`, { status: 'resolved' });
});

it('two hundred alerts of one cause are one incident and one mail in a new organization, and the ledger says so', async () => {
  const labels = { alertname: `CheckoutSlow-${crypto.randomUUID()}` };
  await sender.fire(
    Array.from({ length: 200 }, () => ({
      title: 'Checkout is slow',
      severity: 'critical',
      fingerprint: crypto.randomUUID(),
      labels,
    })),
  );
  const label = `alertname:${labels.alertname}`;
  const incidentId = await eventually(async () => {
    const [alert] = await listed<{ incidentId: string | null }>('/alerts', { label, limit: '1' });
    expect(alert?.incidentId).toEqual(expect.any(String));
    return String(alert?.incidentId);
  });
  const total = async (path: string, query: Record<string, string>): Promise<number | undefined> =>
    (await acme.api.get<List<unknown>>(`/api/v1${path}`, { query: { ...query, limit: '1' } })).body.meta.total;
  await eventually(async () => {
    expect(await total('/alerts', { label, incidentId })).toBe(200);
    expect(await total('/pages', { incidentId, outcome: 'told' })).toBe(1);
    expect(await total('/pages', { incidentId, outcome: 'joined' })).toBe(199);
  });
  const mails = await system.mails('owner@example.com');
  expect(mails.filter(({ text }) => text.includes(labels.alertname))).toHaveLength(1);
});

it('an alert of a team that nobody knows, and an urgent one without any workflow, page the catch-all policy', async () => {
  const fallback = await team(3600);
  const [policy] = await listed<{ id: string }>('/escalation-policies', { q: fallback.slug });
  const { status } = await acme.api.put('/api/v1/organization', { catchAllPolicyId: policy?.id });
  expect(status).toBe(200);
  await fire({ team: 'nobody', service: 'unknown' });
  await eventually(async () => expect(await mailed(fallback)).toEqual([1]));
  const [workflow] = await listed<{ id: string }>('/workflows');
  await acme.api.post(`/api/v1/workflows/${workflow?.id}/disable`);
  await fire({ service: 'without workflow' });
  await eventually(async () => expect(await mailed(fallback)).toEqual([2]));
  await fire({ service: 'not urgent' }, 'low');
  await eventually(async () => {
    const pages = await listed<AlertPage>('/pages', { limit: '100' });
    expect(pages.filter(({ workflowId }) => workflowId === null).map(({ outcome }) => outcome)).toEqual(['told']);
  });
  expect(await mailed(fallback)).toEqual([2]);
});
