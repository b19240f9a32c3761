// The organization of a trial.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/workspace.mjs';

const run = promisify(execFile);

/** A new organization, as a function that calls its API. */
export async function newOrganization({ database, baseUrl }) {
  const names = ['--organization', 'Shop', '--owner-email', 'owner@shop.example', '--owner-name', 'Owner'];
  const more = ['--key-name', 'all scopes', '--mail-domains', 'shop.example'];
  const { stdout } = await run(process.execPath, [join(root, 'apps/auth/dist/bootstrap.js'), ...names, ...more], {
    env: { PATH: process.env.PATH, ...database('auth') },
  });
  const { key } = JSON.parse(stdout.trim().split('\n').at(-1));
  const request = async (path, body) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(15_000),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const api = async (path, body) => (await request(path, body)).data;
  api.key = key;
  /** All items of a list, page by page. */
  api.all = async (path, filters) => {
    const items = [];
    for (let query = { ...filters, limit: 100 }; ;) {
      const { data, meta } = await request(`${path}?${new URLSearchParams(query)}`);
      items.push(...data);
      if (!meta.hasMore) return items;
      query = { ...query, cursor: meta.nextCursor };
    }
  };
  return api;
}
