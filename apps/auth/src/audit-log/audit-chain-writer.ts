/**
 * Links stored entries to the chains of the audit log, some seconds after they were stored, and signs checkpoints. All
 * replicas do it; each chain is written by one at a time. Who stores an entry does not wait for it: an entry that is
 * stored is linked later, however often this fails meanwhile.
 */
import { Database } from '@ams/database';
import { Logger, Metrics, readSigningKeys, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { linkWaiting, signChains, type Signing, type Turn } from './audit-chains.js';

/** Entries gather meanwhile: a chain with several new ones costs little more than one with a single one. */
const gatherMs = 5000;

@Injectable()
export class AuditChainWriter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;
  /** Null: the operator has set no key, and nothing is signed. */
  private readonly signing: Signing | null;
  private readonly linked;
  private readonly oldest;
  private turn: Turn = null;

  constructor(
    settings: AuthSettings,
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.signing = signingOf(settings);
    this.linked = metrics.counter('ams_audit_linked_total', 'Audit entries that were linked to their chain.');
    this.oldest = metrics.gauge(
      'ams_audit_oldest_waiting_seconds',
      'Age of the oldest audit entry that is stored and not yet linked to its chain.',
    );
    this.rounds = new Rounds({
      everyMs: Math.min(gatherMs, settings.auditCheckpointSeconds * 1000),
      work: () => this.round(),
      onError: (error) =>
        log.warn({ err: error }, 'the chain of the audit log could not be written; it is tried again'),
    });
  }

  onApplicationBootstrap(): void {
    if (!this.signing) this.log.warn({}, 'AUDIT_SIGNING_KEYS_FILE is not set: the audit log has no signed checkpoints');
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async round(): Promise<boolean> {
    const begin = this.turn;
    this.turn = null;
    if (await this.isAnyWaiting()) {
      const { entries, next } = await this.database.asService((tx) => linkWaiting(tx, begin));
      this.turn = next;
      this.linked.inc(entries);
      // The next chains, or the first ones again when this round did not begin with them.
      if (next !== null || begin !== null) return true;
    }
    const { signing } = this;
    if (signing) while (!this.rounds.isStopped && (await this.database.asService((tx) => signChains(tx, signing))) > 0);
    return false;
  }

  /** One statement without a transaction: mostly nothing waits. */
  private async isAnyWaiting(): Promise<boolean> {
    const [row] = await this.database.query<{ seconds: number }>(
      'SELECT extract(epoch FROM now() - added_at)::float8 AS seconds FROM auth.audit_waiting ORDER BY id LIMIT 1',
    );
    this.oldest.set(Math.max(0, row?.seconds ?? 0));
    return row !== undefined;
  }
}

function signingOf({ auditSigningKeysFile, auditCheckpointSeconds, auditDays }: AuthSettings): Signing | null {
  if (auditSigningKeysFile === undefined) return null;
  const { signs } = readSigningKeys(auditSigningKeysFile);
  return { key: signs, everySeconds: auditCheckpointSeconds, days: auditDays ?? null };
}
