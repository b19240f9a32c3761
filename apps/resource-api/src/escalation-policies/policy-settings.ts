/**
 * The settings of a policy that a caller sends: checked, and in the form in which they are stored. The domain checks
 * the levels; this file looks up the schedules, teams and members that they name.
 */
import { publicId, worded, type FieldFault, type PutEscalationPolicy, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { normalizedPolicy, policyReferencesOf, validatePolicy, type PolicySettings } from '@ams/domain';
import { patch, settingsOf } from '../records/entity-records.js';
import { throwFaults } from '../records/throw-faults.js';
import { referenceIn, unknownReferences } from '../records/unknown-references.js';
import type { Secrets } from '../secrets/secrets.js';
import { teamUuid } from '../teams/held-team.js';
import { policyDefaults, type StoredPolicy } from './policy-record.js';
import { maskedLevels, sealedLevels } from './policy-secrets.js';

/**
 * The settings with what was sent, which may have marks for stored secrets. Secrets are sealed for the policy (a UUID). The records that they name stay until the
 * end of the transaction. Throws VALIDATION_ERROR with everything that is wrong with them.
 */
export async function changedPolicy(
  tx: Tx,
  tenant: Tenant,
  before: StoredPolicy,
  sent: PutEscalationPolicy,
  { id, secrets }: { id: string; secrets: Secrets },
): Promise<StoredPolicy> {
  const { teamId, levels, repeat, ackTimeoutSeconds, ...others } = sent;
  const settings = patch(settingsOf(policyDefaults, before), {
    ...others,
    teamId: teamUuid(teamId),
  });
  const team = referenceIn('team', 'teamId', teamId);
  if ([levels, repeat, ackTimeoutSeconds].every((field) => field === undefined)) {
    throwFaults(await unknownReferences(tx, tenant, team));
    return settings;
  }
  const merged = {
    levels: levels ?? maskedLevels(before.levels),
    repeat: repeat === undefined ? before.repeat : repeat,
    ackTimeoutSeconds: ackTimeoutSeconds === undefined ? before.ackTimeoutSeconds : ackTimeoutSeconds,
  };
  throwFaults(worded(validatePolicy(merged)));
  const policy = normalizedPolicy(merged);
  const record = publicId('escalationPolicy', id);
  const sealed = await sealedLevels(policy.levels, before.levels, secrets.of(tx, tenant), record);
  const checked = { ...policy, levels: sealed.parts };
  const named = [...policyReferencesOf(checked.levels), ...team];
  throwFaults([
    ...sealed.faults,
    ...sizeFaults(checked),
    ...(await unknownReferences(tx, tenant, named, policyReferencesOf(before.levels))),
  ]);
  return patch(settings, checked);
}

/** The audit log of a change has the levels twice, in one message of NATS. */
const maxLevelBytes = 256 * 1024;

const sizeFaults = ({ levels }: PolicySettings): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(levels)) > maxLevelBytes
    ? [{ path: 'levels', rule: 'maxBytes', message: `levels must have at most ${maxLevelBytes} bytes together` }]
    : [];
