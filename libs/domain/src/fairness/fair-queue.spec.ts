import fc from 'fast-check';
import { FairQueue, roomFor, type Places, type Share } from './fair-queue.js';

const one: Places = { total: 1, organization: 1, team: 1 };
const many: Places = { total: 1000, organization: 1000, team: 1000 };

const share = (organization: string, team = 'only'): Share => ({ organization, team });

/** `a.x a.x b.y`: items of team x of organization a, and of team y of organization b. */
function queueOf(text: string, places: Places = many): FairQueue<string> {
  const queue = new FairQueue<string>(places);
  text.split(' ').forEach((name, index) => {
    const [organization = '', team = ''] = name.split('.');
    queue.add({ organization, team }, `${name}${index}`);
  });
  return queue;
}

function orderOf(queue: FairQueue<string>): string {
  const order: string[] = [];
  for (let item = queue.next(); item !== null; item = queue.next()) order.push(item);
  return order.join(' ');
}

describe('whose work is next', () => {
  it.each<[string, string, string]>([
    ['the work of one team is done in its order', 'a.x a.x a.x', 'a.x0 a.x1 a.x2'],
    ['organizations take turns', 'a.x a.x a.x b.y', 'a.x0 b.y3 a.x1 a.x2'],
    ['teams of one organization take turns', 'a.x a.x a.x a.y', 'a.x0 a.y3 a.x1 a.x2'],
    ['an organization with more teams has no more turns', 'a.x a.y a.z a.x b.y b.y', 'a.x0 b.y4 a.y1 b.y5 a.z2 a.x3'],
    ['teams of different organizations may have the same name', 'a.x a.x b.x', 'a.x0 b.x2 a.x1'],
  ])('%s', (_what, waiting, order) => {
    expect(orderOf(queueOf(waiting))).toBe(order);
  });

  it('leaves places to other teams and organizations, and gives a free one to whoever waits', () => {
    const queue = queueOf('a.x a.x a.x a.y a.z b.y', { total: 4, organization: 3, team: 2 });
    expect(orderOf(queue)).toBe('a.x0 b.y5 a.y3 a.z4');
    queue.done(share('b', 'y'));
    expect(orderOf(queue)).toBe('');
    queue.done(share('a', 'y'));
    expect(orderOf(queue)).toBe('a.x1');
    queue.done(share('a', 'z'));
    expect(orderOf(queue)).toBe('');
    queue.done(share('a', 'x'));
    expect(orderOf(queue)).toBe('a.x2');
    expect(queue.waiting).toBe(0);
  });

  it('forgets nothing that runs when what waits is removed', () => {
    const queue = queueOf('a.x a.x a.y', one);
    expect(queue.next()).toBe('a.x0');
    expect(queue.clear()).toEqual(['a.x1', 'a.y2']);
    queue.add(share('b'), 'later');
    expect(queue.next()).toBeNull();
    queue.done(share('a', 'x'));
    expect(queue.next()).toBe('later');
  });
});

interface Taken extends Share {
  id: number;
}

/** Adds to random shares, and takes; each taken piece of work ends after some others have begun. */
const histories = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ organization: fc.constantFrom('a', 'b', 'c'), team: fc.constantFrom('x', 'y', 'z') }),
    },
    { weight: 2, arbitrary: fc.constant('take' as const) },
    { weight: 2, arbitrary: fc.constant('end' as const) },
  ),
  { maxLength: 200 },
);

const placesOf = fc.record({
  total: fc.integer({ min: 1, max: 6 }),
  organization: fc.integer({ min: 1, max: 6 }),
  team: fc.integer({ min: 1, max: 6 }),
});

describe('over any history', () => {
  test('nothing is lost or done twice, no share has more than its places, and no free place stays empty', () => {
    fc.assert(
      fc.property(histories, placesOf, (history, places) => {
        const queue = new FairQueue<Taken>(places);
        const waiting: Taken[] = [];
        const running: Taken[] = [];
        const count = (of: Taken[], by: Partial<Share>): number =>
          of.filter((one) => Object.entries(by).every(([key, value]) => one[key as keyof Share] === value)).length;
        const mayBegin = ({ organization, team }: Taken): boolean =>
          running.length < places.total &&
          count(running, { organization }) < places.organization &&
          count(running, { organization, team }) < places.team;
        let id = 0;
        for (const act of history) {
          if (act === 'end') {
            const ended = running.shift();
            if (ended) queue.done(ended);
          } else if (act === 'take') {
            const expected = waiting.some(mayBegin);
            const taken = queue.next();
            expect(taken !== null).toBe(expected);
            if (!taken) continue;
            // The first of its team, and permitted.
            expect(waiting.find((one) => one.organization === taken.organization && one.team === taken.team)).toBe(
              taken,
            );
            expect(mayBegin(taken)).toBe(true);
            waiting.splice(waiting.indexOf(taken), 1);
            running.push(taken);
          } else {
            const added = { ...act, id: id++ };
            waiting.push(added);
            queue.add(act, added);
          }
          expect(queue.waiting).toBe(waiting.length);
        }
      }),
    );
  });

  test('while a team waits, no other organization and no other team of its own begins twice before it', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const queue = new FairQueue<Taken>({ total: 1, organization: 1, team: 1 });
        const waiting: Taken[] = [];
        let running: Taken | null = null;
        /** What has begun since a waiting team came first in its own order. */
        const since = new Map<string, Taken[]>();
        const key = ({ organization, team }: Share): string => `${organization}.${team}`;
        let id = 0;
        for (const act of history) {
          if (act === 'end' || act === 'take') {
            if (running) queue.done(running);
            running = queue.next();
            if (!running) continue;
            const taken = running;
            waiting.splice(waiting.indexOf(taken), 1);
            for (const [name, begun] of since) if (name !== key(taken)) begun.push(taken);
            const before = since.get(key(taken)) ?? [];
            const own = before.filter(({ organization }) => organization === taken.organization);
            // Within the organization each other team once; between two of its turns each other organization once.
            expect(new Set(own.map(({ team }) => team)).size).toBe(own.length);
            for (const other of new Set(before.map(({ organization }) => organization)))
              if (other !== taken.organization)
                expect(before.filter(({ organization }) => organization === other).length).toBeLessThanOrEqual(
                  own.length + 1,
                );
            since.delete(key(taken));
            if (waiting.some((one) => key(one) === key(taken))) since.set(key(taken), []);
          } else {
            const added = { ...act, id: id++ };
            waiting.push(added);
            queue.add(act, added);
            if (!since.has(key(added))) since.set(key(added), []);
          }
        }
      }),
    );
  });
});

describe('room for work that waits', () => {
  it.each<[number, number, number, number, number]>([
    [1000, 1, 1, 500, 250],
    [1000, 1, 4, 500, 100],
    [1000, 9, 1, 100, 50],
    [1000, 0, 0, 500, 250],
    [1, 5, 5, 1, 1],
  ])(
    'of %d places, %d organizations with %d teams: %d for each, %d for each team',
    (capacity, n, m, organization, team) => {
      expect(roomFor(capacity, n, m)).toEqual({ organization, team });
    },
  );

  test('when every organization uses all that it may, there is room for another one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 5000 }), fc.integer({ min: 1, max: 90 }), (capacity, organizations) => {
        const { organization } = roomFor(capacity, organizations, 1);
        expect(organizations * organization).toBeLessThan(capacity);
      }),
    );
  });
});
