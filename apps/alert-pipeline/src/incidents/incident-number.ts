import type { Tx } from '@ams/database';

/**
 * The numbers of the incidents that one transaction opens for an organization. Other transactions that open incidents
 * for it wait until this one has ended, so no number is left out.
 */
export class IncidentNumbers {
  private first: number | null = null;
  private last = 0;

  constructor(
    private readonly tx: Tx,
    private readonly organizationId: string,
  ) {}

  async next(): Promise<number> {
    if (this.first !== null) return ++this.last;
    const [row] = await this.tx.query<{ last: number }>(
      `INSERT INTO alerts.incident_numbers AS n (organization_id, last) VALUES ($1, 1)
       ON CONFLICT (organization_id) DO UPDATE SET last = n.last + 1 RETURNING last`,
      [this.organizationId],
    );
    this.first = this.last = (row as { last: number }).last;
    return this.last;
  }

  /** To be called once, after the last number was taken. */
  async write(): Promise<void> {
    if (this.first === null || this.first === this.last) return;
    const { organizationId, last } = this;
    await this.tx.query('UPDATE alerts.incident_numbers SET last = $2 WHERE organization_id = $1', [
      organizationId,
      last,
    ]);
  }
}
