// Stores mails as files, one for each: the newest 200. A mail is read from its file; only the list is in memory.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

const kept = 200;
const ending = '.json';
const idForm = /^\d{13}-[0-9a-f]{8}$/;

/**
 * The mails in a folder, which is created if necessary. Times are ISO 8601; ids sort by time.
 *
 *   list()          {id, receivedAt, from, to, subject} of each, newest first
 *   find(id)        the same with text, html, headers ([{name, value}]) and raw; null when it does not exist
 *   keep(raw, to)   stores a mail (unchanged bytes, addresses of the envelope) and returns its id
 */
export function openMails(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (id) => join(folder, `${id}${ending}`);
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.part'))) rmSync(join(folder, name));
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((id) => idForm.test(id))
    .sort()
    .reverse();
  const list = ids.map((id) => summaryOf(JSON.parse(readFileSync(fileOf(id), 'utf8'))));

  return {
    list: () => list,
    find: async (id) => (list.some((mail) => mail.id === id) ? JSON.parse(await readFile(fileOf(id), 'utf8')) : null),
    async keep(raw, to) {
      const { from, subject = '', text = null, html = null, headers } = await PostalMime.parse(raw);
      const now = Date.now();
      const id = `${now}-${randomBytes(4).toString('hex')}`;
      const mail = {
        id,
        receivedAt: new Date(now).toISOString(),
        from: addressText(from),
        to,
        subject,
        text,
        html,
        headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
        raw: raw.toString('latin1'),
      };
      const file = fileOf(id);
      await writeFile(`${file}.part`, JSON.stringify(mail), { mode: 0o600 });
      await rename(`${file}.part`, file);
      list.unshift(summaryOf(mail));
      await Promise.all(list.splice(kept).map((old) => rm(fileOf(old.id), { force: true })));
      return id;
    },
  };
}

const summaryOf = ({ id, receivedAt, from, to, subject }) => ({ id, receivedAt, from, to, subject });

const addressText = (from) => (from ? (from.name ? `${from.name} <${from.address ?? ''}>` : (from.address ?? '')) : '');
