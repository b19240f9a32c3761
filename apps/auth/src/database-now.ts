import { type Tx } from '@ams/database';

/** The time of the database clock, which all replicas share. In milliseconds, the precision of records. */
export async function databaseNow(tx: Pick<Tx, 'query'>): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS now");
  return (row as { now: Date }).now;
}
