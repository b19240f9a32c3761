import { Late } from './late.js';

it('loads once, and tries again after a failure', async () => {
  let loads = 0;
  const late = new Late(() => (++loads === 1 ? Promise.reject(new Error('no network')) : Promise.resolve('palette')));
  await expect(late.get()).rejects.toThrow('no network');
  expect(await late.get()).toBe('palette');
  expect(await late.get()).toBe('palette');
  expect(loads).toBe(2);
});
