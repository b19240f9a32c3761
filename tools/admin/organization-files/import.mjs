// Stores the file of an organization: all of it or nothing, in one transaction. The file is read twice: first it is
// checked, then it is stored, and it must be the same file.
import { checkedFile, tenantOf } from './check.mjs';
import { FileFault, kindsByName, linesOf } from './format.mjs';
import { dataKeyKind, heldMs, kinds } from './kinds.mjs';
import { readPassphrase } from './passphrase.mjs';
import { schemaName } from './schema.mjs';

const maxLines = 500;
const maxBytes = 4 * 1024 * 1024;
const tokensOfMessage = 200;
const analyzedFrom = 1000;

/** Ends the transaction of a check. */
class NotStored extends Error {}

/** A block of lines that the database refuses. */
class BlockFault extends Error {
  constructor(first, cause) {
    super(cause.message, { cause });
    this.first = first;
  }
}

/** `options`: { file, slug, check, resume, secrets, withoutSecrets }. Returns { header, sha256, held }. */
export async function importOrganization(context, options) {
  const { database } = context;
  const schema = await schemaName(context);
  const passphrase = options.secrets === undefined ? undefined : readPassphrase(options.secrets);
  try {
    const target = await targetOf(context);
    const checked = await checkedFile(context, { ...options, passphrase }, schema);
    target.organizationId = checked.header.organization.id;
    if (checked.seal) target.masterKeys = context.masterKeysOf(context.settings.masterKeys);
    if (!options.check)
      for (const { table, month } of checked.months.values())
        await database.query('SELECT public.ensure_partitions($1::regclass, $2, 1)', [table, month]);
    const held = await stored(context, options, checked, target);
    if (!options.check) await analyze(database, checked.header.counts);
    return { header: checked.header, sha256: checked.sha256, held };
  } catch (error) {
    if (error instanceof FileFault)
      throw Object.assign(new Error(`${options.file}: ${error.message}`, { cause: error }), { more: error.more });
    throw error;
  }
}

/** What depends on the installation. */
async function targetOf({ database, partitionOf, heartbeatFingerprint }) {
  const [{ partitions }] = await database.query('SELECT count(*)::int AS partitions FROM alerts.partitions');
  if (partitions === 0)
    throw new Error('The services of this installation have never run. Start them once, and import then.');
  return { partitions, partitionOf, heartbeatFingerprint };
}

/** When the database refuses a block, it is repeated line by line, to name the line. */
async function stored(context, options, checked, target) {
  const once = (alone) =>
    context.database.asService(async (tx) => {
      const held = await store(context, tx, options, checked, target, alone);
      if (options.check) throw Object.assign(new NotStored(), { held });
      return held;
    });
  try {
    return await once(null).catch((error) => {
      if (!(error instanceof BlockFault)) throw error;
      return once(error.first);
    });
  } catch (error) {
    if (error instanceof NotStored) return error.held;
    throw error;
  }
}

async function store(context, tx, options, checked, target, alone) {
  const { operatorNow, admin } = context;
  const operator = await operatorNow(tx, admin);
  const at = operator.at.toISOString();
  await tx.query('CREATE TEMP TABLE later_values (kind text, id uuid, value uuid) ON COMMIT DROP');
  const { organizationId } = target;
  const run = { context, tx, options, checked, target, at, alone, held: [] };
  const outcome = {};
  let block = null;
  for await (const { number, bytes, value } of linesOf(options.file, outcome)) {
    if (value.kind === 'header') continue;
    const kind = kindsByName.get(value.kind);
    if (kind === dataKeyKind) {
      await storeDataKey(run, value.row);
      continue;
    }
    if (block && (block.kind !== kind || isFull(block, number, alone))) {
      await storeBlock(run, block);
      block = null;
    }
    block ??= { kind, first: number, texts: [], later: [], entries: [], bytes: 0 };
    addLine(run, block, bytes, value.row, number);
  }
  if (block) await storeBlock(run, block);
  if (outcome.sha256 !== checked.sha256) throw new FileFault('the file was changed while it was read.');
  for (const { kind, table, later } of kinds)
    if (later)
      await tx.query(`UPDATE ${table} r SET ${later} = l.value FROM later_values l WHERE l.kind = $1 AND r.id = l.id`, [
        kind,
      ]);
  await requireOwnReferences(tx, organizationId);
  await countAlerts(tx, organizationId);
  if (!options.resume) await decideUndecided(tx, organizationId);
  await tellGateways(tx, organizationId, context.integrationsProjectionSubject);
  await record(run, operator);
  return run.held;
}

const isFull = ({ texts, bytes, first }, number, alone) =>
  texts.length >= maxLines || bytes >= maxBytes || number === alone || (alone !== null && first >= alone);

function addLine({ options, target, at, context, held }, block, bytes, row, number) {
  const { kind } = block;
  let changed = row;
  try {
    if (kind.kind === 'organization' && options.slug !== undefined) changed = { ...changed, slug: options.slug };
    const computed = kind.computed?.(changed, target) ?? {};
    if (Object.entries(computed).some(([name, value]) => changed[name] !== value))
      changed = { ...changed, ...computed };
    if (!options.resume) changed = kind.quiet?.(changed, at) ?? changed;
  } catch (error) {
    throw new FileFault(`line ${number} (${kind.kind}): the row has another form than this release stores.`, {
      cause: error,
    });
  }
  if (kind.kind === 'incident' && changed.status !== row.status) {
    held.push(context.publicId('incident', row.id));
    block.entries.push(entryOf(context, changed, row, at));
  }
  if (kind.later && row[kind.later] !== null) block.later.push({ kind: kind.kind, id: row.id, value: row[kind.later] });
  // What is not changed goes to the database as it is in the file.
  block.texts.push(changed === row ? bytes.toString() : JSON.stringify({ row: changed }));
  block.bytes += bytes.length;
}

const entryOf = ({ newUuid, publicId }, changed, before, at) => ({
  id: newUuid(Date.parse(at)),
  organization_id: before.organization_id,
  environment: before.environment,
  incident_id: before.id,
  incident_version: changed.version,
  type: 'incident.acknowledged',
  occurred_at: at,
  actor: changed.acknowledged_by,
  cause: { type: 'incident', id: publicId('incident', before.id) },
  changes: [
    { field: 'status', before: before.status, after: changed.status },
    { field: 'snoozedUntil', before: before.snoozed_until, after: changed.snoozed_until },
  ],
  note: `The organization was imported. Nobody is paged for this incident for ${heldMs / 60_000} minutes.`,
});

async function storeBlock({ tx, alone }, { kind, first, texts, later, entries }) {
  const { table, columns } = kind;
  const selected = columns.map((name) => (name === kind.later ? `NULL::uuid` : `r.${name}`));
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${selected.join(', ')}
    FROM jsonb_array_elements($1::jsonb) AS line, jsonb_populate_record(NULL::${table}, line->'row') AS r`;
  try {
    await tx.query(sql, [`[${texts.join(',')}]`]);
  } catch (error) {
    // Data and integrity: the line is wrong, not the connection.
    if (!/^2[23]/.test(error.code ?? '')) throw error;
    if (alone === null) throw new BlockFault(first, error);
    throw new FileFault(`line ${first} (${kind.kind}): ${error.message}.`, { cause: error });
  }
  if (later.length > 0)
    await tx.query('INSERT INTO later_values SELECT * FROM jsonb_populate_recordset(NULL::later_values, $1::jsonb)', [
      JSON.stringify(later),
    ]);
  if (entries.length > 0)
    await tx.query(
      'INSERT INTO alerts.incident_timeline SELECT * FROM jsonb_populate_recordset(NULL::alerts.incident_timeline, $1::jsonb)',
      [JSON.stringify(entries)],
    );
}

async function storeDataKey({ context, tx, checked, target }, row) {
  if (!checked.seal) return;
  const name = context.recordOfDataKey(tenantOf(row));
  const sealed = await target.masterKeys.seal(checked.seal.open(row.sealed, name), name);
  await tx.query(
    'INSERT INTO resources.data_keys (organization_id, environment, created_at, sealed) VALUES ($1, $2, $3, $4)',
    [row.organization_id, row.environment, row.created_at, sealed],
  );
}

/** A foreign key alone would also accept a record of another organization. */
async function requireOwnReferences(tx, organizationId) {
  const references = await tx.query(
    `SELECT c.conrelid::regclass::text AS child, own.attname AS "column", c.confrelid::regclass::text AS parent,
       key.attname AS key,
       (SELECT count(*)::int FROM pg_attribute a WHERE a.attrelid IN (c.conrelid, c.confrelid)
          AND a.attname = 'environment' AND NOT a.attisdropped) = 2 AS "withEnvironment"
     FROM pg_constraint c
       JOIN pg_attribute own ON own.attrelid = c.conrelid AND own.attnum = c.conkey[1]
       JOIN pg_attribute key ON key.attrelid = c.confrelid AND key.attnum = c.confkey[1]
     WHERE c.contype = 'f' AND cardinality(c.conkey) = 1 AND c.conrelid = ANY($1::regclass[])
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.confrelid AND a.attname = 'organization_id')`,
    [kinds.map(({ table }) => table)],
  );
  const ofMembers = kinds.flatMap(({ table, memberColumns = [] }) =>
    memberColumns.map((column) => ({
      child: table,
      column,
      parent: 'auth.members',
      key: 'id',
      withEnvironment: false,
    })),
  );
  for (const { child, column, parent, key, withEnvironment } of [...references, ...ofMembers]) {
    const foreign = withEnvironment ? ' OR p.environment::text <> c.environment::text' : '';
    const found = await tx.query(
      `SELECT FROM ${child} c JOIN ${parent} p ON p.${key} = c.${column}
       WHERE c.organization_id = $1 AND (p.organization_id <> c.organization_id${foreign}) LIMIT 1`,
      [organizationId],
    );
    const { kind } = kinds.find(({ table }) => table === child);
    if (found.length > 0)
      throw new FileFault(`a ${kind} refers by "${column}" to a record of another organization or environment.`);
  }
}

const countAlerts = (tx, organizationId) =>
  tx.query(
    `INSERT INTO alerts.counts (organization_id, environment, partition, integration_id, status, severity, n)
     SELECT organization_id, environment, partition, integration_id, status, severity, count(*)
     FROM alerts.alerts WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6`,
    [organizationId],
  );

/** Events that the engine would look for, because nobody has decided about them: nothing begins with them. */
const decideUndecided = (tx, organizationId) =>
  tx.query(
    `INSERT INTO workflows.considered
       (event_id, organization_id, environment, alert_id, event_type, occurred_at, workflows)
     SELECT t.id, t.organization_id, t.environment, t.alert_id, t.type, t.occurred_at, '[]'
     FROM alerts.timeline t JOIN alerts.alerts a ON a.id = t.alert_id AND a.organization_id = t.organization_id
     WHERE t.organization_id = $1 AND a.status = 'firing' AND t.id > public.uuid_at(now() - interval '2 days')
       AND t.type IN ('alert.created', 'alert.resumed', 'alert.severityChanged')
       AND NOT EXISTS (SELECT FROM workflows.considered c WHERE c.event_id = t.id)
       AND NOT EXISTS (SELECT FROM workflows.page_requests r WHERE r.event_id = t.id)`,
    [organizationId],
  );

/** resource-api writes the entries of these tokens into the bucket that the ingest gateways watch. */
const tellGateways = (tx, organizationId, subject) =>
  tx.query(
    `INSERT INTO resources.outbox (subject, message_id, payload)
     SELECT $2, gen_random_uuid()::text, json_build_object('tokenHashes', json_agg(hash)) FROM (
       SELECT hash, (row_number() OVER () - 1) / ${tokensOfMessage} AS part FROM (
         SELECT token_hash AS hash FROM resources.integrations WHERE organization_id = $1
         UNION ALL SELECT previous_token_hash FROM resources.integrations
           WHERE organization_id = $1 AND previous_token_hash IS NOT NULL) AS hashes) AS parts
     GROUP BY part`,
    [organizationId, subject],
  );

const record = ({ context, tx, options, checked, target }, operator) =>
  context.recordAudit(tx, operator, {
    organizationId: target.organizationId,
    type: 'organization.imported',
    resource: { type: 'organization', id: context.publicId('organization', target.organizationId) },
    changes: context.changesBetween(null, {
      exportedAt: checked.header.exportedAt,
      contents: checked.header.contents,
      since: checked.header.since ?? null,
      sha256: checked.sha256,
      secrets: checked.seal !== null,
      resumed: options.resume ?? false,
    }),
  });

/** Otherwise plans would be those for empty tables, for up to a minute. */
async function analyze(database, counts) {
  for (const { kind, table } of kinds)
    if ((counts[kind] ?? 0) >= analyzedFrom) await database.query(`ANALYZE ${table}`);
}
