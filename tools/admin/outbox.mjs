// Messages of the outboxes that NATS could not accept (columns set_aside_at and error): list, show, send again, discard.
import { json } from './command-line.mjs';
import { printedJson, table } from './printing.mjs';

// The schemas of the services with an outbox.
const schemas = ['alerts', 'auth', 'resources', 'workflows'];

const list = {
  summary: 'lists the messages of the outboxes that were set aside, because NATS cannot accept them',
  options: { json },
  async run({ database }) {
    const rows = await database.query(
      schemas
        .map(
          (schema) => `SELECT '${schema}.' || id AS id, subject, set_aside_at, error,
            octet_length(payload::text) AS bytes FROM ${schema}.outbox WHERE set_aside_at IS NOT NULL`,
        )
        .join(' UNION ALL ') + ' ORDER BY set_aside_at, id',
    );
    const record = rows.map(({ id, subject, set_aside_at, error, bytes }) => ({
      id,
      subject,
      setAsideAt: set_aside_at.toISOString(),
      bytes,
      error,
    }));
    const columns = [
      ['ID', ({ id }) => id],
      ['SINCE', ({ setAsideAt }) => setAsideAt],
      ['SUBJECT', ({ subject }) => subject],
      ['BYTES', ({ bytes }) => String(bytes)],
      ['ERROR', ({ error }) => error.split('\n')[0].slice(0, 120)],
    ];
    return { record, lines: record.length > 0 ? table(record, columns) : ['No message is set aside.'] };
  },
};

/** Runs a statement on the row, with the table in place of `OUTBOX`. The ID is `schema.number`. */
async function onRow(database, id, statement) {
  const [schema, number] = id.split('.');
  const known = schemas.includes(schema) && /^\d{1,18}$/.test(number ?? '');
  const rows = known ? await database.query(statement.replace('OUTBOX', `${schema}.outbox`), [number]) : [];
  if (!rows[0]) throw new Error(`No message with the id ${id} is set aside.`);
  return rows[0];
}

const show = {
  summary: 'shows one message as JSON',
  positionals: ['ID'],
  async run({ database }, _options, id) {
    const statement = 'SELECT * FROM OUTBOX WHERE id = $1 AND set_aside_at IS NOT NULL';
    console.log(printedJson(await onRow(database, id, statement)));
  },
};

const send = {
  summary: 'sends one message again, when NATS accepts larger messages now',
  positionals: ['ID'],
  async run({ database, say }, _options, id) {
    await onRow(
      database,
      id,
      `UPDATE OUTBOX SET set_aside_at = NULL, error = NULL WHERE id = $1 AND set_aside_at IS NOT NULL RETURNING id`,
    );
    say(`${id}  is sent again`);
  },
};

const discard = {
  summary: 'discards one message',
  positionals: ['ID'],
  async run({ database, say }, _options, id) {
    await onRow(database, id, 'DELETE FROM OUTBOX WHERE id = $1 AND set_aside_at IS NOT NULL RETURNING id');
    say(`${id}  is discarded`);
  },
};

export const commands = { list, show, send, discard };
