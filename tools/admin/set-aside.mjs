// Messages that the pipeline could not process (alerts.set_aside): seen, handed in again, given up.
import { json } from './command-line.mjs';
import { printedJson, table } from './printing.mjs';

const waiting = 'replayed_at IS NULL';

const list = {
  says: 'messages that could not be processed and wait',
  options: { json },
  async run({ database }) {
    const rows = await database.query(
      `SELECT id, created_at, partition, tries, error, octet_length(payload) AS bytes FROM alerts.set_aside WHERE ${waiting} ORDER BY created_at, id`,
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
    return { record, lines: record.length > 0 ? table(record, columns) : ['Nothing is set aside.'] };
  },
};

async function find(database, id) {
  const [row] = await database.query(`SELECT * FROM alerts.set_aside WHERE id::text = $1 AND ${waiting}`, [id]);
  if (!row) throw new Error(`Nothing with the id ${id} is set aside.`);
  return row;
}

const show = {
  says: 'one of them, whole, as JSON',
  words: ['ID'],
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
  says: 'hands one to the pipeline again, or all; an event that was applied already is not applied twice',
  words: ['[ID]'],
  options: { all: { says: 'all that wait, in place of an ID' } },
  fault: ({ all }, id) => ((id === undefined) === !all ? 'Either an ID or --all must be given.' : null),
  async run(context, { all }, id) {
    const { database, broker, say, jetstream } = context;
    const rows = all
      ? await database.query(`SELECT * FROM alerts.set_aside WHERE ${waiting} ORDER BY created_at, id`)
      : [await find(database, id)];
    const js = jetstream(await broker(), { timeout: 3000 });
    for (const row of rows) {
      const played = await playAgain(context, js, row);
      say(
        `${row.id}  ${played ? 'handed to the pipeline again' : 'is not a batch of events and cannot be played again; discard it'}`,
      );
    }
  },
};

async function playAgain({ database, ingestSubject }, js, row) {
  const batch = parsed(row.payload);
  if (!Array.isArray(batch?.events)) return false;
  // Marked as repeatable: should it have been applied meanwhile, or this be interrupted and run again, it counts once.
  const events = batch.events.map((event) => ({ ...event, repeatable: true }));
  await js.publish(ingestSubject(row.partition), JSON.stringify({ events }));
  await database.query('UPDATE alerts.set_aside SET replayed_at = now() WHERE id = $1', [row.id]);
  return true;
}

const discard = {
  says: 'gives one up',
  words: ['ID'],
  async run({ database, say }, _options, id) {
    const row = await find(database, id);
    await database.query('DELETE FROM alerts.set_aside WHERE id = $1', [row.id]);
    say(`${row.id}  is given up`);
  },
};

export const commands = { list, show, replay, discard };
