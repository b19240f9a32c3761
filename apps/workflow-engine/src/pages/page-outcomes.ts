/**
 * Ends the lines of the page ledger. The end follows from records: the notifications of the incident, its escalation,
 * and the alert. It is decided by one statement, so it does not matter which replica does it, and how often.
 */
import type { Database } from '@ams/database';

/** Lines of one statement, and statements of one turn. */
const atOnce = 500;
const statementsPerTurn = 20;

/**
 * In this order: somebody was told; the alert is resolved, acknowledged or suppressed; the escalation has ended and no
 * message waits. An alert that did not open the incident has joined it. `told` and `fallback` name the notifications.
 * Who was told before the incident was opened again was not told of this alert. An alert whose incident was merged has
 * joined the other one. The statement has no name: a plan that is kept from the time when the tables were empty is slow.
 */
const endLines = `
  WITH open AS (
    SELECT r.id, r.organization_id, r.environment, r.alert_id, r.incident_id, r.asked_at FROM workflows.page_requests r
    WHERE r.outcome IS NULL AND r.repairs >= 0 AND (r.asked_at, r.id) > ($1::timestamptz, $2::uuid)
    ORDER BY r.asked_at, r.id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED),
  ended AS (
    SELECT open.id, i.id AS incident_id, told.ids, told.by_policy, a.status, a.suppression, i.status AS incident_status,
      i.escalation->>'state' AS escalation, i.opened_by = open.alert_id AS opened,
      EXISTS (SELECT FROM workflows.notifications n WHERE n.incident_id = i.id AND n.page_id IS NOT NULL
        AND n.status = 'queued') AS waits
    FROM open
    LEFT JOIN alerts_views.alerts a ON a.id = open.alert_id AND a.organization_id = open.organization_id
      AND a.environment = open.environment
    LEFT JOIN alerts_views.incidents asked ON asked.id = open.incident_id
      AND asked.organization_id = open.organization_id AND asked.environment = open.environment
    LEFT JOIN alerts_views.incidents i ON i.id =
        CASE WHEN asked.merged_into IS NULL THEN coalesce(open.incident_id, a.incident_id) ELSE a.incident_id END
      AND i.organization_id = open.organization_id AND i.environment = open.environment
    LEFT JOIN LATERAL (
      SELECT array_agg(n.id ORDER BY n.id) AS ids, bool_or(p.stage = 'policy') AS by_policy
      FROM workflows.notifications n JOIN alerts_views.pages p ON p.id = n.page_id
        AND p.organization_id = n.organization_id AND p.environment = n.environment
      WHERE n.incident_id = i.id AND n.status IN ('sent', 'captured')
        AND p.episode = (i.escalation->>'episode')::int) AS told ON true),
  decided AS (
    SELECT id, incident_id, coalesce(ids[1:20], '{}') AS ids,
      CASE
        WHEN ids IS NOT NULL AND NOT opened THEN 'joined'
        WHEN ids IS NOT NULL AND by_policy THEN 'told'
        WHEN ids IS NOT NULL THEN 'fallback'
        WHEN status IN ('resolved', 'acknowledged', 'suppressed') THEN status
        WHEN incident_status = 'resolved' THEN 'resolved'
        WHEN incident_status = 'acknowledged' THEN 'acknowledged'
        WHEN escalation = 'exhausted' AND NOT waits THEN 'nobody'
      END AS outcome,
      CASE
        WHEN ids IS NOT NULL AND NOT opened THEN 'The alert joined an incident whose people were told.'
        WHEN ids IS NOT NULL AND by_policy THEN 'Somebody was told.'
        WHEN ids IS NOT NULL THEN 'Nobody of the escalation policy could be told, so others were.'
        WHEN status = 'suppressed' THEN 'The alert was suppressed before anybody was told'
          || coalesce(' (until ' || (suppression->>'until') || ')', '') || '.'
        WHEN status IN ('resolved', 'acknowledged') THEN 'The alert was ' || status || ' before anybody was told.'
        WHEN incident_status IN ('resolved', 'acknowledged') THEN 'The incident was ' || incident_status
          || ' before anybody was told.'
        WHEN escalation = 'exhausted' AND NOT waits THEN 'Nobody could be told.'
      END AS reason
    FROM ended),
  written AS (UPDATE workflows.page_requests r SET outcome = d.outcome, reason = d.reason, notification_ids = d.ids,
      ended_at = clock_timestamp(), incident_id = coalesce(d.incident_id, r.incident_id)
    FROM decided d WHERE r.id = d.id AND d.outcome IS NOT NULL)
  SELECT asked_at AS "askedAt", id FROM open ORDER BY asked_at DESC, id DESC LIMIT 1`;

/** Nearly always no line is open, and this is much cheaper to find out. */
const isAnyOpen = 'SELECT FROM workflows.page_requests WHERE outcome IS NULL AND repairs >= 0 LIMIT 1';

interface Position {
  askedAt: Date | string;
  id: string;
}

const beginning: Position = { askedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Lines may stay open for hours. So each turn goes on after the last line that was looked at. */
export class LineEnds {
  private after = beginning;

  constructor(private readonly database: Database) {}

  async end(isStopped: () => boolean): Promise<void> {
    if ((await this.database.query(isAnyOpen)).length === 0) return;
    for (let statement = 0; statement < statementsPerTurn && !isStopped(); statement++) {
      const { askedAt, id } = this.after;
      const [last] = await this.database.query<Position>(endLines, [askedAt, id]);
      this.after = last ?? beginning;
      if (!last) return;
    }
  }
}
