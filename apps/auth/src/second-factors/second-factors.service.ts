/** The operations on an authenticator app and on recovery codes. */
import {
  Fault,
  invalid,
  publicId,
  type Input,
  type NoQuery,
  type PostProof,
  type PostTotpCode,
  type RecoveryCodes,
  type TotpEnrolment,
  type TwoFactor,
} from '@ams/contracts';
import { auditRecord, Database, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { type SealedSecrets } from '@ams/service';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { inOwnAccount } from './own-account.js';
import { Proofs } from './proofs.js';
import { SecretKeys } from './secret-keys.js';
import {
  deleteRecoveryCodes,
  factorStateOf,
  hasSecondFactor,
  lockTotp,
  recordOfTotp,
  replaceRecoveryCodes,
  twoFactorView,
} from './second-factors.js';
import { TotpSecretEntity } from './totp-secret.entity.js';
import { acceptedStep, enrolment, totpSecretBytes } from './totp.js';

/** What an app shows beside the code. */
const issuer = 'Alerts';
/** How long a secret waits for its first code. */
const confirmWithinMs = 3_600_000;

@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly database: Database,
    private readonly keys: SecretKeys,
    private readonly proofs: Proofs,
  ) {}

  get({ principal }: Input<NoQuery, undefined>): Promise<TwoFactor> {
    return inOwnAccount(this.database, principal, async ({ tx, account }) =>
      twoFactorView(await factorStateOf(tx, account.id)),
    );
  }

  /** Throws CONFLICT when the operator has set no key. */
  begin(input: Input<NoQuery, PostProof>): Promise<TotpEnrolment> {
    const sealed = this.sealedSecrets();
    return this.proofs.proven(input, async ({ tx, account }) => {
      const secret = randomBytes(totpSecretBytes);
      const at = await databaseNow(tx);
      await tx
        .repository(TotpSecretEntity)
        .upsert({ accountId: account.id, newSecret: sealed.seal(secret, recordOfTotp(account.id)), newSecretAt: at }, [
          'accountId',
        ]);
      return enrolment(secret, { issuer, account: account.email });
    });
  }

  /** Throws CONFLICT without a secret that waits, and VALIDATION_ERROR for a wrong code. */
  confirm(input: Input<NoQuery, PostTotpCode>): Promise<RecoveryCodes> {
    const sealed = this.sealedSecrets();
    const { principal, body } = input;
    return inOwnAccount(this.database, principal, ({ tx, account }) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const at = await databaseNow(tx);
        const row = await lockTotp(tx, account.id);
        const isWaiting = row?.newSecretAt && at.getTime() - row.newSecretAt.getTime() < confirmWithinMs;
        if (!row?.newSecret || !isWaiting) {
          throw new Fault('CONFLICT', null, 'No app waits for its first code: begin with POST /session/totp.');
        }
        const secret = sealed.open(row.newSecret, recordOfTotp(account.id));
        const step = secret && acceptedStep(secret, body.code, { at, lastStep: null });
        if (step === null) throw invalid('code', 'code', 'code is not the one that the app shows now');
        await tx
          .repository(TotpSecretEntity)
          .update(
            { accountId: account.id },
            { secret: row.newSecret, confirmedAt: at, lastStep: String(step), newSecret: null, newSecretAt: null },
          );
        await record(tx, input, 'member.authenticator_added', at);
        return { recoveryCodes: await replaceRecoveryCodes(tx, account.id) };
      }),
    );
  }

  disable(input: Input<NoQuery, PostProof>): Promise<TwoFactor> {
    return this.proofs.proven(
      input,
      async ({ tx, account }) => {
        const before = await factorStateOf(tx, account.id);
        await tx.repository(TotpSecretEntity).delete({ accountId: account.id });
        if (before.passkeys === 0) await deleteRecoveryCodes(tx, account.id);
        if (before.totpSince) await record(tx, input, 'member.authenticator_removed', await databaseNow(tx));
        return twoFactorView(await factorStateOf(tx, account.id));
      },
      { always: true },
    );
  }

  /** Throws CONFLICT for somebody who has nothing for which a recovery code could stand in. */
  renewCodes(input: Input<NoQuery, PostProof>): Promise<RecoveryCodes> {
    return this.proofs.proven(input, async ({ tx, account }) => {
      if (!hasSecondFactor(await factorStateOf(tx, account.id))) {
        throw new Fault('CONFLICT', null, 'First set up an authenticator app or a passkey.');
      }
      await record(tx, input, 'member.recovery_codes_renewed', await databaseNow(tx));
      return { recoveryCodes: await replaceRecoveryCodes(tx, account.id) };
    });
  }

  private sealedSecrets(): SealedSecrets {
    if (this.keys.sealed) return this.keys.sealed;
    const message = 'Authenticator apps are not available: the operator has not set SECRETS_KEY.';
    throw new Fault('CONFLICT', null, message);
  }
}

function record(tx: Tx, input: Input<NoQuery, unknown>, type: string, at: Date): Promise<void> {
  const resource = { type: 'member', id: publicId('member', input.principal.id) };
  return addAuditEntries(tx, [auditRecord(input, { type, resource, changes: [], at })]);
}
