// The alerts of Prometheus, as they fire and end.
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 500;

/** `AmsServiceDown{auth}`: the rule, and what tells its alerts apart. */
const textOf = ({ alertname, severity: _severity, ...labels }) => {
  const values = Object.values(labels).sort();
  return values.length > 0 ? `${alertname}{${values.join(',')}}` : alertname;
};

/**
 * `{ firing(): names of the rules that fire now, begin(), stop() }`. `begin` begins a new record and returns it: by
 * rule, `{ firstAt, lastAt, alerts }`, with times of `performance.now()`.
 */
export function watchAlerts(prometheus) {
  let record = new Map();
  let firing = [];
  let readAt = -Infinity;
  const stopped = new AbortController();
  const read = async () => {
    const asked = performance.now();
    const response = await fetch(`${prometheus.url}/api/v1/alerts`, { signal: AbortSignal.timeout(5000) });
    const { data } = await response.json();
    const now = performance.now();
    const labels = data.alerts.filter(({ state }) => state === 'firing').map((alert) => alert.labels);
    firing = [...new Set(labels.map(({ alertname }) => alertname))];
    readAt = asked;
    for (const one of labels) {
      const known = record.get(one.alertname) ?? { firstAt: now, alerts: new Set() };
      known.lastAt = now;
      known.alerts.add(textOf(one));
      record.set(one.alertname, known);
    }
  };
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await read().catch(() => undefined); // the machine is busy
      await sleep(pollMs);
    }
  })();
  return {
    firing: () => firing,
    readAt: () => readAt,
    begin: () => (record = new Map()),
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
