import fc from 'fast-check';
import { checkOf, Recorder, Times, type Sample } from './results.js';
import { readCommand, UsageError } from './command-line.js';
import { htmlOf } from './html.js';
import type { LoadReport } from './run-load.js';
import { peakRate, plannedTimes, profileNames, sendAsPlanned, type Clock } from './schedule.js';

/** A clock that only `sleep` moves. */
function clockOf(): Clock & { time: number } {
  const clock = {
    time: 0,
    now: () => clock.time,
    sleep: (ms: number) => {
      clock.time += ms;
      return Promise.resolve();
    },
  };
  return clock;
}

describe('planned times', () => {
  test('are ordered, within the run, and as many as the rate says', () => {
    const plans = fc.record({
      profile: fc.constantFrom(...profileNames),
      rate: fc.double({ min: 0.5, max: 800, noNaN: true }),
      seconds: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(plans, (plan) => {
        const times = [...plannedTimes(plan)];
        const mean = { storm: 7 / 3, day: 1, soak: 1 }[plan.profile];
        expect(Math.abs(times.length - mean * plan.rate * plan.seconds)).toBeLessThanOrEqual(2 + plan.rate * 0.03);
        expect(times.every((time, n) => time >= (times[n - 1] ?? 0) && time <= plan.seconds * 1000 + 1)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('of a storm are five times as dense in the middle third', () => {
    const times = [...plannedTimes({ profile: 'storm', rate: 10, seconds: 30 })];
    const between = (from: number, to: number) => times.filter((time) => time >= from && time < to).length;
    expect([between(0, 10_000), between(10_000, 20_000), between(20_000, 30_001)]).toEqual([
      expect.closeTo(100, -0.5),
      expect.closeTo(500, -0.5),
      expect.closeTo(100, -0.5),
    ]);
    expect(peakRate({ profile: 'storm', rate: 10 })).toBe(50);
  });
});

test('a late answer does not slow the sender', async () => {
  const clock = clockOf();
  const sentAt: number[] = [];
  const answers: (() => void)[] = [];
  const sent = sendAsPlanned(
    plannedTimes({ profile: 'soak', rate: 10, seconds: 2 }),
    () => {
      sentAt.push(clock.time);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
    clock,
  );
  let isOver = false;
  void sent.then(() => (isOver = true));
  while (sentAt.length < 20) await new Promise(setImmediate);
  // No message has an answer, and all were sent at their times.
  expect(sentAt.map((time) => Math.round(time / 100))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(isOver).toBe(false);
  for (const answer of answers) answer();
  await sent;
});

test('a sender that was late sends what it has missed at once, with the planned times', async () => {
  const clock = clockOf();
  const sleep = clock.sleep;
  clock.sleep = (ms) => sleep(clock.time > 500 && clock.time < 1000 ? 700 : ms);
  const sent: [planned: number, at: number][] = [];
  await sendAsPlanned(
    plannedTimes({ profile: 'soak', rate: 10, seconds: 2 }),
    (plannedAt) => Promise.resolve(void sent.push([Math.round(plannedAt), clock.time])),
    clock,
  );
  expect(sent).toHaveLength(20);
  expect(sent.map(([planned]) => planned)).toEqual(Array.from({ length: 20 }, (_, n) => (n + 1) * 100));
  expect(Math.max(...sent.map(([planned, at]) => at - planned))).toBeGreaterThan(500);
});

const sample = (plannedAt: number, endedAt: number, outcome: Sample['outcome'] = 202): Sample => ({
  kind: 'event',
  plannedAt,
  endedAt,
  outcome,
});

const recorded = (samples: readonly Sample[], seconds: number): Recorder => {
  const recorder = new Recorder(seconds);
  for (const one of samples) recorder.add(one);
  return recorder;
};

describe('figures', () => {
  test.each([
    [[5], 0.5, 5],
    [[400, 100, 300, 200], 0.5, 200],
    [Array.from({ length: 100 }, (_, n) => n + 1), 0.99, 99],
    [[1000, 60_000], 1, 60_000],
  ])('the quantile of %j at %d is %d, to one percent', (values, part, expected) => {
    const times = new Times();
    for (const value of values) times.add(value);
    const found = times.quantile(part) ?? 0;
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(0.011 * (expected + 1));
    expect(times.max).toBe(Math.max(...values));
  });

  test('are none without times', () => expect([new Times().quantile(0.99), new Times().max]).toEqual([null, null]));

  test('count from the planned time, and have each outcome', () => {
    const samples = [
      sample(0, 30),
      sample(100, 1900),
      sample(500, 600, 503),
      sample(1500, 1500, 'not sent'),
      sample(1600, 9000, 'ECONNRESET'),
    ];
    const recorder = recorded(samples, 2);
    const near = (ms: number) => expect.closeTo(ms, ms > 100 ? -1.5 : 0) as number;
    expect(recorder.figuresOf('event')).toEqual({
      planned: 5,
      answered: 2,
      outcomes: { 202: 2, 503: 1, 'not sent': 1, ECONNRESET: 1 },
      p50Ms: near(30),
      p99Ms: near(1800),
      maxMs: 1800,
    });
    expect(recorder.figuresOf('read')).toMatchObject({ planned: 0, answered: 0, p99Ms: null });
    expect(recorder.intervals).toEqual([
      { at: 0, plannedPerSecond: 3, answeredPerSecond: 1, failedPerSecond: 1, p50Ms: near(30), p99Ms: near(1800) },
      { at: 1, plannedPerSecond: 2, answeredPerSecond: 1, failedPerSecond: 2, p50Ms: null, p99Ms: null },
    ]);
    expect(new Recorder(7200).intervals).toHaveLength(240);
  });

  test.each([
    ['everything', [['a', 3, 3]], [['a', 3]], { accepted: 3, applied: 3, lost: 0, doubled: 0 }],
    [
      'one lost',
      [
        ['a', 3, 3],
        ['b', 1, 1],
      ],
      [['a', 3]],
      { accepted: 4, applied: 3, lost: 1, doubled: 0 },
    ],
    ['one twice', [['a', 3, 3]], [['a', 4]], { accepted: 3, applied: 4, lost: 0, doubled: 1 }],
    ['without an answer, and applied', [['a', 3, 4]], [['a', 4]], { accepted: 3, applied: 4, lost: 0, doubled: 0 }],
    [
      'one lost is not made up for by one twice',
      [
        ['a', 1, 1],
        ['b', 1, 1],
      ],
      [['a', 2]],
      { accepted: 2, applied: 2, lost: 1, doubled: 1 },
    ],
    ['never sent', [], [['x', 1]], { accepted: 0, applied: 1, lost: 0, doubled: 1 }],
  ] as [string, [string, number, number][], [string, number][], object][])('%s', (_what, sent, seen, expected) => {
    const bySent = new Map(sent.map(([name, accepted, all]) => [name, { accepted, sent: all }]));
    expect(checkOf(bySent, new Map(seen))).toEqual(expected);
  });
});

test('the report is one file, without outside resources, and shows what failed', () => {
  const samples = [sample(0, 30), sample(400, 900), sample(1200, 1300, 503)];
  const recorder = recorded(samples, 2);
  const report: LoadReport = {
    url: 'http://a<b>&"c',
    profile: 'storm',
    rate: 2,
    readsPerSecond: 0,
    seconds: 2,
    beganAt: '2026-11-20T14:00:00.000Z',
    events: recorder.figuresOf('event'),
    reads: recorder.figuresOf('read'),
    check: { accepted: 2, applied: 1, lost: 1, doubled: 0 },
    problems: ['1 accepted event is lost'],
    intervals: recorder.intervals,
  };
  const html = htmlOf(report);
  expect(html).toContain('1 accepted event is lost');
  expect(html).toContain('http://a&lt;b&gt;&amp;&quot;c');
  expect(html.match(/<svg/g)).toHaveLength(3);
  expect(html.match(/<polyline/g)?.length).toBeGreaterThanOrEqual(5);
  expect(html).not.toMatch(/NaN|Infinity|undefined|<script|<link|src=|@import|url\(/);
});

describe('the command', () => {
  const url = ['--url', 'http://127.0.0.1:3000'];

  test('has defaults, and takes the key from the environment', () => {
    expect(readCommand(['--profile', 'storm', ...url], { LOAD_API_KEY: ' svc_live_x\n' })).toMatchObject({
      profile: 'storm',
      seconds: 180,
      rate: 10,
      integrations: null,
      installation: { url: 'http://127.0.0.1:3000/', key: 'svc_live_x' },
    });
    expect(readCommand(['--profile', 'soak', '--seconds', '5'], {})).toMatchObject({ seconds: 5, installation: null });
    expect(readCommand(['--help'], {})).toBeNull();
  });

  test.each([
    [[], /--profile must be one of storm, day, soak/],
    [['--profile', 'calm'], /--profile/],
    [['--profile', 'day', '--rate', 'many'], /--rate must be a number/],
    [['--profile', 'day', '--rate', '0'], /--rate/],
    [['--profile', 'day', '--seconds', '1.5'], /--seconds must be a whole number/],
    [['--profile', 'day', '--url', 'ftp://x'], /--url/],
    [['--profile', 'day', '--url', 'http://a:b@x'], /--url must not have a password/],
    [['--profile', 'day', ...url], /LOAD_API_KEY/],
    [['--profile', 'day', ...url, '--key-file', '/nowhere'], /--key-file cannot be read: ENOENT/],
    [['--profile', 'day', '--key', 'svc_live_x'], /Unknown option '--key'/],
    [['--profile', 'day', 'svc_live_x'], /^an argument belongs to no option/],
  ])('refuses %j', (args, message) => {
    expect(() => readCommand(args, {})).toThrow(message);
    expect(() => readCommand(args, {})).toThrow(UsageError);
  });
});
