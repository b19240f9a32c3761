import { type Tx } from '@ams/database';

/** The time by the clock of the database, which all replicas share, in milliseconds: as records keep it. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS now");
  return (row as { now: Date }).now;
}
