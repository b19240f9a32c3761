// Connections of the stream of events whose caller reads nothing, and alerts with long texts for them.
import { get } from 'node:http';

export const what = 'streams that are not read';
export const clients = 8;

const connections = 500;

/** The open connections. A connection that is refused or ended is opened again. */
export const prepare = () => new Set();

export function act({ ours, organization, send, tokens }, open, n) {
  if (open.size >= connections)
    return send(tokens[n % tokens.length], {
      title: `t${n}`,
      fingerprint: `t${n}`,
      severity: 'low',
      description: 'x'.repeat(30_000),
    });
  return new Promise((resolve, reject) => {
    const request = get(
      `${ours.baseUrl}/api/v1/stream`,
      { agent: false, headers: { authorization: `Bearer ${organization.key}` } },
      (answer) => {
        answer.pause();
        answer.on('error', () => undefined);
        resolve(`stream ${answer.statusCode}`);
      },
    );
    open.add(request);
    request.on('close', () => open.delete(request));
    request.on('error', reject);
  });
}

export const release = (open) => open.forEach((request) => request.destroy());
