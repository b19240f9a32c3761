export { type ManualClock, manualClock } from './clock.js';
export { schemaDifference } from './schema-difference.js';
export { eventually } from './eventually.js';
export { httpClient, type HttpClient, type HttpRequest, type HttpResponse } from './http-client.js';
export {
  createDatabase,
  provideTestInfrastructure,
  startTestInfrastructure,
  type TestDatabase,
  type TestInfrastructure,
  type TestInfrastructureOptions,
  testNatsUrl,
  testPostgresUrl,
} from './infrastructure.js';
