import { readable, requestsOfAlert } from './requests-of-alert.js';

const requests = [
  { id: 'req_1', items: [{ eventId: 'evt_1', fingerprint: 'cpu' }] },
  {
    id: 'req_2',
    items: [
      { eventId: 'evt_2', fingerprint: 'cpu' },
      { eventId: 'evt_3', fingerprint: 'disk' },
    ],
  },
  { id: 'req_3', items: [null, { reason: 'no title' }] },
];
const idsOf = (eventIds: string[], fingerprint: string) =>
  requestsOfAlert(requests, new Set(eventIds), fingerprint).map(({ id }) => id);

describe('the requests about an alert', () => {
  it('by the events', () => expect(idsOf(['evt_1'], 'cpu')).toEqual(['req_1']));
  it('by the fingerprint, when no event is known', () => expect(idsOf(['evt_9'], 'disk')).toEqual(['req_2']));
  it('none', () => expect(idsOf([], 'memory')).toEqual([]));
  it('shows JSON with line breaks', () => {
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(readable('a=1')).toBe('a=1');
  });
});
