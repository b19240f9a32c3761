import { isPartial, liveEventOf, mayBelong, patched, type LiveEvent } from './live-event.js';

const event: LiveEvent = {
  type: 'alert.acknowledged',
  occurredAt: '2026-11-20T14:05:00.000Z',
  resource: { type: 'alert', id: 'alr_1' },
  changed: ['status'],
  fields: { status: 'acknowledged', version: 3 },
};

it('changes the record that it is about, unless that is newer', () => {
  const record = { id: 'alr_1', status: 'firing', title: 'High CPU', version: 2 };
  expect(patched(record, event)).toEqual({ ...record, status: 'acknowledged', version: 3 });
  for (const other of [
    { ...record, version: 3 },
    { ...record, version: 4 },
    { ...record, id: 'alr_2' },
  ]) {
    expect(patched(other, event)).toBe(other);
  }
});

it('is told from what is about the connection', () => {
  expect(liveEventOf(JSON.stringify(event))).toEqual(event);
  expect([liveEventOf('{"reason":"revoked"}'), liveEventOf('{}')]).toEqual([null, null]);
});

it('is partial when it names a change that it does not contain', () => {
  expect([isPartial(event), isPartial({ ...event, changed: ['status', 'labels'] })]).toEqual([false, true]);
});

describe('a new record may belong to a list', () => {
  const fields = { status: 'firing', severity: 'high', clientId: null };
  it.each<[Record<string, unknown>, boolean]>([
    [{}, true],
    [{ status: ['firing'] }, true],
    [{ status: ['resolved', 'acknowledged'] }, false],
    [{ status: ['!resolved'], severity: ['high'] }, true],
    [{ status: ['!firing'] }, false],
    [{ clientId: ['cli_1'] }, false],
    [{ label: ['region:eu'], q: 'cpu', source: ['x'] }, true],
    [{ severity: [], limit: 50 }, true],
  ])('with the filters %j: %s', (query, expected) => {
    expect(mayBelong(query, fields)).toBe(expected);
  });
});
