/** Finds the members to whom edits of senders assign alerts. */
import type { IngestEvent } from '@ams/contracts';
import type { Tx } from '@ams/database';

const findMembers = {
  name: 'find assignees',
  text: `SELECT k.o, k.m, a.id FROM json_to_recordset($1::json) AS k(o uuid, m text), LATERAL (
     SELECT id FROM auth_views.members
     WHERE organization_id = k.o AND lower(email) = k.m AND status = 'active' ORDER BY id LIMIT 1) AS a`,
};

/** The UUID of the active member of the organization with the e-mail address of the edit, regardless of case. */
export async function assigneesOf(
  tx: Tx,
  events: readonly IngestEvent[],
): Promise<(event: IngestEvent) => string | null> {
  const keyOf = ({ organizationId, edit }: IngestEvent): string =>
    `${organizationId} ${edit?.assignee?.toLowerCase() ?? ''}`;
  const asked = events.flatMap(({ organizationId: o, edit }) =>
    edit?.assignee === undefined ? [] : [{ o, m: edit.assignee.toLowerCase() }],
  );
  if (asked.length === 0) return () => null;
  const rows = await tx.query<{ o: string; m: string; id: string }>(findMembers, [JSON.stringify(asked)]);
  const found = new Map(rows.map(({ o, m, id }) => [`${o} ${m}`, id]));
  return (event) => found.get(keyOf(event)) ?? null;
}
