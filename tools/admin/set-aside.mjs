// Messages that services could not process and set aside: list, show, replay, discard.
import { json } from './command-line.mjs';
import { printedJson, table } from './printing.mjs';

const waiting = 'replayed_at IS NULL';

/** The services that set messages aside. `columns`: those that only this service has, as JSON. */
const services = [
  {
    name: 'alert-pipeline',
    table: 'alerts.set_aside',
    columns: `jsonb_build_object('partition', partition)`,
    subjectOf: ({ partition }, { ingestSubject }) => ingestSubject(partition),
    // Marked as repeatable, so that it counts once, also when it was applied meanwhile or this command is repeated.
    eventOf: (event) => ({ ...event, repeatable: true }),
  },
  {
    name: 'workflow-engine',
    table: 'workflows.set_aside',
    columns: `jsonb_build_object('subject', subject)`,
    subjectOf: ({ subject }) => subject,
    // The engine processes an event once, by its id.
    eventOf: (event) => event,
  },
  {
    // Audit entries that were not signed by their writer, or could not be stored.
    name: 'auth',
    table: 'auth.set_aside',
    columns: `'{}'::jsonb`,
  },
];

const serviceOf = (row) => services.find(({ name }) => name === row.service);

/** The messages of all services, oldest first. */
const all = (condition) =>
  `SELECT * FROM (${services
    .map(
      ({ name, table: from, columns }) =>
        `SELECT '${name}' AS service, id, ${columns} AS own, stream_sequence, organization_id, environment, payload,
           error, tries, created_at FROM ${from} WHERE ${waiting}`,
    )
    .join(' UNION ALL ')}) AS waiting ${condition} ORDER BY created_at, id`;

async function rowsOf(database, condition = '', values = []) {
  const rows = await database.query(all(condition), values);
  return rows.map(({ service, id, own, ...row }) => ({ service, id, ...own, ...row }));
}

const list = {
  summary: 'lists the messages that were set aside and not replayed',
  options: { json },
  async run({ database }) {
    const record = (await rowsOf(database)).map(({ service, id, created_at, partition, tries, error, payload }) => ({
      id,
      service,
      createdAt: created_at.toISOString(),
      partition: partition ?? null,
      tries,
      bytes: Buffer.byteLength(payload),
      error,
    }));
    const columns = [
      ['ID', ({ id }) => id],
      ['SERVICE', ({ service }) => service],
      ['SINCE', ({ createdAt }) => createdAt],
      ['PARTITION', ({ partition }) => String(partition ?? '-')],
      ['BYTES', ({ bytes }) => String(bytes)],
      ['ERROR', ({ error }) => error.split('\n')[0].slice(0, 120)],
    ];
    return { record, lines: record.length > 0 ? table(record, columns) : ['No message is set aside.'] };
  },
};

async function find(database, id) {
  const [row] = await rowsOf(database, 'WHERE id::text = $1', [id]);
  if (!row) throw new Error(`No message with the id ${id} is set aside.`);
  return row;
}

const show = {
  summary: 'shows one message as JSON',
  positionals: ['ID'],
  async run({ database }, _options, id) {
    const row = await find(database, id);
    console.log(printedJson({ ...row, payload: parsed(row.payload) }));
  },
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const replay = {
  summary:
    'sends one message, or all, to their service again; events that were already processed are not processed twice. A ' +
    'message of auth is an audit entry that may be forged: it is stored as it is, without a signature, and not by --all',
  positionals: ['[ID]'],
  options: { all: { summary: 'all messages except those of auth, in place of an ID' } },
  fault: ({ all: every }, id) => ((id === undefined) === !every ? 'Either an ID or --all must be given.' : null),
  async run(context, { all: every }, id) {
    const { database, broker, print, jetstream } = context;
    const rows = every
      ? (await rowsOf(database)).filter(({ service }) => service !== 'auth')
      : [await find(database, id)];
    if (rows[0]?.service === 'auth') {
      const isStored = await context.admitRefused(database, rows[0].id, rows[0].payload);
      return print(`${rows[0].id}  ${isStored ? 'is stored' : 'is not an audit entry; discard it'}`);
    }
    const js = jetstream(await broker(), { timeout: 3000 });
    for (const row of rows) {
      const isReplayed = await replayMessage(context, js, row);
      const result = isReplayed
        ? `sent to ${row.service} again`
        : 'is not a batch of events and cannot be replayed; discard it';
      print(`${row.id}  ${result}`);
    }
  },
};

async function replayMessage(context, js, row) {
  const { table: from, subjectOf, eventOf } = serviceOf(row);
  const batch = parsed(row.payload);
  if (!Array.isArray(batch?.events)) return false;
  // In one transaction: when the event fails again, the engine changes the same row, and waits for this commit.
  await context.database.asService(async (tx) => {
    await tx.query(`UPDATE ${from} SET replayed_at = now() WHERE id = $1`, [row.id]);
    await js.publish(subjectOf(row, context), JSON.stringify({ events: batch.events.map(eventOf) }));
  });
  return true;
}

const discard = {
  summary: 'discards one message',
  positionals: ['ID'],
  async run({ database, print }, _options, id) {
    const row = await find(database, id);
    await database.query(`DELETE FROM ${serviceOf(row).table} WHERE id = $1`, [row.id]);
    print(`${row.id}  is discarded`);
  },
};

export const commands = { list, show, replay, discard };
