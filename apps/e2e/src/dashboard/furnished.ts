/** An organization with one record of each kind, made over the API, and the address of every page about them. */
import { publicId, uuidOf, type Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { List, One, Organization, SystemClient } from '../system.js';

export interface Words {
  /** Names of records: at most 200 characters. */
  name: string;
  title: string;
  /** Descriptions, notes and values of labels. */
  text: string;
}

export interface Furnished {
  organization: Organization;
  /** E-mail address of a viewer. */
  viewer: string;
  alertTitle: string;
  alertId: string;
  incidentNumber: number;
  /** Of members; each is a path with its query. */
  pages: string[];
}

export async function furnish(system: SystemClient, { name, title, text }: Words): Promise<Furnished> {
  const organization = await system.organization();
  const make = async <T extends { id: string }>(path: string, body: unknown): Promise<T> => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    // On a busy machine an operation may be answered 503 once.
    const answer = await eventually(async () => {
      const reply = await organization.api.post<One<T>>(`/api/v1${path}`, body, { headers });
      expect(reply.status).not.toBe(503);
      return reply;
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const made = async (path: string, body: unknown): Promise<string> => (await make(path, body)).id;
  const member = async (role: string): Promise<{ id: string; email: string }> => {
    const email = `${crypto.randomUUID()}@example.com`;
    const [row] = await system.sql<{ id: string }>(
      `INSERT INTO auth.members (id, organization_id, name, email, role, status)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'active') RETURNING id`,
      [uuidOf('organization', organization.id), name, email, role],
    );
    return { id: publicId('member', row?.id ?? ''), email };
  };

  const person = await member('responder');
  const viewer = await member('viewer');
  const user = { type: 'user', id: person.id };
  const description = text.slice(0, 4096);
  const policy = await made('/escalation-policies', { name, description, levels: [{ targets: [user] }] });
  const team = await made('/teams', {
    name,
    slug: 'payments',
    description,
    policyId: policy,
    members: [{ userId: person.id, role: 'responder' }],
  });
  const short = name.slice(0, 100);
  const client = await made('/clients', {
    name,
    description,
    slug: 'northwind',
    contacts: [{ name: short, email: 'ops@example.com' }],
  });
  const integration = await organization.integration({ name, teamId: team, clientId: client });
  const schedule = await made('/schedules', { name, description, layers: [{ name, members: [person.id] }] });
  const workflow = await made('/workflows', {
    name,
    description,
    trigger: { events: ['alert.created'] },
    conditions: { all: [{ field: 'title', op: 'contains', value: name }] },
    steps: [{ id: 'label', type: 'addLabels', params: { labels: { seen: 'yes' } } }],
  });
  const window = await made('/suppression', {
    name,
    reason: description,
    matchers: [{ field: 'title', op: 'eq', value: name }],
    startsAt: '2040-01-01T00:00:00Z',
    endsAt: '2040-01-02T00:00:00Z',
  });
  await made(`/schedules/${schedule}/overrides`, {
    userId: person.id,
    startsAt: new Date(Date.now() + 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 7_200_000).toISOString(),
    reason: description.slice(0, 500),
  });
  const key = await made('/api-keys', { name, scopes: ['alerts:read'] });
  await made('/views', { name, page: 'alerts', query: {}, visibility: 'organization' });
  await integration.fire({
    title,
    description: text,
    severity: 'critical',
    source: name,
    labels: { team: 'payments', words: text.slice(0, 1000) },
    annotations: { words: text.slice(0, 1000), runbook: 'https://example.com/runbook' },
  });
  const [alert] = await organization.alerts();
  const alertId = alert?.id ?? '';
  const { number } = await make<Incident>('/incidents', {
    title,
    summary: text,
    severity: 'critical',
    policyId: policy,
    note: description,
  });
  const noted = await organization.api.post(`/api/v1/alerts/${alertId}/notes`, { note: description });
  if (noted.status >= 300) throw new Error(`the note: ${noted.status} ${JSON.stringify(noted.body)}`);
  // A workflow that every organization has opens another one for the alert.
  const opened = await eventually(async () => {
    const { body } = await organization.api.get<List<Incident>>('/api/v1/incidents');
    const other = body.data.find((incident) => incident.number !== number);
    if (!other) throw new Error('the workflow has opened no incident yet');
    return other.number;
  });
  return {
    organization,
    viewer: viewer.email,
    alertTitle: title,
    alertId,
    incidentNumber: number,
    pages: [
      '/',
      '/alerts',
      `/alerts?alert=${alertId}`,
      `/alerts?alert=${alertId}&tab=timeline`,
      `/alerts?alert=${alertId}&tab=why`,
      `/alerts?alert=${alertId}&tab=request`,
      '/incidents',
      `/incidents/${number}`,
      `/incidents/${opened}`,
      '/on-call',
      '/on-call?view=month',
      `/schedules/${schedule}`,
      '/teams',
      `/teams/${team}`,
      '/policies',
      `/policies/${policy}`,
      '/routing?label=team:payments',
      '/workflows',
      '/workflows/new',
      `/workflows/${workflow}`,
      `/workflows/${workflow}?tab=test`,
      `/workflows/${workflow}?tab=runs`,
      '/suppression',
      '/suppression/new',
      `/suppression/${window}`,
      '/integrations',
      '/integrations/new',
      '/integrations/new?type=generic',
      `/integrations/${integration.id}`,
      `/integrations/${integration.id}?tab=mapping`,
      `/integrations/${integration.id}?tab=settings`,
      '/clients',
      '/clients/new',
      `/clients/${client}`,
      '/settings/profile',
      '/settings/members',
      `/settings/members?member=${person.id}`,
      '/settings/api-keys',
      `/settings/api-keys?key=${key}`,
      '/settings/api-keys/new',
      '/settings/audit-log',
      '/settings/notifications',
      '/settings/mail-recipients',
      '/settings/organization',
      '/settings/status',
    ],
  };
}
