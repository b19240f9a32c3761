/** How the pages for an alert ended: the lines of the ledger, with a sentence for each. */
import { publicId, type ExplainedPage } from '@ams/contracts';
import type { AlertRow } from '@ams/alerting';
import { selectOf, type Tx } from '@ams/database';
import { whyPage } from '@ams/domain';
import { PageRequestEntity } from '../pages/page-request.entity.js';
import { shownPage } from '../pages/pages.service.js';

/** A line of the ledger with what it names. Ids are UUIDs. */
export interface PageLineRow extends PageRequestEntity {
  event: string | null;
  told: string[];
  incidentNumber: number | null;
  policyName: string | null;
}

/** The newest lines of an alert, newest first. */
export const pageLinesOf = (tx: Tx, alert: AlertRow, max: number): Promise<PageLineRow[]> =>
  tx.query<PageLineRow>(
    `SELECT ${selectOf(tx, PageRequestEntity, 'p')}, d.event_type AS event, i.number AS "incidentNumber",
       e.name AS "policyName", ARRAY(
         SELECT n.target FROM workflows.notifications n WHERE n.id = ANY(p.notification_ids)
           AND n.organization_id = p.organization_id AND n.environment = p.environment ORDER BY n.id
       ) AS told
     FROM workflows.page_requests p
       LEFT JOIN workflows.considered d ON d.event_id = p.event_id AND d.organization_id = p.organization_id
         AND d.environment = p.environment
       LEFT JOIN alerts_views.incidents i ON i.id = p.incident_id AND i.organization_id = p.organization_id
         AND i.environment = p.environment
       LEFT JOIN resources_views.escalation_policies e ON e.id = i.policy_id AND e.organization_id = i.organization_id
         AND e.environment = i.environment
     WHERE p.organization_id = $1 AND p.environment = $2 AND p.alert_id = $3
     ORDER BY p.asked_at DESC, p.id DESC LIMIT $4`,
    [alert.organization_id, alert.environment, alert.id, max],
  );

/** A narrowed key does not see workflows. */
export function explainedPage(line: PageLineRow, seesWorkflows: boolean): ExplainedPage {
  const { event, told, incidentNumber, policyName, workflowId, workflowName, outcome, repairs } = line;
  const why = whyPage({
    workflow: workflowId === null ? null : { name: seesWorkflows ? workflowName : null },
    event,
    outcome,
    told,
    incidentNumber,
    policyName,
    repairs,
  });
  return { ...shownPage(line), why };
}

/**
 * The workflows (public ids) of the team of an alert: that of its integration, and the one that its label `team`
 * names.
 */
export async function workflowsOfTeam(tx: Tx, alert: AlertRow): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT w.id FROM resources_views.workflows w
     WHERE w.organization_id = $1 AND w.environment = $2 AND w.team_id IN (
       SELECT i.team_id FROM resources_views.integrations i
       WHERE i.organization_id = $1 AND i.environment = $2 AND i.id = $3
       UNION SELECT t.id FROM resources_views.teams t
       WHERE t.organization_id = $1 AND t.environment = $2 AND t.slug = $4)`,
    [alert.organization_id, alert.environment, alert.integration_id, alert.labels['team'] ?? null],
  );
  return new Set(rows.map(({ id }) => publicId('workflow', id)));
}
