/** Reads all alerts, page by page, while others are opened, fire again and resolve. */
import type { Alert } from '@ams/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { List, Organization } from '../system.js';

export interface Walk {
  sort: string;
  pages: number;
  /** Alerts that existed from the beginning to the end and were not shown exactly once. */
  missed: string[];
  shownTwice: string[];
  /** Events that were applied during the reading. */
  changes: number;
}

export async function readPagesWhileChanging(
  acme: Organization,
  { count, perSecond, sorts }: { count: number; perSecond: number; sorts: string[] },
): Promise<Walk[]> {
  const sender = await acme.integration({ name: 'busy' });
  const atOnce = 500;
  for (let from = 0; from < count; from += atOnce) {
    await sender.fire(
      Array.from({ length: atOnce }, (_, n) => ({
        title: `alert ${from + n}`,
        severity: 'low',
        fingerprint: `steady-${from + n}`,
      })),
    );
  }
  const walks: Walk[] = [];
  for (const sort of sorts) {
    let walking = true;
    let changes = 0;
    const busy = (async () => {
      for (let n = 0; walking; n++) {
        const started = performance.now();
        await sender.fire([
          { title: 'new', severity: 'high', fingerprint: `new-${n}` },
          { title: 'changed', severity: 'critical', fingerprint: `steady-${(n * 37) % count}` },
          { title: 'changed', severity: 'medium', fingerprint: `steady-${(n * 101) % count}` },
          { title: 'over', status: 'resolved', fingerprint: `new-${n - 3}` },
        ]);
        changes += 4;
        await pause(Math.max(0, 4000 / perSecond - (performance.now() - started)));
      }
    })();
    const seen = new Map<string, number>();
    let pages = 0;
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = {
        sort,
        limit: '100',
        integrationId: sender.id,
        ...(cursor === null ? {} : { cursor }),
      };
      const answer = await acme.api.get<List<Alert>>('/api/v1/alerts', { query });
      if (answer.status !== 200) throw new Error(`page ${pages}: ${answer.status} ${JSON.stringify(answer.body)}`);
      for (const { id } of answer.body.data) seen.set(id, (seen.get(id) ?? 0) + 1);
      cursor = answer.body.meta.nextCursor;
      pages++;
    } while (cursor !== null);
    walking = false;
    await busy;
    const steady = await idsOf(acme, sender.id);
    walks.push({
      sort,
      pages,
      changes,
      missed: steady.filter((id) => !seen.has(id)),
      shownTwice: [...seen].filter(([, times]) => times > 1).map(([id]) => id),
    });
  }
  return walks;
}

/** The alerts that existed before the reading and never resolve. */
async function idsOf(acme: Organization, integrationId: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = {
      sort: 'createdAt',
      limit: '100',
      integrationId,
      ...(cursor === null ? {} : { cursor }),
    };
    const { body } = await acme.api.get<List<Alert>>('/api/v1/alerts', { query });
    ids.push(...body.data.filter(({ fingerprint }) => fingerprint.startsWith('steady-')).map(({ id }) => id));
    cursor = body.meta.nextCursor;
  } while (cursor !== null);
  return ids;
}
