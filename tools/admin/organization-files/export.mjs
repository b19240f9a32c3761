// Writes an organization into a file: one snapshot of the database, read with cursors, so memory does not grow with the
// number of records.
import { open, rm } from 'node:fs/promises';
import { format, LineWriter, version } from './format.mjs';
import { dataKeyKind, kinds } from './kinds.mjs';
import { newSalt, passphraseSeal, readPassphrase } from './passphrase.mjs';
import { schemaName } from './schema.mjs';

const [rowsAtOnce, largeRowsAtOnce] = [500, 50];

/** `since` is RFC 3339 or undefined; `secrets` is the file with the passphrase, or undefined. */
export async function exportOrganization(context, { slug, file, configurationOnly = false, since, secrets }) {
  const { database, findOrganization, recordAudit, operatorNow, admin, changesBetween, publicId } = context;
  const schema = await schemaName(context);
  const seal = secrets === undefined ? null : sealing(context, readPassphrase(secrets));
  const contents = configurationOnly ? 'configuration' : 'everything';
  const from = since === undefined ? null : new Date(since).toISOString();
  // The entry is first: a file without it cannot be.
  const { id } = await database.asService(async (tx) => {
    const organization = await findOrganization(tx, slug);
    await recordAudit(tx, await operatorNow(tx, admin), {
      organizationId: organization.id,
      type: 'organization.exported',
      resource: { type: 'organization', id: publicId('organization', organization.id) },
      changes: changesBetween(null, { contents, since: from, secrets: seal !== null }),
    });
    return organization;
  });
  const chosen = kinds.filter(({ history }) => !history || !configurationOnly).map((kind) => withSince(kind, from));
  return database.asService((tx) =>
    inNewFile(file, async (handle) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await tx.query(`SET LOCAL TimeZone = 'UTC'`);
      const params = from === null ? [id] : [id, from];
      const counts = {};
      if (seal) counts[dataKeyKind.kind] = (await dataKeys(tx, id)).length;
      for (const one of chosen) counts[one.kind] = await countOf(tx, one, params);
      const [{ now, ...organization }] = await tx.query(
        'SELECT id, slug, name, now() AS now FROM auth.organizations WHERE id = $1',
        [id],
      );
      const header = {
        kind: 'header',
        format,
        version,
        organization,
        exportedAt: now.toISOString(),
        schema,
        contents,
        since: from,
        secrets: seal ? { salt: seal.salt } : { leftOut: await recordsWithSecrets(tx, id) },
        counts,
      };
      const writer = new LineWriter(handle);
      await writer.add(JSON.stringify(header));
      if (seal)
        for (const row of await dataKeys(tx, id))
          await writer.add(JSON.stringify({ kind: dataKeyKind.kind, row: await seal.row(row) }));
      for (const one of chosen) {
        const before = writer.lines;
        await writeKind(context, tx, writer, one, params, seal !== null);
        if (writer.lines - before !== counts[one.kind])
          throw new Error(`The lines of the kind ${one.kind} are not complete.`);
      }
      const sha256 = await writer.end();
      return { ...header, lines: writer.lines, sha256 };
    }),
  );
}

async function inNewFile(file, work) {
  const handle = await open(file, 'wx', 0o600);
  try {
    return await work(handle);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Without a time, all rows; a kind with no condition of its own has all of them, too. */
const withSince = (kind, from) => (from === null ? { ...kind, since: undefined, columnsSince: undefined } : kind);

const ownerColumn = ({ kind }) => (kind === 'organization' ? 'id' : 'organization_id');

function queryOf(kind, params) {
  const { table, columns, order, since, columnsSince = {} } = kind;
  // PostgreSQL must know the type of a parameter that a condition does not use.
  const time = params.length > 1 ? ' AND $2::timestamptz IS NOT NULL' : '';
  const where = `r.${ownerColumn(kind)} = $1${time}${since ? ` AND ${since}` : ''}`;
  const list = columns.map((name) => (columnsSince[name] ? `${columnsSince[name]} AS ${name}` : `r.${name}`));
  return {
    count: `SELECT count(*)::int AS n FROM ${table} r WHERE ${where}`,
    rows: `SELECT row_to_json(line)::text AS text FROM (SELECT ${list.join(', ')} FROM ${table} r WHERE ${where}
      ORDER BY ${order.map((name) => `r.${name}`).join(', ')}) line`,
  };
}

async function countOf(tx, kind, params) {
  const [{ n }] = await tx.query(queryOf(kind, params).count, params);
  return n;
}

async function writeKind(context, tx, writer, kind, params, withSecrets) {
  const cursor = `lines_of_${kind.kind.toLowerCase()}`;
  await tx.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${queryOf(kind, params).rows}`, params);
  const atOnce = kind.large ? largeRowsAtOnce : rowsAtOnce;
  for (;;) {
    const rows = await tx.query(`FETCH ${atOnce} FROM ${cursor}`);
    for (const { text } of rows)
      await writer.add(`{"kind":"${kind.kind}","row":${kind.secrets ? safe(context, kind, text, withSecrets) : text}}`);
    if (rows.length < atOnce) break;
  }
  await tx.query(`CLOSE ${cursor}`);
}

/** A row without secrets that anybody could read, and without those that are sealed unless they are wanted. */
function safe(context, { kind, secrets }, text, withSecrets) {
  const row = JSON.parse(text);
  const { plain, sealed } = context.secretsFound((replace) => secrets(row, replace, context));
  if (plain > 0)
    throw new Error(`${kind} ${row.id} has secrets in plain text, from an earlier release. Run "secrets seal" first.`);
  if (sealed === 0 || withSecrets) return text;
  const left = ({ value }) => (context.isSealed(value) ? `${value.slice(0, value.lastIndexOf('~'))}~left-out` : value);
  return JSON.stringify(secrets(row, left, context));
}

/** Whose secrets must be set again when the file has none. */
const recordsWithSecrets = (tx, id) =>
  tx.query(
    `SELECT 'workflow' AS kind, id, environment, name FROM resources.workflows
       WHERE organization_id = $1 AND steps::text LIKE '%~sealed~%'
     UNION ALL SELECT 'escalationPolicy', id, environment, name FROM resources.escalation_policies
       WHERE organization_id = $1 AND levels::text LIKE '%~sealed~%' ORDER BY 1, 3, 4, 2`,
    [id],
  );

const dataKeys = (tx, id) =>
  tx.query(
    `SELECT organization_id, environment, created_at, sealed FROM resources.data_keys WHERE organization_id = $1
     ORDER BY environment`,
    [id],
  );

/** What a tenant has sealed stays as it is: only its data key is opened, and sealed with the passphrase. */
function sealing({ settings, masterKeysOf, recordOfDataKey }, passphrase) {
  const masterKeys = masterKeysOf(settings.masterKeys);
  const salt = newSalt();
  const { seal } = passphraseSeal(passphrase, salt);
  return {
    salt,
    row: async (row) => {
      const record = recordOfDataKey({ organizationId: row.organization_id, environment: row.environment });
      const dataKey = await masterKeys.open(row.sealed, record);
      if (!dataKey) throw new Error('The master key of the organization is not known here. Add it to MASTER_KEY_FILE.');
      return { ...row, sealed: seal(dataKey, record) };
    },
  };
}
