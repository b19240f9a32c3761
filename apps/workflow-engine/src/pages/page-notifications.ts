/**
 * The notifications of pages. The pipeline decides whom an incident tells, and stores the page; here each recipient gets
 * a notification. It may be repeated: the ids of the notifications are part of the page.
 */
import type { IncidentEvent, TraceContext } from '@ams/contracts';
import type { PageKind, PageRecipient } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { missingAmong, shareOf, type EscalationStage, type Urgency } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { addJobs } from '../jobs/jobs.js';
import { firstStatus } from '../notifications/create-notifications.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { contextOf, type DomainEvent } from '../runs/condition-facts.js';
import { SubjectsMissing } from '../runs/subjects-missing.js';
import { tenantsAt, tenantsOf } from '../runs/workflows.js';
import type { Found, Look } from './page-looks.js';

interface PageRow {
  id: string;
  organizationId: string;
  environment: Environment;
  incidentId: string;
  alertId: string | null;
  kind: PageKind;
  stage: EscalationStage;
  why: string;
  recipients: PageRecipient[];
  workflowId: string | null;
  policyId: string | null;
  title: string;
  urgency: Urgency;
}

const pageColumns = `p.id, p.organization_id AS "organizationId", p.environment, p.incident_id AS "incidentId",
  p.alert_id AS "alertId", p.kind, p.stage, p.why, p.recipients, i.workflow_id AS "workflowId", p.policy_id AS "policyId", i.title,
  i.urgency`;
const pagesWithIncidents = `alerts_views.pages p JOIN alerts_views.incidents i ON i.id = p.incident_id
  AND i.organization_id = p.organization_id AND i.environment = p.environment`;

/** A page of a level is unwanted when somebody has acknowledged, a notice when the incident is resolved. */
const stopWhen: Readonly<Record<PageKind, string[]>> = {
  level: ['acknowledged', 'resolved'],
  owners: ['acknowledged', 'resolved'],
  rise: ['resolved'],
  joined: ['resolved'],
  flapping: ['resolved'],
  flappingOver: [],
};

const headings: Readonly<Record<PageKind, string>> = {
  level: '',
  owners: '',
  rise: 'More severe: ',
  joined: 'More alerts: ',
  flapping: 'Flapping: ',
  flappingOver: 'No longer flapping: ',
};

const subjectOf = ({ kind, title, urgency }: PageRow): string =>
  `${headings[kind]}${title}${urgency === 'low' ? ' (low urgency)' : ''}`;

const pageIdOf = (event: DomainEvent): string | null =>
  'incident' in event ? ((event as IncidentEvent).pageId ?? null) : null;

/** Throws `SubjectsMissing` when the database has lost a page, unless `withoutSubjects`. */
export async function notifyOfPages(
  tx: Tx,
  events: readonly DomainEvent[],
  { withoutSubjects = false }: { withoutSubjects?: boolean } = {},
): Promise<void> {
  const paged = events.filter((event) => pageIdOf(event) !== null);
  if (paged.length === 0) return;
  const ids = paged.map(pageIdOf);
  const pages = await tx.query<PageRow>(
    `SELECT ${pageColumns} FROM ${pagesWithIncidents}
     WHERE p.id = ANY($1::uuid[]) AND (p.organization_id, p.environment) IN ${tenantsAt(2)}`,
    [ids, ...tenantsOf(paged)],
  );
  if (pages.length < new Set(ids).size && !withoutSubjects) throw new SubjectsMissing(ids.length - pages.length);
  const traces = new Map(paged.map((event) => [pageIdOf(event) as string, contextOf(event)]));
  await createPageNotifications(tx, pages, traces);
}

/**
 * Pages of the last day with a recipient for whom no notification exists. Each notification is found by its id: a join
 * (NOT EXISTS) would read all notifications for each page.
 */
export async function findPagesWithoutNotifications(tx: Tx, { seen, now }: Look): Promise<Found<PageRow>> {
  const pages = await tx.query<PageRow & { createdAt: Date }>(
    `SELECT ${pageColumns}, p.created_at AS "createdAt" FROM ${pagesWithIncidents}
     WHERE p.created_at > now() - interval '1 day' AND EXISTS (
       SELECT FROM jsonb_array_elements(p.recipients) r
       WHERE (SELECT n.id FROM workflows.notifications n WHERE n.id = (r->>'notificationId')::uuid) IS NULL)
     ORDER BY p.created_at LIMIT 200`,
  );
  const candidates = pages.map(({ id, createdAt }) => ({ id, since: createdAt.toISOString() }));
  const found = missingAmong(candidates, seen, now);
  const missing = new Set(found.missing);
  return { missing: pages.filter(({ id }) => missing.has(id)), seen: found.seen };
}

/** A statement of PostgreSQL has at most 65,535 parameters, and each row has twenty. */
const rowsOfStatement = 1000;

/** Returns how many were created. `traces`: by the id of the page. */
export async function createPageNotifications(
  tx: Tx,
  pages: readonly PageRow[],
  traces: ReadonlyMap<string, TraceContext> = new Map(),
): Promise<number> {
  const rows = pages.flatMap((page) =>
    page.recipients.map((recipient) => ({
      id: recipient.notificationId,
      organizationId: page.organizationId,
      environment: page.environment,
      runId: null,
      stepId: null,
      workflowId: page.workflowId,
      workflowName: null,
      alertId: page.alertId,
      incidentId: page.incidentId,
      pageId: page.id,
      memberId: recipient.memberId,
      channel: recipient.channel,
      target: recipient.target,
      destination: recipient.destination,
      notice: { subject: subjectOf(page), message: null },
      stopWhen: stopWhen[page.kind],
      why: recipient.why,
      status: firstStatus(recipient, page.environment),
      reason: recipient.unreachable,
      createdAt: (): string => 'clock_timestamp()',
      updatedAt: (): string => 'clock_timestamp()',
    })),
  );
  if (rows.length === 0) return 0;
  const created = new Set<string>();
  for (let at = 0; at < rows.length; at += rowsOfStatement) {
    const { raw } = (await tx
      .repository(NotificationEntity)
      .createQueryBuilder()
      .insert()
      .values(rows.slice(at, at + rowsOfStatement))
      .orIgnore()
      .returning('id')
      .execute()) as { raw: { id: string }[] };
    for (const { id } of raw) created.add(id);
  }
  const toSend = rows.filter(({ id, status }) => status === 'queued' && created.has(id));
  const shares = new Map(pages.map((page) => [page.id, shareOf(page, page)]));
  await addJobs(
    tx,
    'sendNotification',
    toSend.map(({ id, pageId }) => ({
      notificationId: id,
      share: shares.get(pageId),
      traceContext: traces.get(pageId),
    })),
  );
  return created.size;
}
