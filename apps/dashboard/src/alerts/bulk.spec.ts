import { answered, begun, inParts, ofJob, percentOf } from './bulk.js';

describe('a change of many alerts', () => {
  it('sends 250 at once', () => {
    const ids = Array.from({ length: 601 }, (_, i) => i);
    expect(inParts(ids).map(({ length }) => length)).toEqual([250, 250, 101]);
    expect(inParts(ids).flat()).toEqual(ids);
    expect(inParts([])).toEqual([]);
  });

  it('adds up the answers, with each failure', () => {
    const one = answered(begun('resolve', 4), {
      succeeded: 1,
      failed: 1,
      results: [
        { id: 'a', ok: true },
        { id: 'b', ok: false, error: { error: 'no such alert' } },
      ],
    });
    const two = answered(one, { succeeded: 1, failed: 0, results: [{ id: 'c', ok: true }] });
    expect(two).toMatchObject({ succeeded: 2, failed: 1, failures: [{ id: 'b', error: 'no such alert' }] });
    expect(percentOf(two)).toBe(75);
  });

  it('follows a job', () => {
    const job = { status: 'running' as const, requested: 5000, succeeded: 1200, failed: 1, error: null };
    const failures = [{ id: 'a', error: { error: 'resolved already' } }];
    const progress = ofJob(begun('acknowledge', 4990), { ...job, failures });
    expect(progress).toMatchObject({ requested: 5000, state: 'running', failures: [{ id: 'a' }] });
    expect(percentOf(progress)).toBe(24);
    expect(ofJob(progress, { ...job, failures, status: 'completed' }).state).toBe('done');
    expect(ofJob(progress, { ...job, failures, status: 'failed', error: { error: 'x' } })).toMatchObject({
      state: 'stopped',
      error: 'x',
    });
  });

  it('nothing to do is done', () => expect(percentOf(begun('resolve', 0))).toBe(100));
});
