// Messages that the pipeline could not process (alerts.set_aside): list, show, replay, discard.
import { json } from './command-line.mjs';
import { printedJson, table } from './printing.mjs';

const waiting = 'replayed_at IS NULL';

const list = {
  summary: 'lists the messages that were set aside and not replayed',
  options: { json },
  async run({ database }) {
    const rows = await database.query(
      `SELECT id, created_at, partition, tries, error, octet_length(payload) AS bytes FROM alerts.set_aside
          WHERE ${waiting} ORDER BY created_at, id`,
    );
    const record = rows.map(({ id, created_at, partition, tries, error, bytes }) => ({
      id,
      createdAt: created_at.toISOString(),
      partition,
      tries,
      bytes,
      error,
    }));
    const columns = [
      ['ID', ({ id }) => id],
      ['SINCE', ({ createdAt }) => createdAt],
      ['PARTITION', ({ partition }) => String(partition)],
      ['BYTES', ({ bytes }) => String(bytes)],
      ['ERROR', ({ error }) => error.split('\n')[0].slice(0, 120)],
    ];
    return { record, lines: record.length > 0 ? table(record, columns) : ['No message is set aside.'] };
  },
};

async function find(database, id) {
  const [row] = await database.query(`SELECT * FROM alerts.set_aside WHERE id::text = $1 AND ${waiting}`, [id]);
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
  summary: 'sends one message, or all, to the pipeline again; events that were already applied are not applied twice',
  positionals: ['[ID]'],
  options: { all: { summary: 'all messages, in place of an ID' } },
  fault: ({ all }, id) => ((id === undefined) === !all ? 'Either an ID or --all must be given.' : null),
  async run(context, { all }, id) {
    const { database, broker, print, jetstream } = context;
    const rows = all
      ? await database.query(`SELECT * FROM alerts.set_aside WHERE ${waiting} ORDER BY created_at, id`)
      : [await find(database, id)];
    const js = jetstream(await broker(), { timeout: 3000 });
    for (const row of rows) {
      const isReplayed = await replayMessage(context, js, row);
      const result = isReplayed
        ? 'sent to the pipeline again'
        : 'is not a batch of events and cannot be replayed; discard it';
      print(`${row.id}  ${result}`);
    }
  },
};

async function replayMessage({ database, ingestSubject }, js, row) {
  const batch = parsed(row.payload);
  if (!Array.isArray(batch?.events)) return false;
  // The events are marked as repeatable: if they were applied in the meantime, or this command is interrupted and
  // repeated, each counts only once.
  const events = batch.events.map((event) => ({ ...event, repeatable: true }));
  await js.publish(ingestSubject(row.partition), JSON.stringify({ events }));
  await database.query('UPDATE alerts.set_aside SET replayed_at = now() WHERE id = $1', [row.id]);
  return true;
}

const discard = {
  summary: 'discards one message',
  positionals: ['ID'],
  async run({ database, print }, _options, id) {
    const row = await find(database, id);
    await database.query('DELETE FROM alerts.set_aside WHERE id = $1', [row.id]);
    print(`${row.id}  is discarded`);
  },
};

export const commands = { list, show, replay, discard };
