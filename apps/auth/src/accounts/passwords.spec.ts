import { Passwords } from './passwords.js';

const [stormy, quiet] = ['198.51.100.1', '203.0.113.1'];
const password = 'a good password';

test('networks take turns: attempts of one delay another by one of them at a time', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash(password, quiet);
  const ended: string[] = [];
  const attempt = async (name: string, ip: string, tried: string) => {
    const isRight = await passwords.isRight(hash, tried, ip);
    ended.push(name);
    return isRight;
  };
  const storm = Array.from({ length: 8 }, (_, n) => attempt(`wrong ${n}`, stormy, `wrong ${n}`));
  const right = [attempt('right 0', quiet, password), attempt('right 1', quiet, password)];
  expect(await Promise.all(right)).toEqual([true, true]);
  expect(ended.filter((name) => name.startsWith('wrong')).length).toBeLessThan(6);
  expect(await Promise.all(storm)).toEqual(Array(8).fill(false));
});

test('more than fifty that wait from one network are refused, those of another are not', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash(password, quiet);
  const attempts = Array.from({ length: 60 }, () => passwords.isRight(hash, 'wrong', stormy));
  const outcomes = Promise.allSettled(attempts);
  expect(await passwords.isRight(hash, password, quiet)).toBe(true);
  const refused = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.length).toBeGreaterThanOrEqual(9);
  for (const error of refused) expect(error).toMatchObject({ code: 'UNAVAILABLE' });
});
