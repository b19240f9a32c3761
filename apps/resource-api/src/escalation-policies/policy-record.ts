/** Escalation policies as the API answers them. Their secrets are stored, and never answered. */
import { publicId, type EscalationPolicy } from '@ams/contracts';
import type { RecordKind } from '../records/entity-records.js';
import { EscalationPolicyEntity } from './escalation-policy.entity.js';
import { maskedLevels } from './policy-secrets.js';

export const policies: RecordKind<EscalationPolicyEntity> = {
  entity: EscalationPolicyEntity,
  noun: 'escalationPolicy',
  resource: 'escalation_policy',
};

/** The columns that a caller decides. */
export type StoredPolicy = Pick<
  EscalationPolicyEntity,
  'name' | 'description' | 'teamId' | 'levels' | 'repeat' | 'ackTimeoutSeconds'
>;

/** A caller must send a name and levels. */
export const policyDefaults: StoredPolicy = {
  name: '',
  description: null,
  teamId: null,
  levels: [],
  repeat: 0,
  ackTimeoutSeconds: null,
};

export const policyRecord = (policy: EscalationPolicyEntity): EscalationPolicy => ({
  id: publicId('escalationPolicy', policy.id),
  name: policy.name,
  description: policy.description,
  teamId: publicId('team', policy.teamId),
  levels: maskedLevels(policy.levels),
  repeat: policy.repeat,
  ackTimeoutSeconds: policy.ackTimeoutSeconds,
  createdAt: policy.createdAt.toISOString(),
  updatedAt: policy.updatedAt.toISOString(),
  version: policy.version,
});
