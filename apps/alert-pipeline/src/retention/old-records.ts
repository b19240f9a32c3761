/**
 * Steps that delete resolved alerts and incidents, and drop months of their entries. Ids are UUIDv7: a record that is
 * old enough to go has an old id. So the steps read the records in the order of their ids, from the oldest, and need no
 * index of their own. Rows that somebody has locked are left for the next search.
 */
import type { Tx } from '@ams/database';
import type { StepTaken } from '@ams/persistence';

/** The number of records that a step reads. It deletes those of them that nobody needs. */
const readAtOnce = 1000;

const firstId = '00000000-0000-0000-0000-000000000000';

interface Removed {
  removed: number;
  read: number;
  last: string | null;
}

type Step = (tx: Tx) => Promise<StepTaken>;

function inOrderOfIds(remove: (tx: Tx, after: string) => Promise<Removed[]>): Step {
  let after = firstId;
  let removedBefore = 0;
  return async (tx) => {
    const { removed, read, last } = (await remove(tx, after))[0] ?? { removed: 0, read: 0, last: null };
    removedBefore += removed;
    const atEnd = read < readAtOnce;
    // Once more from the oldest: what is gone now may have kept others.
    const again = atEnd && removedBefore > 0;
    after = again ? firstId : (last ?? after);
    if (again) removedBefore = 0;
    return { removed, isDone: atEnd && !again };
  };
}

const olderThan = (days: string): string => `now() - make_interval(days => ${days})`;

/**
 * An alert of an incident goes when the incident may go, too. The counts of alerts, and the number of alerts of the
 * incident, change in the same statement; the rows of counts in the order in which all transactions change them.
 */
export const removedAlerts = (alertDays: number, incidentDays: number): Step =>
  inOrderOfIds((tx, after) =>
    tx.query(
      `WITH old AS MATERIALIZED (
         SELECT id, incident_id FROM alerts.alerts WHERE id > $1::uuid AND id < public.uuid_at(${olderThan('$2')})
         ORDER BY id LIMIT ${readAtOnce}),
       ended AS MATERIALIZED (
         SELECT id FROM alerts.incidents WHERE id IN (SELECT incident_id FROM old)
           AND status = 'resolved' AND resolved_at < ${olderThan('$3')} FOR UPDATE SKIP LOCKED),
       removable AS MATERIALIZED (
         SELECT id FROM alerts.alerts WHERE id IN (SELECT id FROM old)
           AND status = 'resolved' AND resolved_at < ${olderThan('$2')}
           AND (incident_id IS NULL OR incident_id IN (SELECT id FROM ended)) FOR UPDATE SKIP LOCKED),
       removed AS (
         DELETE FROM alerts.alerts WHERE id IN (SELECT id FROM removable)
         RETURNING organization_id, environment, partition, integration_id, severity, incident_id),
       left_incidents AS (
         UPDATE alerts.incidents i SET alert_count = i.alert_count - r.n
         FROM (SELECT incident_id, count(*)::int AS n FROM removed WHERE incident_id IS NOT NULL GROUP BY 1) AS r
         WHERE i.id = r.incident_id),
       counted AS (
         INSERT INTO alerts.counts AS c (organization_id, environment, partition, integration_id, status, severity, n)
         SELECT organization_id, environment, partition, integration_id, 'resolved', severity, -count(*)
         FROM removed GROUP BY 1, 2, 3, 4, 6 ORDER BY 1, 2, 3, 4, 6
         ON CONFLICT (organization_id, environment, partition, integration_id, status, severity)
           DO UPDATE SET n = c.n + excluded.n)
       SELECT (SELECT count(*) FROM removed)::int AS removed, (SELECT count(*) FROM old)::int AS read,
         (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS last`,
      [after, alertDays, incidentDays],
    ),
  );

/**
 * An incident goes after its alerts, and after the incidents that were merged into it, which go when it may go itself.
 * Its pages go with it.
 */
export const removedIncidents = (incidentDays: number): Step =>
  inOrderOfIds((tx, after) =>
    tx.query(
      `WITH old AS MATERIALIZED (
         SELECT id FROM alerts.incidents WHERE id > $1::uuid AND id < public.uuid_at(${olderThan('$2')})
         ORDER BY id LIMIT ${readAtOnce}),
       removable AS MATERIALIZED (
         SELECT id FROM alerts.incidents i WHERE id IN (SELECT id FROM old)
           AND status = 'resolved' AND resolved_at < ${olderThan('$2')}
           AND NOT EXISTS (SELECT FROM alerts.alerts a WHERE a.incident_id = i.id)
           AND NOT EXISTS (SELECT FROM alerts.incidents m WHERE m.merged_into = i.id)
           AND (merged_into IS NULL OR EXISTS (SELECT FROM alerts.incidents t WHERE t.id = i.merged_into
             AND t.status = 'resolved' AND t.resolved_at < ${olderThan('$2')})) FOR UPDATE SKIP LOCKED),
       removed AS (DELETE FROM alerts.incidents WHERE id IN (SELECT id FROM removable) RETURNING 1)
       SELECT (SELECT count(*) FROM removed)::int AS removed, (SELECT count(*) FROM old)::int AS read,
         (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS last`,
      [after, incidentDays],
    ),
  );

/** Steps by a function of the database that drops one month, or deletes some rows that are in no month. */
export const droppedMonths =
  (call: string, days: number): Step =>
  async (tx) => {
    const [row] = await tx.query<{ months: number; deleted: number }>(
      `SELECT months, deleted FROM ${call.replace('$1', olderThan('$1'))}`,
      [days],
    );
    const { months, deleted } = row ?? { months: 0, deleted: 0 };
    return { removed: deleted, droppedMonths: months, isDone: months === 0 && deleted === 0 };
  };
