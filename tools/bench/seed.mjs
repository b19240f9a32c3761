// Data for a measurement, written directly to the database: organizations with a key, integrations with a token,
// alerts. There are enough organizations that each stays within its rate limit, which is enabled.
import { credentialHash, keyPrefixOf, newApiKey, newIngestToken, newUuid, tokenHintOf } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { scopes } from '@ams/scopes';
import { until } from './until.mjs';

/** `[{id, slug, key}]`: organizations with a live key that has all scopes. */
export async function seedOrganizations(installation, count) {
  const made = Array.from({ length: count }, () => {
    const id = newUuid();
    return { id, slug: `bench-${id}`, key: newApiKey('live') };
  });
  await installation.query(
    `INSERT INTO auth.organizations (id, name, slug) SELECT id, 'Bench ' || n, slug
        FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS r(id, slug, n)`,
    [made.map(({ id }) => id), made.map(({ slug }) => slug)],
  );
  await installation.query(
    `INSERT INTO auth.mail_recipients (id, organization_id, kind, value, key, status, token, verified_by, verified_at,
       created_at, updated_at)
     SELECT gen_random_uuid(), id, 'domain', 'example.com', 'example.com', 'verified', 'token', 'operator', now(), now(), now()
     FROM unnest($1::uuid[]) AS r(id)`,
    [made.map(({ id }) => id)],
  );
  await installation.query(
    `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, created_by)
     SELECT id, organization_id, 'live', 'bench', $5::text[], key_prefix, key_hash,
       '{"type":"service","id":null,"name":"bench"}'
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS r(id, organization_id, key_prefix, key_hash)`,
    [
      made.map(() => newUuid()),
      made.map(({ id }) => id),
      made.map(({ key }) => keyPrefixOf(key)),
      made.map(({ key }) => credentialHash(key)),
      scopes,
    ],
  );
  return made;
}

/** Adds an owner to an organization. Returns the e-mail address. */
export async function seedOwner(installation, { id }) {
  const email = `owner-${id}@example.com`;
  await installation.query(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES ($1, $2, 'Ada Lund', $3, 'owner', 'active')`,
    [newUuid(), id, email],
  );
  return email;
}

/**
 * `[token]` of integrations of a type, distributed over the organizations. On return the ingest gateway knows all of
 * them: resource-api is restarted, and then compares the settings in NATS with the database.
 */
export async function seedIntegrations(installation, organizations, kinds) {
  const tokens = {};
  for (const { type, count } of kinds) {
    const { type: _type, ...settings } = presetSettings(type);
    const made = Array.from({ length: count }, (_, i) => ({
      id: newUuid(),
      organization: organizations[i % organizations.length].id,
      token: newIngestToken(),
    }));
    await installation.query(
      `INSERT INTO resources.integrations (id, organization_id, environment, name, type, token_hash, token_hint,
          settings, dedup_scope)
       SELECT id, organization_id, 'live', 'bench ' || n, $5, token_hash, token_hint, $6::jsonb, 'integration'
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH
         ORDINALITY AS r(id, organization_id, token_hash, token_hint, n)`,
      [
        made.map(({ id }) => id),
        made.map(({ organization }) => organization),
        made.map(({ token }) => credentialHash(token)),
        made.map(({ token }) => tokenHintOf(token)),
        type,
        JSON.stringify(settings),
      ],
    );
    tokens[type] = made.map(({ token }) => token);
  }
  await installation.query('ANALYZE resources.integrations');
  await installation.restart('resource-api');
  const last = Object.values(tokens).at(-1).at(-1);
  const url = `http://127.0.0.1:${installation.services['ingest-gateway'].port}/api/inbound/webhook/${last}`;
  // 400: the token is valid, and nothing is stored.
  await until(
    'the ingest gateway has the tokens',
    async () =>
      (await fetch(url, { method: 'POST', body: '{"unknown":1}', headers: { 'content-type': 'application/json' } }))
        .status === 400,
    60_000,
  );
  return tokens;
}

export const targetsOf = (tokens) => tokens.map((token) => ({ path: `/api/inbound/webhook/${token}` }));

/**
 * `perOrganization` alerts for each of the organizations: four fifths open, with all severities, and labels with few
 * and with many values. The indexes are created afterwards, which takes a third of the time.
 */
export async function seedAlerts(installation, organizations, perOrganization) {
  const { query } = installation;
  const total = organizations.length * perOrganization;
  const indexes =
    total >= 50_000
      ? await query(
          `SELECT indexdef, schemaname || '.' || indexname AS name FROM pg_indexes WHERE schemaname = 'alerts'
              AND tablename = 'alerts' AND indexname <> 'alerts_pkey'`,
        )
      : [];
  for (const { name } of indexes) await query(`DROP INDEX ${name}`);
  const integrations = Array.from({ length: 20 }, () => newUuid());
  const ids = organizations.map(({ id }) => id);
  const chunk = Math.max(1, Math.min(perOrganization, Math.floor(250_000 / organizations.length)));
  for (let from = 0; from < perOrganization; from += chunk) {
    await query(
      `INSERT INTO alerts.alerts (id, organization_id, environment, integration_id, integration_name, dedup_scope,
          partition, fingerprint, fingerprint_source, title, description, severity, status,
         source, labels, annotations, first_occurred_at, last_occurred_at, occurrence_count, acknowledged_at,
           resolved_at, resolve_reason, created_at, updated_at, version)
       SELECT (lpad(to_hex((extract(epoch
         FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(organization || n::text), 1, 3) || '8' ||
         substr(md5(n::text || organization), 1, 15))::uuid,
         organization, 'live', ($2::uuid[])[1 + n % 20], 'bench', 'integration', n % 8, 'seed-' || n, 'explicit',
         (ARRAY['High CPU', 'Disk is nearly full', 'Certificate expires', 'Queue grows', 'Response times'])[1 + n % 5]
           || ' on web-' || n, repeat('The load of the last five minutes is above 90 %. ', 5),
         n % 5, status, 'bench',
         jsonb_build_object('host', 'web-' || n % 5000, 'region', (ARRAY['eu', 'us', 'ap'])[1 + n % 3], 'service',
           'svc-' || n % 40), '{"runbook":"https://runbooks.example.com/cpu"}',
         at, at, 1 + n % 7, CASE WHEN status = 'acknowledged' THEN at END, CASE WHEN status = 'resolved'
           THEN at END, CASE WHEN status = 'resolved' THEN 'ingest' END, at, at, 1
       FROM unnest($1::uuid[]) AS organization, generate_series($3::int, $4::int) AS n,
         LATERAL (SELECT now() - make_interval(secs => ($5::int - n) * 0.7) AS at, (ARRAY['firing', 'firing', 'firing',
           'acknowledged', 'resolved'])[1 + n % 5] AS status) AS s`,
      [ids, integrations, from, Math.min(from + chunk, perOrganization) - 1, perOrganization],
    );
  }
  for (const { indexdef } of indexes) await query(indexdef);
  await query(
    `INSERT INTO alerts.counts (organization_id, environment, partition, integration_id, status, severity, n)
     SELECT organization_id, environment, partition, integration_id, status, severity, count(*) FROM alerts.alerts
       WHERE organization_id = ANY($1::uuid[]) GROUP BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (organization_id, environment, partition, integration_id, status, severity) DO UPDATE
       SET n = excluded.n`,
    [ids],
  );
  await query('VACUUM ANALYZE alerts.alerts');
  await query('VACUUM ANALYZE alerts.counts');
  await query('CHECKPOINT');
  return { integrations };
}

/**
 * Events of all alerts that are stored, `eventsOfAlert` for each, distributed over this month and the `months` before.
 * Each alert has an entry of the timeline. No workflow wanted those of the last day.
 */
export async function seedHistory({ query }, { eventsOfAlert, months }) {
  const uuidOf = (at, name) =>
    `(left(replace(public.uuid_at(${at})::text, '-', ''), 12) || '7' || substr(md5(${name}), 1, 3) || '8' ||
      substr(md5(${name}), 4, 15))::uuid`;
  for (const table of ['alerts.events', 'alerts.timeline'])
    await query(`SELECT public.ensure_partitions($1::regclass, now() - make_interval(months => $2), $2 + 3)`, [
      table,
      months,
    ]);
  const [{ pages }] = await query(`SELECT (pg_relation_size('alerts.alerts') / 8192)::int AS pages`);
  const pagesOfPart = 8192;
  for (let page = 0; page < pages; page += pagesOfPart)
    await query(
      `WITH alert AS (SELECT * FROM alerts.alerts WHERE ctid >= $3::tid AND ctid < $4::tid),
       event AS (
         INSERT INTO alerts.events (id, organization_id, environment, integration_id, alert_id, outcome, received_at, event)
         SELECT ${uuidOf('at', `id::text || k`)}, organization_id, environment, integration_id, id, 'duplicate', at,
           jsonb_build_object('title', title, 'description', description, 'severity', 'high', 'status', 'firing',
             'source', source, 'labels', labels, 'annotations', annotations, 'fingerprint', fingerprint)
         FROM alert, generate_series(1, $1::int) AS k,
           LATERAL (SELECT now() - abs(hashtext(id::text || k)) / 2147483648.0 * make_interval(months => $2) AS at) AS t),
       decided AS (
         INSERT INTO workflows.considered
           (event_id, organization_id, environment, event_type, alert_id, occurred_at, workflows)
         SELECT ${uuidOf('created_at', `id::text || 'created'`)}, organization_id, environment, 'alert.created', id,
           created_at, '[]'
         FROM alert WHERE created_at > now() - interval '1 day')
       INSERT INTO alerts.timeline (id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes,
         alert_version)
       SELECT ${uuidOf('created_at', `id::text || 'created'`)}, id, organization_id, environment, 'alert.created',
         created_at, '{"type":"integration","id":null,"name":"bench"}', '{"type":"event","id":null}', '[]', 1
       FROM alert`,
      [eventsOfAlert, months, `(${page},0)`, `(${page + pagesOfPart},0)`],
    );
  for (const table of ['alerts.events', 'alerts.timeline']) await query(`VACUUM ANALYZE ${table}`);
  await query('CHECKPOINT');
}
