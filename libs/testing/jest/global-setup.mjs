// Jest's globalSetup: starts one PostgreSQL and one NATS for the run, unless TEST_POSTGRES_URL and TEST_NATS_URL are
// set. In a project's jest.config.mjs: `globalSetup: '@ams/testing/global-setup'`, and the same for the teardown.
import './register-typescript.mjs';

export default async function globalSetup() {
  const { provideTestInfrastructure } = await import('@ams/testing');
  globalThis.__stopTestInfrastructure = await provideTestInfrastructure();
}
