/** Sends requests of a key to every gateway while it is revoked, and checks what the answered revocation guarantees. */
import type { Alert } from '@ams/contracts';
import type { HttpResponse } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { One, Organization, Sender, SystemClient } from '../system.js';

/**
 * Both answers may be in our own sockets at the same time. They are then read in any order, within these turns of the
 * event loop. A turn lasts microseconds, but much longer on a busy machine.
 */
const readingTurns = 20;

interface Answered {
  status: number;
  /** The turn of the event loop. */
  started: number;
  ended: number;
  isWrite: boolean;
}

/** The faults of one race; empty when there is none. */
export async function raceWithRevocation(
  system: SystemClient,
  acme: Organization,
  sender: Sender,
  round: number,
): Promise<string[]> {
  const fingerprint = `race-${crypto.randomUUID()}`;
  const { id, key } = await acme.newKey({ scopes: ['alerts:read', 'alerts:write'] });
  await sender.fire({ title: 'Race', severity: 'low', fingerprint });
  const [alert] = await acme.alerts({ fingerprint });
  const gateways = system.address.gateways.length;
  const ofKey = Array.from({ length: gateways }, (_, gateway) => system.as(key, gateway));

  let turn = 0;
  let over = false;
  const nextTurn = (): void => {
    turn++;
    if (!over) setImmediate(nextTurn);
  };
  nextTurn();
  const answered: Answered[] = [];
  const ask = async (isWrite: boolean, request: () => Promise<HttpResponse>): Promise<void> => {
    const started = turn;
    const { status } = await request();
    answered.push({ status, started, ended: turn, isWrite });
  };
  const workers = ofKey.flatMap((client, n) => [
    async () => {
      while (!over) await ask(false, () => client.get(`/api/v1/alerts/${alert?.id}`));
    },
    async () => {
      await pause((round + n) % 12);
      await ask(true, () => client.post(`/api/v1/alerts/${alert?.id}/${n % 2 ? 'resolve' : 'acknowledge'}`));
    },
  ]);
  const running = Promise.all(workers.map((work) => work()));
  await pause(5 + (round % 15));
  const { status } = await acme.api.delete(`/api/v1/api-keys/${id}`);
  const revoked = turn;
  const atRevocation = await acme.api.get<One<Alert>>(`/api/v1/alerts/${alert?.id}`);
  await Promise.all(ofKey.map((client) => ask(false, () => client.get('/api/v1/alerts'))));
  over = true;
  await running;
  const later = await acme.api.get<One<Alert>>(`/api/v1/alerts/${alert?.id}`);

  const faults: string[] = [];
  if (status !== 204) faults.push(`the revocation was answered ${status}`);
  for (const answer of answered) {
    if (answer.status === 401) continue;
    const late = answer.started > revoked || answer.ended > revoked + readingTurns;
    if (late || answer.status >= 500)
      faults.push(
        `a ${answer.isWrite ? 'write' : 'read'} was answered ${answer.status}, ` +
          `${answer.ended - revoked} turns of the event loop after the revocation`,
      );
  }
  if (later.body.data.version !== atRevocation.body.data.version)
    faults.push('the alert was changed after the revocation was answered');
  return faults;
}
