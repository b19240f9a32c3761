/**
 * When an incident is acknowledged or resolved, the devices that were told about it get one more message, without sound.
 * It takes the place of the notification there, so that no device offers an acknowledgement that somebody has made
 * elsewhere. It may be repeated: the ids follow from the event and the device.
 */
import { derivedUuid, uuidOf, type DeviceAddress, type IncidentEvent } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { shareOf } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { addJobs } from '../jobs/jobs.js';
import type { NotificationEntity } from '../notifications/notification.entity.js';
import { contextOf, type DomainEvent } from '../runs/condition-facts.js';
import { tenantsAt, tenantsOf, timelineIdOf } from '../runs/workflows.js';

interface ToldDevice {
  organizationId: string;
  environment: Environment;
  incidentId: string;
  memberId: string;
  target: string;
  destination: DeviceAddress;
  policyId: string | null;
}

/** What the message says, and the states of the incident in which it is not true any more. */
const updates = {
  'incident.acknowledged': {
    by: ({ acknowledgedBy }: IncidentEvent['incident']) => acknowledgedBy,
    done: 'Acknowledged',
    stopWhen: ['triggered', 'resolved'],
  },
  'incident.resolved': {
    by: ({ resolvedBy }: IncidentEvent['incident']) => resolvedBy,
    done: 'Resolved',
    stopWhen: ['triggered', 'acknowledged'],
  },
} as const;

const isUpdate = (event: DomainEvent): event is IncidentEvent & { type: keyof typeof updates } => event.type in updates;

const incidentIdOf = ({ incident }: IncidentEvent): string | null => uuidOf('incident', incident.id);

const columns = 'id, organization_id, environment, incident_id, member_id, target, destination, notice, stop_when, why';

export async function updateDevices(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const ends = events.filter(isUpdate);
  if (ends.length === 0) return;
  const devices = await devicesTold(tx, ends);
  const rows = ends.flatMap((event) => {
    const { by, done, stopWhen } = updates[event.type];
    const who = by(event.incident)?.name;
    const message = who ? `${done} by ${who}.` : `${done}.`;
    return devices
      .filter(({ incidentId }) => incidentId === incidentIdOf(event))
      .map((device) => ({
        id: derivedUuid(Date.parse(event.occurredAt), timelineIdOf(event), device.destination.deviceId),
        organization_id: device.organizationId,
        environment: device.environment,
        incident_id: device.incidentId,
        member_id: device.memberId,
        target: device.target,
        destination: device.destination,
        notice: { subject: event.incident.title, message, silent: true },
        stop_when: stopWhen,
        why: `${message} This message takes the place of the one on the device.`,
        share: shareOf(device, { policyId: device.policyId }),
        traceContext: contextOf(event),
      }));
  });
  if (rows.length === 0) return;
  const created = await tx.query<{ id: string }>(
    `INSERT INTO workflows.notifications (${columns}, channel, status, created_at, updated_at)
     SELECT ${columns}, 'push', 'queued', clock_timestamp(), clock_timestamp()
     FROM json_to_recordset($1::json) AS r(id uuid, organization_id uuid, environment text, incident_id uuid,
       member_id uuid, target text, destination jsonb, notice jsonb, stop_when text[], why text)
     ON CONFLICT DO NOTHING RETURNING id`,
    [JSON.stringify(rows)],
  );
  const jobs = new Map(rows.map(({ id, share, traceContext }) => [id, { share, traceContext }]));
  await addJobs(
    tx,
    'sendNotification',
    created.map(({ id }) => ({ notificationId: id, ...jobs.get(id) })),
  );
}

/** The devices that have got, or may be getting, a message about these incidents, and have not ended. */
const devicesTold = (tx: Tx, events: readonly IncidentEvent[]): Promise<ToldDevice[]> =>
  tx.query<ToldDevice>(
    `SELECT DISTINCT ON (n.incident_id, d.id) n.organization_id AS "organizationId", n.environment,
       n.incident_id AS "incidentId", n.member_id AS "memberId", n.target, n.destination, i.policy_id AS "policyId"
     FROM workflows.notifications n
     JOIN alerts_views.incidents i ON i.id = n.incident_id AND i.organization_id = n.organization_id
       AND i.environment = n.environment
     JOIN auth_views.push_devices d ON d.organization_id = n.organization_id AND d.member_id = n.member_id
       AND d.id = (n.destination->>'deviceId')::uuid
     WHERE n.incident_id = ANY($1::uuid[]) AND (n.organization_id, n.environment) IN ${tenantsAt(2)}
       AND n.channel = 'push' AND n.status IN ('sent', 'queued')
     ORDER BY n.incident_id, d.id, n.id DESC`,
    [events.map(incidentIdOf), ...tenantsOf(events)],
  );

/**
 * Whether the device shows a message about the incident that this one can replace. `waits`: such a message may be on its
 * way, and would arrive after this one.
 */
export async function shownOnDevice(
  queries: Pick<Tx, 'query'>,
  { id, organizationId, environment, incidentId, destination }: NotificationEntity,
): Promise<'shown' | 'waits' | 'nothing'> {
  const [found] = await queries.query<{ waits: boolean | null; shown: boolean | null }>(
    `SELECT bool_or(status = 'queued') AS waits, bool_or(status = 'sent') AS shown FROM workflows.notifications
     WHERE organization_id = $1 AND environment = $2 AND incident_id = $3 AND channel = 'push'
       AND destination->>'deviceId' = $4 AND NOT notice ? 'silent' AND id < $5`,
    [organizationId, environment, incidentId, 'deviceId' in destination ? destination.deviceId : null, id],
  );
  return found?.waits ? 'waits' : found?.shown ? 'shown' : 'nothing';
}
