import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { Bodies, type HeldBody } from './bodies.js';

const started = (bodies: Bodies, cuts: string[]) => (sender: string, name: string, limitMs?: number) =>
  bodies.begin(sender, name, ({ code }) => cuts.push(`${name} ${code}`), limitMs);

test('one unfinished body more than a sender may have ends its oldest one', () => {
  const cuts: string[] = [];
  const begin = started(new Bodies({ bytes: 1000, perSender: 2 }), cuts);
  begin('a', 'a1').complete();
  begin('a', 'a2');
  begin('b', 'b1');
  begin('a', 'a3');
  expect(cuts).toEqual([]);
  begin('a', 'a4');
  expect(cuts).toEqual(['a2 REQUEST_TIMEOUT']);
});

test('when the memory is full, the sender that holds the most loses its oldest unfinished body', () => {
  const cuts: string[] = [];
  const bodies = new Bodies({ bytes: 1000, perSender: 10 });
  const begin = started(bodies, cuts);
  const [large, small] = [begin('a', 'a1'), begin('b', 'b1')];
  large.add(700);
  small.add(300);
  expect(cuts).toEqual([]);
  small.add(10);
  expect([cuts, bodies.bytes]).toEqual([['a1 UNAVAILABLE'], 310]);
  large.add(500); // what still arrives of it is not held
  expect(bodies.bytes).toBe(310);
});

test('a body that has arrived is not ended, and its bytes count until they are released', () => {
  const cuts: string[] = [];
  const bodies = new Bodies({ bytes: 1000, perSender: 10 });
  const begin = started(bodies, cuts);
  const complete = begin('a', 'a1');
  complete.add(900);
  complete.complete();
  begin('b', 'b1').add(200);
  expect([cuts, bodies.bytes]).toEqual([['b1 UNAVAILABLE'], 900]);
  complete.end();
  complete.end();
  expect(bodies.bytes).toBe(0);
});

test('a body that takes too long is ended', async () => {
  const cuts: string[] = [];
  const begin = started(new Bodies({ bytes: 1000, perSender: 10 }), cuts);
  begin('a', 'fast', 1).complete();
  begin('a', 'slow', 1);
  while (cuts.length === 0) await pause(5);
  expect(cuts).toEqual(['slow REQUEST_TIMEOUT']);
});

test('the count of bytes is right in every history, and never above the limit', () => {
  const step = fc.record({
    what: fc.constantFrom('begin', 'add', 'complete', 'end'),
    sender: fc.constantFrom('a', 'b', 'c'),
    which: fc.nat(),
    bytes: fc.nat(400),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bodies = new Bodies({ bytes: 1000, perSender: 3 });
      const open: { held: HeldBody; bytes: number; isComplete: boolean }[] = [];
      for (const { what, sender, which, bytes } of steps) {
        const one = open[which % Math.max(1, open.length)];
        if (what === 'begin') {
          const body = { bytes: 0, isComplete: false } as (typeof open)[number];
          body.held = bodies.begin(sender, 'r', () => open.splice(open.indexOf(body), 1));
          open.push(body);
        } else if (one === undefined) continue;
        else if (what === 'complete') {
          one.held.complete();
          one.isComplete = true;
        } else if (what === 'end') {
          open.splice(open.indexOf(one), 1);
          one.held.end();
        } else if (!one.isComplete) {
          one.bytes += bytes;
          one.held.add(bytes);
        }
        expect(bodies.bytes).toBe(open.reduce((sum, body) => sum + body.bytes, 0));
        expect(bodies.bytes).toBeLessThanOrEqual(1000);
      }
    }),
  );
});
