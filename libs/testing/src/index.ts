export { callOperation, dataOf, idempotencyOf, pageOf, testPrincipal } from './calls.js';
export { type ManualClock, manualClock } from './clock.js';
export { schemaDifference } from './schema-difference.js';
export { eventually } from './eventually.js';
export { httpClient, type HttpClient, type HttpRequest, type HttpResponse } from './http-client.js';
export {
  createDatabase,
  provideTestInfrastructure,
  startTestInfrastructure,
  startTestNats,
  type TestDatabase,
  type TestInfrastructure,
  type TestInfrastructureOptions,
  type TestNats,
  testNatsUrl,
  testPostgresUrl,
} from './infrastructure.js';
export { createTestDatabase, type MigratedDatabase, testPasswords } from './test-database.js';
export {
  type AlertSeed,
  type ApiKeySeed,
  type ClientSeed,
  type IncidentSeed,
  insertAlert,
  insertAlerts,
  insertApiKey,
  insertClient,
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
  type IntegrationSeed,
  type MemberSeed,
  type ScheduleOverrideSeed,
  type ScheduleSeed,
  type SqlRunner,
  type SuppressionWindowSeed,
  type WorkflowSeed,
} from './seeds.js';
