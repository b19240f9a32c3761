// The hosts that Prometheus watches: their states, the exporter that shows them, and the rules that read it.
//
// The texts have the lengths that lost alerts before: a PromQL text of 765 characters makes a generatorURL of more than
// 1,000, and descriptions have more than 1,330 bytes.
import { startLocalServer } from '../lib/local-server.mjs';

/** By rule, the hosts that it watches. */
export const watched = {
  InstanceDown: Array.from({ length: 200 }, (_, n) => `web-${String(n).padStart(3, '0')}`),
  DiskAlmostFull: Array.from({ length: 12 }, (_, n) => `db-${String(n).padStart(2, '0')}`),
  QueueGrows: ['orders', 'mails', 'invoices'],
};

/** The series of each rule; 1 means that the rule fires. */
const seriesOf = { InstanceDown: 'probe_failed', DiskAlmostFull: 'disk_almost_full', QueueGrows: 'queue_grows' };

/** `PROMQL_LENGTH` characters: excludes hosts in maintenance, for a long list of reasons. */
const PROMQL_LENGTH = 765;
function longExpression() {
  const reasons = Array.from({ length: 60 }, (_, n) => `change-${1000 + n * 37}`);
  const around = (text) =>
    `probe_failed == 1 unless on (host) (probe_maintenance{reason=~"${text}", state!="over"} > 0)`;
  const list = reasons.join('|');
  return around(list.slice(0, PROMQL_LENGTH - around('').length));
}

const DESCRIPTION_BYTES = 1400;
const description = (opening) => {
  const sentence = 'Prüfen Sie zuerst den Lastverteiler, dann "systemctl status" & die Verbindung <db → web>. ';
  let text = opening;
  while (Buffer.byteLength(text) < DESCRIPTION_BYTES) text += sentence;
  return text.trim();
};

/** The text of the rule file; JSON is YAML. */
export const ruleFile = () =>
  JSON.stringify({
    groups: [
      {
        name: 'hosts',
        interval: '1s',
        rules: [
          {
            alert: 'InstanceDown',
            expr: longExpression(),
            labels: { severity: 'critical', team: 'web' },
            annotations: {
              summary: '{{ $labels.host }} is down',
              description: description('The probe of {{ $labels.host }} failed. '),
              runbook_url: 'https://runbooks.example.com/instance-down?host={{ $labels.host }}',
            },
          },
          {
            alert: 'DiskAlmostFull',
            expr: 'disk_almost_full == 1',
            labels: { severity: 'warning' },
            annotations: {
              summary: 'The disk of {{ $labels.host }} is almost full',
              description: description('The disk of {{ $labels.host }} is 95 % full. '),
            },
          },
          {
            // without a severity
            alert: 'QueueGrows',
            expr: 'queue_grows == 1',
            annotations: { summary: `The queue {{ $labels.host }} grows ${'and grows '.repeat(120)}`.trim() },
          },
        ],
      },
    ],
  });

/** `{ address, set(rule, hosts, fires), failing(), outages, stop() }` */
export async function startHosts() {
  const failing = new Set();
  /** By `rule/host`, how often it began to fire. */
  const outages = new Map();
  const key = (rule, host) => `${rule}/${host}`;
  const metrics = () =>
    Object.entries(watched).flatMap(([rule, hosts]) => [
      `# TYPE ${seriesOf[rule]} gauge`,
      ...hosts.map((host) => `${seriesOf[rule]}{host="${host}"} ${failing.has(key(rule, host)) ? 1 : 0}`),
    ]);
  const { port, stop } = await startLocalServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(`${metrics().join('\n')}\n`);
  });
  return {
    address: `127.0.0.1:${port}`,
    set(rule, hosts, fires) {
      for (const one of hosts.map((host) => key(rule, host))) {
        if (fires === failing.has(one)) continue;
        if (fires) {
          failing.add(one);
          outages.set(one, (outages.get(one) ?? 0) + 1);
        } else failing.delete(one);
      }
    },
    failing: () => [...failing].sort(),
    outages,
    stop,
  };
}
