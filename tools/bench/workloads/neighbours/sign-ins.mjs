// Attempts to sign in as members of the organization, with wrong passwords, from many addresses.
import { request } from 'node:http';
import { seedOwner } from '../../seed.mjs';

export const what = 'attempts to sign in';
export const clients = 12;

export const prepare = ({ ours, organization }) => seedOwner(ours, organization);

export function act({ ours }, owner, n) {
  const body = JSON.stringify({ email: n % 2 ? owner : `nobody-${n}@example.com`, password: `wrong password ${n}` });
  return new Promise((resolve, reject) => {
    const attempt = request(
      `${ours.baseUrl}/api/v1/session`,
      {
        method: 'POST',
        agent: false,
        localAddress: `127.0.8.${1 + (n % 200)}`,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode)),
    );
    attempt.on('error', reject);
    attempt.end(body);
  });
}
