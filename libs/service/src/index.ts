export {
  DatabaseSettings,
  databaseTls,
  EdgeSettings,
  IfOneIsSet,
  natsTls,
  readSettings,
  ServiceSettings,
  Setting,
  settingsOf,
} from './settings.js';
export { IsCertificateFile, IsKeyFileOf } from './certificate-files.js';
export { createLogger, withoutCredentials } from './log.js';
export { Logger } from '@ams/messaging';
export { Metrics } from './metrics.js';
export { Measurement } from './measurement.js';
export { evaluationTurns, mostCountedMs, ownerOfShort, type EvaluationOwner } from './platform/evaluation-turns.js';
export { Liveness } from './health/liveness.js';
export { SealedSecrets } from './secrets/sealed-secrets.js';
export { IsSecretKeys, sealedSecretsOf, secretKeysIn } from './secrets/secret-keys.js';
export { masterKeysOfFile, MasterKeysUnavailable, type MasterKeys } from './secrets/master-keys.js';
export {
  MasterKeyFile,
  masterKeysOf,
  MasterKeyVaultTokenFile,
  MasterKeyVaultUrl,
} from './secrets/master-key-settings.js';
export { readAgreementKeys, readSigningKeys, type SigningKeys } from './secrets/signing-keys.js';
export { readKeysFile } from './secrets/keys-file.js';
export { newDataKey, recordOfDataKey, SecretNotOpened, TenantSecrets } from './secrets/tenant-secrets.js';
export { Rounds } from './rounds.js';
export { Bodies, type HeldBody } from './edge/bodies.js';
export { Connections } from './edge/connections.js';
export { drainOnClose } from './edge/drain.js';
export { Edge } from './edge/edge.js';
export { acceptExpectations, waitsForContinue } from './edge/expect.js';
export { endAfterAnswer, isOfLingering, linger } from './edge/linger.js';
export { Throttle } from './edge/throttle.js';
export { Readiness } from './health/readiness.js';
export { runService, startService, type RunningService, type Service } from './run-service.js';
export { BrokerEnvironment } from './broker-settings.js';
export { AdminEnvironment, RolePasswords } from './operator-settings.js';
