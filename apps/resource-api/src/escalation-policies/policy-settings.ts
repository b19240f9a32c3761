/**
 * The settings of a policy that a caller sends: checked, and in the form in which they are stored. The domain checks
 * the levels; this file looks up the schedules, teams and members that they name.
 */
import { worded, type FieldFault, type PutEscalationPolicy, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { normalizedPolicy, policyReferencesOf, validatePolicy, type PolicySettings } from '@ams/domain';
import { patch, settingsOf } from '../records/entity-records.js';
import { throwFaults } from '../records/throw-faults.js';
import { referenceIn, unknownReferences } from '../records/unknown-references.js';
import { teamUuid } from '../teams/held-team.js';
import { policyDefaults, type StoredPolicy } from './policy-record.js';
import { unmaskedLevels } from './policy-secrets.js';

/**
 * The settings with what was sent, which may have marks for stored secrets. The records that they name stay until the
 * end of the transaction. Throws VALIDATION_ERROR with everything that is wrong with them.
 */
export async function changedPolicy(
  tx: Tx,
  tenant: Tenant,
  before: StoredPolicy,
  sent: PutEscalationPolicy,
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
    levels: levels ?? before.levels,
    repeat: repeat === undefined ? before.repeat : repeat,
    ackTimeoutSeconds: ackTimeoutSeconds === undefined ? before.ackTimeoutSeconds : ackTimeoutSeconds,
  };
  throwFaults(worded(validatePolicy(merged)));
  const policy = normalizedPolicy(merged);
  const shown = unmaskedLevels(policy.levels, before.levels);
  const checked = { ...policy, levels: shown.levels };
  const named = [...policyReferencesOf(checked.levels), ...team];
  throwFaults([
    ...shown.faults,
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
