/** The keys of the operator for secrets at rest. Values of older keys are sealed again with the newest one. */
import { recordOfSubscription } from '@ams/contracts';
import { Database } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { sealedSecretsOf, type SealedSecrets } from '@ams/service';
import { AuthSettings } from '../settings.js';
import { recordOfTotp } from './second-factors.js';

const quarterOfAnHourMs = 900_000;
const batch = 100;

/** Where sealed secrets are. */
const places = [
  { table: 'auth.totp_secrets', id: 'account_id', column: 'secret', recordOf: recordOfTotp },
  { table: 'auth.push_devices', id: 'id', column: 'subscription', recordOf: recordOfSubscription },
] as const;

interface Outcome {
  id: string;
  outcome: 'done' | 'unknown';
}

@Injectable()
export class SecretKeys {
  /** Null: the operator has set no key. */
  readonly sealed: SealedSecrets | null;

  constructor(
    { secretsKey }: AuthSettings,
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
    private readonly log: Logger,
  ) {
    this.sealed = sealedSecretsOf(secretsKey);
    const { sealed } = this;
    if (sealed)
      housekeeping.add({
        name: 'secrets of older keys',
        everyMs: quarterOfAnHourMs,
        run: () => this.sealAgain(sealed),
      });
  }

  /** Says in the log when no value of an older key is left, so that the operator can remove the key. */
  private async sealAgain(sealed: SealedSecrets): Promise<void> {
    let [done, unknown] = [0, 0];
    for (const place of places) {
      let after = '00000000-0000-0000-0000-000000000000';
      while (!this.housekeeping.isStopping) {
        const rows = await this.sealBatch(sealed, place, after);
        done += rows.filter(({ outcome }) => outcome === 'done').length;
        unknown += rows.filter(({ outcome }) => outcome === 'unknown').length;
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
      }
    }
    if (done > 0) this.log.info({ secrets: done }, 'secrets were sealed again with the newest key');
    if (unknown > 0) this.log.warn({ secrets: unknown }, 'the key of some secrets is not in SECRETS_KEY');
  }

  private sealBatch(
    sealed: SealedSecrets,
    { table, id, column, recordOf }: (typeof places)[number],
    after: string,
  ): Promise<Outcome[]> {
    return this.database.asService(async (tx) => {
      const rows = await tx.query<{ id: string; secret: Buffer }>(
        `SELECT ${id} AS id, ${column} AS secret FROM ${table}
         WHERE ${id} > $1 AND ${column} IS NOT NULL AND substring(${column} FOR $2) <> $3
         ORDER BY ${id} LIMIT ${batch} FOR UPDATE`,
        [after, sealed.newestPrefix.length, sealed.newestPrefix],
      );
      const outcomes: Outcome[] = [];
      for (const row of rows) {
        const opened = sealed.open(row.secret, recordOf(row.id));
        outcomes.push({ id: row.id, outcome: opened ? 'done' : 'unknown' });
        if (opened)
          await tx.query(`UPDATE ${table} SET ${column} = $2 WHERE ${id} = $1`, [
            row.id,
            sealed.seal(opened, recordOf(row.id)),
          ]);
      }
      return outcomes;
    });
  }
}
