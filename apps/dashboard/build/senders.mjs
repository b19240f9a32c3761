// The types of integrations as docs/ingest.md lists them, which is made from their presets:
//
//   virtual:senders       [{ type, name, setup }]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../docs/ingest.md');

export function senders() {
  return {
    name: 'senders',
    resolveId: { filter: { id: /^virtual:senders$/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:senders$/ },
      handler() {
        this.addWatchFile(file);
        return `export const senders = ${JSON.stringify(sendersOf(readFileSync(file, 'utf8')))};`;
      },
    },
  };
}

/** The rows of the table between `<!-- types -->` and `<!-- /types -->`. */
export function sendersOf(document) {
  const table = document.slice(document.indexOf('<!-- types -->'), document.indexOf('<!-- /types -->'));
  return [...table.matchAll(/^\| `(\w+)` \| (.*?) \| (.*) \|$/gm)].map(([, type, name, setup]) => ({
    type,
    name,
    setup: setup.replaceAll('\\|', '|'),
  }));
}
