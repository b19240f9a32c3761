// Messages that the pipeline could not process (alerts.set_aside): seen, handed in again, given up.
import { jetstream } from '@nats-io/jetstream';
import { ingestSubject } from '@ams/contracts';

const waiting = 'replayed_at IS NULL';

async function list({ database }) {
  const { rows } = await database.query(`SELECT id, created_at, partition, tries, error, length(payload) AS bytes FROM alerts.set_aside WHERE ${waiting} ORDER BY created_at`);
  if (rows.length === 0) console.log('Nothing is set aside.');
  for (const row of rows) console.log(`${row.id}  ${row.created_at.toISOString()}  partition ${row.partition}  ${row.bytes} bytes  ${row.error.split('\n')[0].slice(0, 120)}`);
  return 0;
}

async function find(database, id) {
  const { rows } = await database.query(`SELECT * FROM alerts.set_aside WHERE id::text = $1 AND ${waiting}`, [id ?? '']);
  if (!rows[0]) throw new Error(`Nothing with the id ${id ?? '(none given)'} is set aside.`);
  return rows[0];
}

async function show({ database }, [id]) {
  const row = await find(database, id);
  console.log(JSON.stringify({ ...row, payload: parsed(row.payload) }, null, 2));
  return 0;
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

async function replay({ database, broker }, [which]) {
  const rows = which === '--all' ? (await database.query(`SELECT * FROM alerts.set_aside WHERE ${waiting} ORDER BY created_at`)).rows : [await find(database, which)];
  const connection = await broker();
  try {
    const js = jetstream(connection, { timeout: 3000 });
    for (const row of rows) {
      const batch = parsed(row.payload);
      if (!Array.isArray(batch?.events)) {
        console.log(`${row.id}  is not a batch of events and cannot be played again; discard it`);
        continue;
      }
      // Marked as repeatable: should it have been applied meanwhile, or this be interrupted and run again, it counts once.
      const events = batch.events.map((event) => ({ ...event, repeatable: true }));
      await js.publish(ingestSubject(row.partition), JSON.stringify({ events }));
      await database.query('UPDATE alerts.set_aside SET replayed_at = now() WHERE id = $1', [row.id]);
      console.log(`${row.id}  handed to the pipeline again`);
    }
  } finally {
    await connection.close();
  }
  return 0;
}

async function discard({ database }, [id]) {
  const row = await find(database, id);
  await database.query('DELETE FROM alerts.set_aside WHERE id = $1', [row.id]);
  console.log(`${row.id}  is given up`);
  return 0;
}

export const commands = { list, show, replay, discard };
