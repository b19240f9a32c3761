import { Metrics } from '@ams/service';
import { IngestSettings } from '../settings.js';
import { BytePace } from './byte-pace.js';

const rate = 1_000_000;
const start = () =>
  new BytePace(new Metrics('ingest-gateway'), Object.assign(new IngestSettings(), { bytesPerSecond: rate }));

it('lets a burst go on at once, and what is over the rate wait in its order', () => {
  const pace = start();
  expect([pace.take('a', 250_000, 0), pace.take('a', 100_000, 0), pace.take('a', 100_000, 0)]).toEqual([0, 0, 100]);
  expect(pace.take('b', 250_000, 0)).toBe(0);
});

it('never lets more go on than the rate and a burst', () => {
  const pace = start();
  const sent: { at: number; bytes: number }[] = [];
  for (let now = 0; now < 10_000; now += 7) {
    const bytes = 1 + ((now * 7919) % 30_000);
    sent.push({ at: now + pace.take('a', bytes, now), bytes });
  }
  const goneOnBy = (at: number) => sent.filter((one) => one.at < at).reduce((sum, { bytes }) => sum + bytes, 0);
  for (const at of [1_000, 5_000, 10_000, 20_000])
    expect(goneOnBy(at)).toBeLessThan((rate * at) / 1000 + rate * 0.25 + 30_000);
  expect(sent.map(({ at }) => at)).toEqual(sent.map(({ at }) => at).sort((x, y) => x - y));
});

it('refuses an organization when five seconds of its bytes wait, and takes it again later', () => {
  const pace = start();
  pace.take('a', 5 * rate, 0);
  expect(pace.refusalOf('a', 0)).toBeNull();
  pace.take('a', rate, 0);
  expect(pace.refusalOf('a', 0)?.fault).toMatchObject({
    code: 'RATE_LIMITED',
    details: { scope: 'bytes of events per organization', limit: rate, windowSeconds: 1, retryAfterSeconds: 6 },
  });
  expect(pace.refusalOf('b', 0)).toBeNull();
  expect(pace.refusalOf('a', 1_000)).toBeNull();
});
