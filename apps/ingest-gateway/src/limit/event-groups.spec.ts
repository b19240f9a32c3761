import { Metrics } from '@ams/service';
import { setImmediate as turn } from 'node:timers/promises';
import { EventGroups } from './event-groups.js';

const metrics = () => new Metrics('ingest-gateway');

/**
 * For two seconds, organization `a` sends five events each 10 ms, and `b` so many. NATS answers after `answerMs`, and
 * answered after 1 ms before. Returns how long the last events of both are to wait, and when that is.
 */
function send({ answerMs, eventsOfB }: { answerMs: number; eventsOfB: number }) {
  const groups = new EventGroups(metrics(), { flush: () => new Promise(() => undefined) });
  groups.noteAnswer(1, 0);
  let a = 0;
  let b = 0;
  let now = 0;
  for (; now < 2000; now += 10) {
    groups.noteAnswer(answerMs, now);
    if (eventsOfB > 0) b = groups.waitOf('b', eventsOfB, now);
    a = groups.waitOf('a', 5, now);
  }
  return { groups, a, b, now };
}

test.each([
  ['wait while another organization sends few and NATS answers late', 30, 1, true],
  ['do not wait while NATS answers as usual', 1, 1, false],
  ['do not wait while no other organization sends', 30, 0, false],
  ['do not wait while another organization sends as many', 30, 5, false],
])('many events %s', (_what, answerMs, eventsOfB, isWaiting) => {
  const { a, b } = send({ answerMs, eventsOfB });
  expect([a > 0, b]).toEqual([isWaiting, 0]);
});

test('those that wait go on at the same time, at the end of a tenth of a second', () => {
  const { groups, now } = send({ answerMs: 30, eventsOfB: 1 });
  for (const ms of [0, 1, 30, 99.5]) expect(ms + groups.waitOf('a', 1, now + ms)).toBeCloseTo(100, 6);
  expect(groups.waitOf('a', 1, now + 100)).toBeCloseTo(100, 6);
});

test('events never overtake earlier ones of their organization, also when nobody is to wait any more', async () => {
  const groups = new EventGroups(metrics(), { flush: () => new Promise(() => undefined) });
  const now = performance.now();
  groups.noteAnswer(1, now);
  for (let n = 0; n < 50; n++) groups.noteAnswer(100, now);
  groups.waitOf('b', 1, now);
  const order: string[] = [];
  const send = async (name: string): Promise<void> => {
    await groups.turnOf('a', 50);
    order.push(name);
  };
  const first = send('first');
  groups.waitOf('b', 1000, performance.now()); // b is no longer little beside a
  await Promise.all([first, send('second'), send('third')]);
  expect(order).toEqual(['first', 'second', 'third']);
  expect(await groups.turnOf('a', 1)).toBe(0);
});

test('NATS is asked once a second, and more often while an organization sends many', async () => {
  let asked = 0;
  const groups = new EventGroups(metrics(), {
    flush: () => {
      asked++;
      return asked % 2 === 0 ? Promise.resolve() : Promise.reject(new Error('disconnected'));
    },
  });
  const askedWhile = async (eventsOfA: number, fromMs: number) => {
    const before = asked;
    for (let now = fromMs; now < fromMs + 2000; now += 10) {
      groups.waitOf('a', eventsOfA, now);
      groups.waitOf('b', 0.1, now);
      await turn();
    }
    return asked - before;
  };
  expect(await askedWhile(0.1, 0)).toBe(2);
  expect(await askedWhile(10, 2000)).toBeGreaterThan(80);
});
