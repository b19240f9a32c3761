// The compiled code that commands use. It is slow to load, so it is loaded only when a command runs: help and argument
// errors appear immediately.
/* eslint-disable @nx/enforce-module-boundaries -- the service that owns the records changes them, not the tool */
export { addKey, hasAllScopes, listKeys, revokeKey } from '../../apps/auth/dist/api-keys/operator-api-keys.js';
export { signInLink } from '../../apps/auth/dist/accounts/operator-links.js';
export { exportedLines } from '../../apps/auth/dist/audit-log/operator-export.js';
export { admitRefused } from '../../apps/auth/dist/audit-log/operator-refused.js';
export { admin, findOrganization, operatorNow, recordAudit } from '../../apps/auth/dist/operator/operator.js';
export { entities } from '../../apps/auth/dist/entities.js';
export {
  listRecipients,
  reportComplaint,
  verifyRecipient,
} from '../../apps/auth/dist/mail-recipients/operator-mail-recipients.js';
export {
  addMember,
  deleteMember,
  disableMember,
  enableMember,
  listMembers,
  setRole,
} from '../../apps/auth/dist/members/operator-members.js';
export { removeFactors } from '../../apps/auth/dist/second-factors/operator-factors.js';
export { listLimits, setLimit } from '../../apps/auth/dist/organizations/operator-limits.js';
export { slugFrom } from '../../apps/auth/dist/organizations/slug.js';
export { createOrganization } from '../../apps/auth/dist/organizations/operator-organizations.js';
export { listOrganizations, showOrganization } from '../../apps/auth/dist/organizations/organization-overviews.js';
/* eslint-enable @nx/enforce-module-boundaries */
export { ingestSubject, integrationsProjectionSubject, newUuid, publicId } from '@ams/contracts';
export { changesBetween, Database, migrate, migrations, serviceRoles } from '@ams/database';
export {
  auditWriters,
  callOwners,
  ExportVerifier,
  heartbeatFingerprint,
  isSealed,
  partitionOf,
  publicJwkOf,
  readCheckpoints,
  replacedInDestination,
  replacedInLevel,
  replacedInStep,
  secretsFound,
  verificationKeys,
  writerKeys,
} from '@ams/domain';
export { applyBroker, connectNats, keepBroker, natsAccounts, natsUsers, RpcClient } from '@ams/messaging';
export {
  AdminEnvironment,
  BrokerEnvironment,
  databaseTls,
  masterKeysOf,
  natsTls,
  newDataKey,
  readSettings,
  readAgreementKeys,
  readSigningKeys,
  recordOfDataKey,
  RolePasswords,
  TenantSecrets,
  withoutCredentials,
} from '@ams/service';
export { jetstream } from '@nats-io/jetstream';
