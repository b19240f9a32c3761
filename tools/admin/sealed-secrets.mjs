// Secrets of organizations at rest: sealing those of earlier releases, and changing the master key. Both work in small
// steps beside running services, and begin where they ended when they are started again.
import { json } from './command-line.mjs';

const atOnce = 200;
/** Services may copy a plain secret while a pass runs: the next one finds it. */
const maxPasses = 5;

/**
 * Where secrets of earlier releases are. `sealed(value, row, tools)`: the value of the column with its secrets sealed;
 * `tools.seal(record)` gives what seals for a record.
 */
const places = [
  {
    name: 'workflows',
    table: 'resources.workflows',
    column: 'steps',
    sealed: (steps, { id }, { seal, publicId, replacedInStep }) =>
      steps.map((step) => replacedInStep(step, seal(publicId('workflow', id)))),
  },
  {
    name: 'escalation policies',
    table: 'resources.escalation_policies',
    column: 'levels',
    sealed: (levels, { id }, { seal, publicId, replacedInLevel }) =>
      levels.map((level) => replacedInLevel(level, seal(publicId('escalationPolicy', id)))),
  },
  {
    name: 'runs of workflows',
    table: 'workflows.runs',
    column: 'steps',
    more: ', workflow_id',
    sealed: (steps, { workflow_id }, { seal, publicId, replacedInStep }) =>
      steps.map((step) => replacedInStep(step, seal(publicId('workflow', workflow_id)))),
  },
  {
    name: 'pages',
    table: 'alerts.pages',
    column: 'recipients',
    sealed: (recipients, _row, tools) =>
      recipients.map((recipient) => ({
        ...recipient,
        destination: sealedDestination(recipient.destination, recipient.notificationId, tools),
      })),
  },
  {
    name: 'notifications',
    table: 'workflows.notifications',
    column: 'destination',
    sealed: (destination, { id }, tools) => sealedDestination(destination, id, tools),
  },
];

/** The destination names the record for which it is sealed. */
function sealedDestination(destination, notificationId, { seal, publicId, replacedInDestination, secretsFound }) {
  const { plain } = secretsFound((replace) => replacedInDestination(destination, replace));
  if (plain === 0) return destination;
  const record = destination.sealedFor ?? publicId('notification', notificationId);
  return { ...replacedInDestination(destination, seal(record)), sealedFor: record };
}

/** Throws when neither a file nor a key management service is named, and when the file has no key. */
const keysOf = ({ settings, masterKeysOf }) => masterKeysOf(settings.masterKeys);

const unknownKey = (tenant) =>
  `The master key of ${tenant} is not known here. Add it to MASTER_KEY_FILE, in a line below the present one.`;

/** The secrets of a tenant, which gets its data key when it has none. */
function tenantSecrets(context, masterKeys) {
  const { database, TenantSecrets, recordOfDataKey, newDataKey } = context;
  const known = new Map();
  const read = async ({ organizationId, environment }) => {
    const [row] = await database.query(
      'SELECT sealed FROM resources.data_keys WHERE organization_id = $1 AND environment = $2',
      [organizationId, environment],
    );
    return row?.sealed ?? null;
  };
  const make = async (tenant) => {
    await database.query(
      `INSERT INTO resources.data_keys (organization_id, environment, sealed) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [tenant.organizationId, tenant.environment, await masterKeys.seal(newDataKey(), recordOfDataKey(tenant))],
    );
    return read(tenant);
  };
  return async (tenant) => {
    const name = recordOfDataKey(tenant);
    const present = known.get(name);
    if (present) return present;
    const dataKey = await masterKeys.open((await read(tenant)) ?? (await make(tenant)), name);
    if (!dataKey) throw new Error(unknownKey(`the organization ${tenant.organizationId}`));
    const secrets = new TenantSecrets(dataKey, tenant);
    known.set(name, secrets);
    return secrets;
  };
}

/** One pass over a table. Returns how many records it has changed. */
async function sealTable(context, secretsOf, { table, column, more = '', sealed }) {
  const { database } = context;
  const columns = `id, organization_id AS "organizationId", environment, ${column} AS value${more}`;
  const sealedValue = async (row) => {
    const secrets = await secretsOf({ organizationId: row.organizationId, environment: row.environment });
    return sealed(row.value, row, { ...context, seal: (record) => secrets.sealing(record) });
  };
  const hasPlain = ({ value, ...row }) => {
    let plain = 0;
    const count = () => (place) => ((plain += context.isSealed(place.value) ? 0 : 1), place.value);
    sealed(value, row, { ...context, seal: count });
    return plain > 0;
  };
  let changed = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await database.query(
      `SELECT ${columns} FROM ${table} WHERE id > $1 AND ${column}::text LIKE '%"url"%' ORDER BY id LIMIT ${atOnce}`,
      [after],
    );
    if (rows.length === 0) return changed;
    after = rows.at(-1).id;
    const plain = rows.filter(hasPlain);
    if (plain.length === 0) continue;
    // The data keys are made before: a transaction that fails must not take them back.
    for (const row of plain) await secretsOf({ organizationId: row.organizationId, environment: row.environment });
    changed += await database.asService(async (tx) => {
      const locked = await tx.query(
        `SELECT ${columns} FROM ${table} WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
        [plain.map(({ id }) => id)],
      );
      const present = locked.filter(hasPlain);
      for (const row of present)
        await tx.query(`UPDATE ${table} SET ${column} = $2::jsonb WHERE id = $1`, [
          row.id,
          JSON.stringify(await sealedValue(row)),
        ]);
      return present.length;
    });
  }
}

const seal = {
  summary:
    'seals the secrets of workflows, policies, runs, pages and notifications that an earlier release has stored in ' +
    'plain text',
  options: { json },
  async run(context) {
    const secretsOf = tenantSecrets(context, keysOf(context));
    const record = Object.fromEntries(places.map(({ name }) => [name, 0]));
    for (let pass = 1, changed = -1; changed !== 0; pass++) {
      if (pass > maxPasses)
        throw new Error('Services still store plain secrets. Are all of them of this release? Then try again.');
      changed = 0;
      for (const place of places) {
        const inTable = await sealTable(context, secretsOf, place);
        record[place.name] += inTable;
        changed += inTable;
      }
    }
    return { record, lines: Object.entries(record).map(([name, n]) => `${String(n).padStart(8)} ${name} sealed`) };
  },
};

const rotate = {
  summary: 'seals the data keys of all organizations with the newest master key',
  options: { json },
  async run(context) {
    const { database, recordOfDataKey } = context;
    const masterKeys = keysOf(context);
    const isNewest = await masterKeys.newest();
    const record = { sealed: 0, present: 0, unknown: 0 };
    for (let after = ['00000000-0000-0000-0000-000000000000', 'live']; ;) {
      const rows = await database.asService(async (tx) => {
        const found = await tx.query(
          `SELECT organization_id AS "organizationId", environment, sealed FROM resources.data_keys
           WHERE (organization_id, environment) > ($1, $2)
           ORDER BY organization_id, environment LIMIT ${atOnce} FOR UPDATE`,
          after,
        );
        const counts = { sealed: 0, present: 0, unknown: 0 };
        for (const { sealed, ...tenant } of found) {
          const outcome = isNewest(sealed) ? 'present' : await sealAgain(tx, tenant, sealed);
          counts[outcome]++;
        }
        return { found, counts };
      });
      for (const outcome of Object.keys(record)) record[outcome] += rows.counts[outcome];
      const last = rows.found.at(-1);
      if (!last) break;
      after = [last.organizationId, last.environment];
    }
    if (record.unknown > 0)
      throw new Error(
        `${record.sealed} data keys were sealed with the newest key. ${unknownKey(`${record.unknown} data keys`)}`,
      );
    return {
      record,
      lines: [`${record.sealed} data keys were sealed with the newest master key; ${record.present} were already.`],
    };

    async function sealAgain(tx, tenant, sealed) {
      const name = recordOfDataKey(tenant);
      const dataKey = await masterKeys.open(sealed, name);
      if (!dataKey) return 'unknown';
      await tx.query('UPDATE resources.data_keys SET sealed = $3 WHERE organization_id = $1 AND environment = $2', [
        tenant.organizationId,
        tenant.environment,
        await masterKeys.seal(dataKey, name),
      ]);
      return 'sealed';
    }
  },
};

export const commands = { seal, rotate };
