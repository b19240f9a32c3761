// A plain script that upserts rows of alerts into a copy of their table, 500 in each statement, on two connections.
// Returns rows per second.
import pg from 'pg';
import { newUuid } from '@ams/contracts';

const types = {
  id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  integration_id: 'uuid',
  integration_name: 'text',
  dedup_scope: 'text',
  partition: 'smallint',
  fingerprint: 'text',
  fingerprint_source: 'text',
  title: 'text',
  description: 'text',
  severity: 'smallint',
  status: 'text',
  source: 'text',
  labels: 'jsonb',
  annotations: 'jsonb',
  first_occurred_at: 'timestamptz',
  last_occurred_at: 'timestamptz',
  occurrence_count: 'int',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  version: 'int',
};
const names = Object.keys(types);
const sql = `
  INSERT INTO bench.alerts AS a (${names.join(', ')}) SELECT *
    FROM unnest(${names.map((name, i) => `$${i + 1}::${types[name]}[]`).join(', ')})
  ON CONFLICT (organization_id, environment, fingerprint, dedup_scope) WHERE status <> 'resolved'
  DO UPDATE SET occurrence_count = a.occurrence_count + 1, last_occurred_at = excluded.last_occurred_at, updated_at =
    excluded.updated_at, version = a.version + 1`;

process.on('message', async ({ url, rows, run }) => {
  const organizations = Array.from({ length: 100 }, () => newUuid());
  const integrations = Array.from({ length: Math.max(6000, rows / 10) }, () => newUuid());
  const rowOf = (n) => {
    const at = new Date().toISOString();
    const row = {
      id: newUuid(),
      organization_id: organizations[n % 100],
      environment: 'live',
      integration_id: integrations[n % integrations.length],
      integration_name: 'bench',
      dedup_scope: `integration:${integrations[n % integrations.length]}`,
      partition: n % 8,
      fingerprint: `cpu-${run}-${n}`,
      fingerprint_source: 'explicit',
      title: `High CPU on web-${run}-${n}`,
      description: `The load of the last five minutes is above 90 %. ${'x'.repeat(170)}`,
      severity: 3,
      status: 'firing',
      source: 'bench',
      labels: JSON.stringify({
        host: `web-${run}-${n}`,
        region: 'eu-west-1',
        env: 'production',
        service: 'checkout',
        team: 'payments',
      }),
      annotations: JSON.stringify({ runbook: 'https://runbooks.example.com/cpu' }),
      first_occurred_at: at,
      last_occurred_at: at,
      occurrence_count: 1,
      created_at: at,
      updated_at: at,
      version: 1,
    };
    return names.map((name) => row[name]);
  };
  const batches = [];
  for (let from = 0; from < rows; from += 500) {
    const batch = Array.from({ length: Math.min(500, rows - from) }, (_, i) => rowOf(from + i));
    batches.push(names.map((_, column) => batch.map((row) => row[column])));
  }
  const clients = [0, 1].map(() => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let batch = batches.shift(); batch; batch = batches.shift())
        await client.query({ name: 'upsert', text: sql, values: batch });
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  process.send(rows / seconds, () => process.exit(0));
});
