// The tests run the compiled services, as a release does. Outdated ones are compiled first.
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { ensureBuilt } from '../../../tools/lib/workspace.mjs';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the library does not export it
import '../../../libs/testing/jest/register-typescript.mjs';

export default async function globalSetup() {
  await ensureBuilt({ step: (_what, work) => work() });
  const { offerSharedSystem } = await import('../src/system/shared-system.ts');
  globalThis.__stopSharedSystem = await offerSharedSystem();
}
