// Simulations of payloads with many alerts, beside costly windows and workflows.
import { bits } from './costly.mjs';
import * as windows from './windows.mjs';
import * as workflows from './workflows.mjs';

export const what = 'simulations';
export const clients = 4;

export async function prepare(a) {
  await windows.prepare(a);
  await workflows.prepare(a);
}

export const act = async ({ call }, _prepared, n) =>
  (
    await call('POST', '/simulate', {
      payload: Array.from({ length: 15 }, (_, i) => ({
        title: `s${n}-${i}`,
        fingerprint: `s${n}-${i}`,
        severity: 'high',
        description: bits(20_000),
      })),
    })
  ).status;
