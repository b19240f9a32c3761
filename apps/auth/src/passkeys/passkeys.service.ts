/** The operations on the passkeys of the person who is signed in. */
import {
  Fault,
  maxPasskeys,
  newUuid,
  publicId,
  uuidOf,
  type Change,
  type Input,
  type ListPasskeysQuery,
  type NewPasskey,
  type NoQuery,
  type Page,
  type Passkey,
  type PasskeyOptions,
  type PostPasskey,
  type PostProof,
  type PutPasskey,
} from '@ams/contracts';
import { auditRecord, Database, page, selectOf, Where, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { type AccountEntity } from '../accounts/account.entity.js';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { inOwnAccount } from '../second-factors/own-account.js';
import { Proofs } from '../second-factors/proofs.js';
import {
  deleteRecoveryCodes,
  factorStateOf,
  hasSecondFactor,
  replaceRecoveryCodes,
} from '../second-factors/second-factors.js';
import { challengeSeconds, newChallenge, notAPasskey, useChallenge } from './challenges.js';
import { PasskeyEntity } from './passkey.entity.js';
import { RelyingPartySettings } from './relying-party-settings.js';
import { registeredCredential } from './verify.js';

const orderBy = { column: 'created_at', type: 'time' } as const;

@Injectable()
export class PasskeysService {
  constructor(
    private readonly database: Database,
    private readonly proofs: Proofs,
    private readonly party: RelyingPartySettings,
  ) {}

  list({ principal, query }: Input<ListPasskeysQuery, undefined>): Promise<Page<Passkey>> {
    const { limit, cursor, ...filters } = query;
    return inOwnAccount(this.database, principal, ({ tx, account }) => {
      const where = new Where().and('account_id = ?', account.id);
      where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
      return page<PasskeyEntity, Passkey>(tx, {
        select: selectOf(tx, PasskeyEntity, 'p'),
        from: 'auth.passkeys p',
        where,
        sort: { ...orderBy, descending: filters.sort === '-createdAt' },
        id: 'id',
        limit,
        cursor,
        boundTo: ['passkeys', filters],
        total: () => count(tx, where),
        item: passkeyOf,
      });
    });
  }

  /** Throws CONFLICT when the address of the installation cannot have passkeys, or the person has enough. */
  begin(input: Input<NoQuery, PostProof>): Promise<PasskeyOptions> {
    const party = this.party.required();
    return this.proofs.proven(input, async ({ tx, account }) => {
      const existing = await tx.repository(PasskeyEntity).findBy({ accountId: account.id });
      requireRoom(existing.length);
      const options = await generateRegistrationOptions({
        rpName: 'Alerts',
        rpID: party.id,
        userID: Uint8Array.from(Buffer.from(account.id.replaceAll('-', ''), 'hex')),
        userName: account.email,
        userDisplayName: input.principal.name,
        challenge: Uint8Array.from(await newChallenge(tx, account.id)),
        timeout: challengeSeconds * 1000,
        attestationType: 'none',
        excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { options: options as unknown as Record<string, unknown> };
    });
  }

  /** The challenge was made after a proof, so none is asked for here. Throws VALIDATION_ERROR and CONFLICT. */
  create(input: Input<NoQuery, PostPasskey>): Promise<NewPasskey> {
    const { principal, body } = input;
    const party = this.party.required();
    return inOwnAccount(this.database, principal, ({ tx, account }) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const challenge = await useChallenge(tx, body.response, account.id);
        const credential = challenge && (await registeredCredential(body.response, { challenge, party }));
        if (!credential) throw notAPasskey();
        const before = await factorStateOf(tx, account.id);
        requireRoom(before.passkeys);
        const { id: credentialId, publicKey, counter, transports, backedUp } = credential;
        if (await tx.repository(PasskeyEntity).existsBy({ credentialId })) {
          throw new Fault('CONFLICT', null, 'This passkey is registered already.');
        }
        const at = await databaseNow(tx);
        const passkey: PasskeyEntity = {
          id: newUuid(at.getTime()),
          accountId: account.id,
          credentialId,
          publicKey: Buffer.from(publicKey),
          counter: String(counter),
          transports,
          name: body.name,
          backedUp,
          createdAt: at,
          lastUsedAt: null,
        };
        await tx.repository(PasskeyEntity).insert(passkey);
        await record(tx, input, { type: 'passkey.created', passkey, changes: named(null, passkey.name), at });
        const recoveryCodes = hasSecondFactor(before) ? null : await replaceRecoveryCodes(tx, account.id);
        return { ...passkeyOf(passkey), recoveryCodes };
      }),
    );
  }

  update(input: Input<NoQuery, PutPasskey>): Promise<Passkey> {
    return inOwnAccount(this.database, input.principal, async ({ tx, account }) => {
      const passkey = await ownPasskey(tx, account, input);
      const { name = passkey.name } = input.body;
      if (name === passkey.name) return passkeyOf(passkey);
      await tx.repository(PasskeyEntity).update({ id: passkey.id }, { name });
      const at = await databaseNow(tx);
      await record(tx, input, { type: 'passkey.updated', passkey, changes: named(passkey.name, name), at });
      return passkeyOf({ ...passkey, name });
    });
  }

  /** Throws NOT_FOUND, CONFLICT for the only way to sign in, and INSUFFICIENT_SCOPE after an older sign-in. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.proofs.proven({ ...input, body: {} }, async ({ tx, account }) => {
      const passkey = await ownPasskey(tx, account, input);
      await tx.repository(PasskeyEntity).delete({ id: passkey.id });
      const left = await factorStateOf(tx, account.id);
      if (left.passkeys === 0 && account.passwordHash === null && !(await hasIdentity(tx, account))) {
        throw new Fault('CONFLICT', null, 'It is the only way to sign in: first set a password, or add a passkey.');
      }
      if (!hasSecondFactor(left)) await deleteRecoveryCodes(tx, account.id);
      const at = await databaseNow(tx);
      await record(tx, input, { type: 'passkey.deleted', passkey, changes: named(passkey.name, null), at });
    });
  }
}

const passkeyOf = ({ id, name, backedUp, createdAt, lastUsedAt }: PasskeyEntity): Passkey => ({
  id: publicId('passkey', id),
  name,
  backedUp,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.passkeys p WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}

function requireRoom(passkeys: number): void {
  if (passkeys < maxPasskeys) return;
  throw new Fault('CONFLICT', null, `A person has at most ${maxPasskeys} passkeys: first remove one.`);
}

/** Throws NOT_FOUND. */
async function ownPasskey(
  tx: Tx,
  { id: accountId }: AccountEntity,
  { params }: Pick<Input<NoQuery, unknown>, 'params'>,
): Promise<PasskeyEntity> {
  const publicForm = params['id'] ?? '';
  const id = uuidOf('passkey', publicForm);
  const passkey = id === null ? null : await tx.repository(PasskeyEntity).findOneBy({ id, accountId });
  if (!passkey) throw new Fault('NOT_FOUND', { resource: 'passkey', id: publicForm });
  return passkey;
}

async function hasIdentity(tx: Tx, { id }: AccountEntity): Promise<boolean> {
  return (await tx.query('SELECT 1 FROM auth.openid_identities WHERE account_id = $1 LIMIT 1', [id])).length > 0;
}

const named = (before: string | null, after: string | null): Change[] => [{ field: 'name', before, after }];

function record(
  tx: Tx,
  input: Input<NoQuery, unknown>,
  { type, passkey, changes, at }: { type: string; passkey: PasskeyEntity; changes: Change[]; at: Date },
): Promise<void> {
  const resource = { type: 'passkey', id: publicId('passkey', passkey.id) };
  return addAuditEntries(tx, [auditRecord(input, { type, resource, changes, at })]);
}
