/**
 * Puts refused requests into the audit log, by counts: an attacker who tries keys must not fill it. Requests with a key
 * that was revoked or has expired are in the log of its organization; an unknown key belongs to nobody, and is counted in
 * a metric and the service's log. Counts of the last interval are lost when the process dies.
 */
import { newUuid, publicId, type AdmitReply, type AuditRecord } from '@ams/contracts';
import { actorOf, Database } from '@ams/database';
import { type Environment } from '@ams/scopes';
import { Logger, Metrics, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { AuthSettings } from '../settings.js';
import { type KeyAdmitRequest } from './admit-statement.js';
import { RefusalCounts } from './refusal-counts.js';

/** How many different keys and addresses wait until the keys are looked up. */
const mostUnresolved = 1000;

interface Unresolved {
  keyHash: string;
  ip: string | null;
  count: number;
}

interface KnownKey {
  key_hash: string;
  id: string;
  name: string;
  organization_id: string;
  environment: Environment;
  reason: string;
}

/** Keys that end between the admission and this lookup are told by their state now. */
const knownKeys = `
  SELECT key_hash, id, name, organization_id, environment,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'invalid' END AS reason
  FROM auth.api_keys WHERE key_hash = ANY ($1)`;

@Injectable()
export class RefusedRequests implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly counts = new RefusalCounts();
  private unresolved = new Map<string, Unresolved>();
  private resolving: Promise<void> | null = null;
  /** Entries that could not be stored yet. Their ids stay, so none is stored twice. */
  private entries: AuditRecord[] = [];
  private unknown = 0;
  private readonly rounds: Rounds;
  private readonly failures;

  constructor(
    { auditRefusalsSeconds }: AuthSettings,
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.failures = metrics.counter(
      'ams_admission_refused_keys_total',
      'Requests without a valid key: of a key that is known (revoked or expired), unknown, or not looked up.',
      ['key'],
    );
    this.rounds = new Rounds({
      everyMs: auditRefusalsSeconds * 1000,
      work: () => this.write(),
      onError: (error) => log.warn({ err: error }, 'refused requests are not in the audit log yet; it is tried again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
    await this.write().catch((error: unknown) =>
      this.log.warn({ err: error }, 'the last refused requests are not in the audit log'),
    );
  }

  /** A member's session that ended belongs to nobody any more, and is no guess. */
  note(request: { operation: string; ip: string | null } & Partial<KeyAdmitRequest>, reply: AdmitReply): void {
    const { operation, ip, keyHash } = request;
    if (reply.kind === 'insufficientScope') {
      const { organizationId, environment } = reply.principal;
      const resource = { type: 'operation', id: operation.slice(0, 100) };
      const actor = actorOf(reply.principal);
      this.counts.add({ type: 'request.refused', organizationId, environment, actor, ip, resource, reason: null });
    } else if (reply.kind === 'unauthorized' && keyHash !== undefined) this.noteKey(keyHash, ip);
  }

  private noteKey(keyHash: string, ip: string | null): void {
    const name = `${keyHash} ${ip}`;
    const present = this.unresolved.get(name);
    if (present) present.count++;
    else if (this.unresolved.size < mostUnresolved) this.unresolved.set(name, { keyHash, ip, count: 1 });
    else this.failures.inc({ key: 'notLookedUp' });
    if (this.unresolved.size >= mostUnresolved)
      void this.resolve().catch((error: unknown) => this.log.warn({ err: error }, 'refused keys were not looked up'));
  }

  /** Finds the organizations of the keys. One lookup at a time. */
  private resolve(): Promise<void> {
    this.resolving ??= this.lookUp().finally(() => {
      this.resolving = null;
    });
    return this.resolving;
  }

  private async lookUp(): Promise<void> {
    const sought = this.unresolved;
    if (sought.size === 0) return;
    const hashes = [...new Set([...sought.values()].map(({ keyHash }) => keyHash))];
    this.unresolved = new Map();
    const rows = await this.database.query<KnownKey>(knownKeys, [hashes]).catch((error: unknown) => {
      this.restore(sought);
      throw error;
    });
    const known = new Map(rows.map((row) => [row.key_hash, row]));
    for (const { keyHash, ip, count } of sought.values()) {
      const key = known.get(keyHash);
      this.failures.inc({ key: key ? 'known' : 'unknown' }, count);
      if (!key) this.unknown += count;
      else {
        const id = publicId('apiKey', key.id);
        this.counts.add(
          {
            type: 'api_key.refused',
            organizationId: key.organization_id,
            environment: key.environment,
            actor: { type: 'api_key', id, name: key.name },
            ip,
            resource: { type: 'api_key', id },
            reason: key.reason,
          },
          count,
        );
      }
    }
  }

  /** Counts again what was not looked up, as far as there is room. */
  private restore(sought: Map<string, Unresolved>): void {
    for (const [name, refused] of sought) {
      const present = this.unresolved.get(name);
      if (present) present.count += refused.count;
      else if (this.unresolved.size < mostUnresolved) this.unresolved.set(name, refused);
      else this.failures.inc({ key: 'notLookedUp' }, refused.count);
    }
  }

  private async write(): Promise<boolean> {
    await this.resolve();
    if (this.entries.length === 0) {
      const at = await databaseNow(this.database);
      const { entries, beyond } = this.counts.take(at, () => newUuid(at.getTime()));
      this.entries = entries;
      const { unknown } = this;
      this.unknown = 0;
      if (unknown + beyond > 0) this.log.warn({ unknown, beyond }, 'requests with keys that are not in an audit log');
    }
    await addAuditEntries(this.database, this.entries);
    this.entries = [];
    return false;
  }
}
