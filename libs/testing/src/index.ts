export { browserPath, launchBrowser } from './browser.js';
export { makeAuthority, type CertificateFiles, type TestAuthority } from './certificates.js';
export {
  callOf,
  callOperation,
  callPublicOperation,
  dataOf,
  idempotencyOf,
  pageOf,
  testPrincipal,
  whenAnswered,
} from './calls.js';
export { type ManualClock, manualClock } from './clock.js';
export { schemaDifference } from './schema-difference.js';
export { concurrently } from './concurrently.js';
export { eventually } from './eventually.js';
export { httpClient, type HttpClient, type HttpResponse } from './http-client.js';
export {
  createDatabase,
  provideTestInfrastructure,
  startTestInfrastructure,
  startTestNats,
  type TestDatabase,
  type TestInfrastructure,
  type TestNats,
  testNatsUrl,
  testPostgresUrl,
} from './infrastructure.js';
export { auditWriterFiles, type AuditWriterFiles } from './audit-writer-files.js';
export { callKeyFiles, type CallKeyFiles } from './call-key-files.js';
export { masterKeyFile, newMasterKey } from './master-key-file.js';
export { newVapidKeys, startPushService, type PushedMessage, type PushService } from './push-service.js';
export { streamManager } from './stream-manager.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { createTestDatabase, type MigratedDatabase, testPasswords } from './test-database.js';
export {
  insertAlert,
  insertAlerts,
  insertApiKey,
  insertClient,
  insertDevice,
  insertIncident,
  insertIncidents,
  insertIntegration,
  insertMember,
  insertOrganization,
  insertRows,
  insertSchedule,
  insertScheduleOverride,
  insertSuppressionWindow,
  insertWorkflow,
  testMailDomains,
  type IntegrationSeed,
  type SqlRunner,
} from './seeds.js';
