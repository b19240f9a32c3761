/**
 * Opens the sealed addresses and secrets of targets. Only this service can: it has a master key, and the data key of the
 * tenant comes with the request, sealed. What cannot be opened waits: a replica may not have the newest key yet.
 */
import type { SealedDataKey, SendRequest, SendTarget } from '@ams/contracts';
import { replacedInDestination } from '@ams/domain';
import { Logger, masterKeysOf, MasterKeysUnavailable, recordOfDataKey, TenantSecrets } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { heldBack, type AttemptResult } from '../attempts/attempt-result.js';
import { NotifierSettings } from '../settings.js';

const waitSeconds = 60;
/** Opened data keys that are kept. */
const maxKept = 1000;

export type OpenedTarget = { kind: 'opened'; target: SendTarget } | { kind: 'held'; attempt: AttemptResult };

const held = (reason: string): OpenedTarget => ({
  kind: 'held',
  attempt: heldBack('SEALED', `The address cannot be decrypted: ${reason}.`, waitSeconds),
});

@Injectable()
export class SealedTargets {
  private readonly masterKeys;
  private readonly kept = new Map<string, TenantSecrets>();

  constructor(
    settings: NotifierSettings,
    private readonly log: Logger,
  ) {
    this.masterKeys = masterKeysOf(settings);
  }

  async opened({ notificationId, target, secrets }: SendRequest): Promise<OpenedTarget> {
    if (!('sealedFor' in target) || target.sealedFor === undefined) return { kind: 'opened', target };
    if (!secrets) return held('the data key of the organization is missing');
    const { sealedFor, ...sealed } = target;
    try {
      const tenant = await this.secretsOf(secrets);
      if (!tenant) return held('the master key of the organization is not known to the notifier');
      return { kind: 'opened', target: replacedInDestination(sealed, tenant.opening(sealedFor)) };
    } catch (error) {
      this.log.error({ notificationId, err: error }, 'the address of a notification cannot be decrypted');
      if (error instanceof MasterKeysUnavailable) return held('the key management service cannot be used at present');
      return held('it was changed, or belongs to another record');
    }
  }

  /** Null: the key that has sealed the data key is not known here. */
  private async secretsOf({ organizationId, environment, dataKey }: SealedDataKey): Promise<TenantSecrets | null> {
    const tenant = { organizationId, environment };
    const record = recordOfDataKey(tenant);
    const name = `${record} ${dataKey}`;
    const known = this.kept.get(name);
    if (known) return known;
    const key = await this.masterKeys.open(Buffer.from(dataKey, 'base64'), record);
    if (!key) return null;
    const secrets = new TenantSecrets(key, tenant);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= maxKept) this.kept.delete(oldest);
    this.kept.set(name, secrets);
    return secrets;
  }
}
