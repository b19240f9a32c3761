// Bulk changes by a filter that all alerts have, while workflows tell each change.
import { sendAlerts } from './alerts.mjs';

export const what = 'bulk changes by filter';
export const clients = 4;

export async function prepare(a) {
  for (let i = 0; i < 10; i++)
    await a.call('POST', '/workflows', {
      name: `k${i}`,
      trigger: { events: ['alert.acknowledged', 'alert.resolved'] },
      steps: [{ id: 'label', type: 'addLabels', params: { labels: { [`k${i}`]: 'v' } } }],
    });
  await sendAlerts(a, 'k', 500);
}

export async function act({ call, send, tokens }, _prepared, n) {
  // What was resolved fires again.
  if (n % 3 === 0)
    return send(tokens[n % tokens.length], { title: `k${n % 500}`, fingerprint: `k${n % 500}`, severity: 'low' });
  const action = n % 3 === 1 ? 'acknowledge' : 'resolve';
  return (await call('POST', '/alerts/bulk', { action, filter: { severity: ['low'] } })).status;
}
