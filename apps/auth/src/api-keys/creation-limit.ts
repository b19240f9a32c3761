/**
 * How many API keys an organization can create with the API in 24 hours. Each creation is a row of
 * `auth.api_key_creations`, which stays when the key is revoked. SQL, because the rows have no primary key.
 */
import { Fault, type Tenant } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { AuthSettings } from '../settings.js';

const windowSeconds = 86_400;
const hourMs = 3_600_000;

@Injectable()
export class CreationLimit {
  constructor(
    private readonly settings: AuthSettings,
    database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'old API key creations',
      everyMs: hourMs,
      run: () => database.query("DELETE FROM auth.api_key_creations WHERE created_at < now() - interval '2 days'"),
    });
  }

  /** Counts a creation. The organization must be locked. Throws RATE_LIMITED. */
  async count(tx: Tx, { organizationId }: Pick<Tenant, 'organizationId'>, now: Date): Promise<void> {
    const limit = this.settings.apiKeysPerDay;
    const windowStart = new Date(now.getTime() - windowSeconds * 1000);
    const oldestOfFullWindow = await this.creationAt(tx, organizationId, windowStart, limit);
    if (oldestOfFullWindow) {
      const secondsLeft = Math.ceil((oldestOfFullWindow.getTime() - windowStart.getTime()) / 1000);
      throw new Fault('RATE_LIMITED', {
        scope: 'per organization for API key creation',
        limit,
        windowSeconds,
        retryAfterSeconds: Math.max(1, secondsLeft),
      });
    }
    await tx.query('INSERT INTO auth.api_key_creations (organization_id, created_at) VALUES ($1, $2)', [
      organizationId,
      now,
    ]);
  }

  /** The time of the nth last creation since `windowStart`; `null` when there were fewer. */
  private async creationAt(tx: Tx, organizationId: string, windowStart: Date, nth: number): Promise<Date | null> {
    const [row] = await tx.query<{ created_at: Date }>(
      `SELECT created_at FROM auth.api_key_creations WHERE organization_id = $1 AND created_at > $2
       ORDER BY created_at DESC OFFSET $3 LIMIT 1`,
      [organizationId, windowStart, nth - 1],
    );
    return row?.created_at ?? null;
  }
}
