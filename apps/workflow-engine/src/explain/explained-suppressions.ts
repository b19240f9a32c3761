/** When an alert was hidden and shown again, from its timeline. */
import { publicId, uuidOf, type Actor, type Change, type ExplainedSuppression } from '@ams/contracts';
import type { AlertRow } from '@ams/alerting';
import type { Tx } from '@ams/database';

export interface SuppressionRow {
  id: string;
  type: string;
  occurredAt: Date;
  actor: Actor;
  changes: Change[];
}

/** The columns of a timeline entry, and the entries that hide an alert or end this. */
export const suppressionColumns = 't.id, t.type, t.occurred_at AS "occurredAt", t.actor, t.changes';
export const changesSuppression = `(t.changes @> '[{"field": "suppression"}]'
  OR t.changes @> '[{"field": "status", "before": null, "after": "suppressed"}]')`;

interface Hidden {
  windowId: string | null;
  until: string | null;
}

const hiddenIn = (value: unknown): Hidden | null =>
  typeof value === 'object' && value !== null && 'windowId' in value ? (value as Hidden) : null;

/**
 * The entries, oldest first, with the names of the windows. The first entry of an alert does not say by which window:
 * the next change of its suppression says what was before, otherwise it is the present one.
 */
export async function explainedSuppressions(
  tx: Tx,
  alert: AlertRow,
  rows: readonly SuppressionRow[],
): Promise<ExplainedSuppression[]> {
  const changeOf = (row: SuppressionRow | undefined): Change | undefined =>
    row?.changes.find(({ field }) => field === 'suppression');
  const found = rows.map((row, index) => {
    const change = changeOf(row);
    const next = changeOf(rows[index + 1]);
    const after = change ? change.after : next ? next.before : alert.suppression;
    return { row, isHidden: change ? hiddenIn(after) !== null : true, hidden: hiddenIn(after) };
  });
  const names = await namesOf(
    tx,
    alert,
    found.map(({ hidden }) => hidden?.windowId ?? null),
  );
  return found.map(({ row: { id, type, occurredAt, actor }, isHidden, hidden }) => ({
    id: publicId('timelineEntry', id),
    event: type,
    occurredAt: occurredAt.toISOString(),
    isHidden,
    windowId: hidden?.windowId ?? null,
    windowName: names.get(hidden?.windowId ?? '') ?? null,
    until: hidden?.until ?? null,
    actor,
  }));
}

async function namesOf(
  tx: Tx,
  { organization_id, environment }: AlertRow,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const uuids = [...new Set(ids)].flatMap((id) => uuidOf('suppressionWindow', id ?? '') ?? []);
  if (uuids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string }>(
    `SELECT id, name FROM resources_views.suppression_windows
     WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[])`,
    [organization_id, environment, uuids],
  );
  return new Map(rows.map(({ id, name }) => [publicId('suppressionWindow', id), name]));
}
