import type { Tx } from '@ams/database';

/** The next number of the organization. Other transactions wait until this one has ended, so no number is left out. */
export async function nextIncidentNumber(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx.query<{ last: number }>(
    `INSERT INTO alerts.incident_numbers AS n (organization_id, last) VALUES ($1, 1)
     ON CONFLICT (organization_id) DO UPDATE SET last = n.last + 1 RETURNING last`,
    [organizationId],
  );
  return (row as { last: number }).last;
}
