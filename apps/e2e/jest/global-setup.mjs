// The tests run the bundles of the services. Outdated ones are made first.
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { ensureBuilt, ensureBundled } from '../../../tools/lib/workspace.mjs';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the library does not export it
import '../../../libs/testing/jest/register-typescript.mjs';

export default async function globalSetup() {
  const report = { step: (_what, work) => work() };
  await ensureBuilt(report);
  await ensureBundled(report);
  const { offerSharedSystem } = await import('../src/system/shared-system.ts');
  globalThis.__stopSharedSystem = await offerSharedSystem();
}
