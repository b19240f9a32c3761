/** Escalation policies: levels of people who are told one after another. Teams and workflows share them. */
import {
  newUuid,
  publicId,
  withAddressesFor,
  type CurrentRecipients,
  type CurrentRecipientsQuery,
  type EscalationPolicy,
  type Input,
  type ListEscalationPoliciesQuery,
  type NoQuery,
  type Page,
  type PostEscalationPolicy,
  type PutEscalationPolicy,
  type Tenant,
} from '@ams/contracts';
import { Database, page, selectOf, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import {
  changeRecord,
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  settingsOf,
} from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { refuseInUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { Secrets } from '../secrets/secrets.js';
import { requestedInstant } from '../schedules/on-call.service.js';
import { databaseNow } from '../schedules/schedule-versions.js';
import { currentRecipients } from './current-recipients.js';
import { EscalationPolicyEntity } from './escalation-policy.entity.js';
import { policiesMatching, recordsUsing, replacePolicyReferences } from './policy-queries.js';
import { policies, policyDefaults, policyRecord, type StoredPolicy } from './policy-record.js';
import { secretsOf } from './policy-secrets.js';
import { changedPolicy } from './policy-settings.js';

const sorts = {
  name: { column: 'name', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
  updatedAt: { column: 'updated_at', type: 'time' },
} as const;

@Injectable()
export class EscalationPoliciesService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  list(input: Input<ListEscalationPoliciesQuery, undefined>): Promise<Page<EscalationPolicy>> {
    const { limit, cursor, ...filters } = input.query;
    const where = policiesMatching(input.principal, filters);
    return this.database.readAs(input.principal, (tx) =>
      page<EscalationPolicyEntity, EscalationPolicy>(tx, {
        select: selectOf(tx, EscalationPolicyEntity, 'escalation_policies'),
        from: 'resources.escalation_policies',
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['escalation-policies', filters],
        total: () => count(tx, 'resources.escalation_policies', where),
        item: policyRecord,
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<EscalationPolicy> {
    return this.database.readAs(input.principal, async (tx) => policyRecord(await findRecord(tx, policies, input)));
  }

  create(input: Input<NoQuery, PostEscalationPolicy>): Promise<EscalationPolicy> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'escalationPolicies');
        const at = new Date();
        const id = newUuid(at.getTime());
        const settings = await changedPolicy(tx, principal, policyDefaults, body, { id, secrets: this.secrets });
        const policy = await insertPolicy(tx, principal, settings, at, id);
        await audit(tx, input, 'escalation_policy.created', null, policy, at);
        return policyRecord(policy);
      }),
    );
  }

  update(input: Input<NoQuery, PutEscalationPolicy>): Promise<EscalationPolicy> {
    const { principal, body } = input;
    return this.database.writeAs(principal, async (tx) => {
      const policy = await lockRecord(tx, policies, input, { toChange: true });
      const before = settingsOf(policyDefaults, policy);
      const after = await changedPolicy(tx, principal, before, body, { id: policy.id, secrets: this.secrets });
      if (auditedChanges(before, after).length === 0) return policyRecord(policy);
      const at = new Date();
      const changed = await changeRecord(tx, policies, policy, after, at);
      if (after.levels !== before.levels) await replacePolicyReferences(tx, changed);
      await audit(tx, input, 'escalation_policy.updated', policy, changed, at);
      return policyRecord(changed);
    });
  }

  /** A transaction that names the policy locks it first, too: it is either refused, or seen here. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const policy = await lockRecord(tx, policies, input);
      refuseInUse(await recordsUsing(tx, policy));
      await deleteRecord(tx, policies, policy);
      await audit(tx, input, 'escalation_policy.deleted', policy, null, new Date());
    });
  }

  current(input: Input<CurrentRecipientsQuery, undefined>): Promise<CurrentRecipients> {
    return this.database.readAs(input.principal, async (tx) => {
      const at = requestedInstant(input.query.at, await databaseNow(tx));
      return withAddressesFor(
        input.principal,
        await currentRecipients(tx, input.principal, await findRecord(tx, policies, input), at),
      );
    });
  }
}

/** Stores a policy whose settings have been checked. `id`: the UUID for which its secrets are sealed. */
export async function insertPolicy(
  tx: Tx,
  { organizationId, environment }: Tenant,
  settings: StoredPolicy,
  at: Date,
  id = newUuid(at.getTime()),
): Promise<EscalationPolicyEntity> {
  const stored = { createdAt: at, updatedAt: at, version: 1 };
  const policy = { id, organizationId, environment, ...settings, ...stored };
  await insertRecord(tx, policies, policy);
  await replacePolicyReferences(tx, policy);
  return policy;
}

const audit = (
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  before: EscalationPolicyEntity | null,
  after: EscalationPolicyEntity | null,
  at: Date,
): Promise<void> =>
  recordAudit(tx, input, type, {
    resource: policies.resource,
    id: publicId('escalationPolicy', (after ?? before)?.id ?? ''),
    before: before && audited(before),
    after: after && audited(after),
    hidden: ['secrets'],
    at,
  });

/** The record with its secrets, so that a replaced secret is a change. The audit entry hides their values. */
function audited(policy: EscalationPolicyEntity): object {
  const secrets = secretsOf(policy.levels);
  return { ...policyRecord(policy), secrets: secrets.length === 0 ? null : secrets };
}
