import { texts } from '../texts/texts.js';
import { whySteps, type Explanation } from './why-steps.js';

const actor = { type: 'service' as const, id: null, name: 'suppression' };
const none: Explanation = {
  alertId: 'alr_1',
  summary: '',
  events: [],
  decisions: [],
  suppressions: [],
  runs: [],
  notifications: [],
  pages: [],
  deliveries: [],
};

describe('an explanation as steps', () => {
  it('has the request, its mapping and the windows, then the workflows, in the order of time', () => {
    const steps = whySteps({
      ...none,
      decisions: [
        {
          eventId: 'tml_1',
          event: 'alert.created',
          occurredAt: '2026-11-20T14:00:00.000Z',
          workflows: [
            { name: 'Page', outcome: 'run', trace: { kind: 'always', holds: true } },
            { name: 'Night', outcome: 'conditions' },
            { name: 'Odd', outcome: 'other' },
            { name: 'Long', outcome: 'run', trace: { kind: 'any', holds: false, undecided: true, children: [] } },
          ],
        },
      ],
      events: [
        {
          id: 'evt_1',
          receivedAt: '2026-11-20T14:00:00.000Z',
          outcome: 'opened',
          mapping: { title: { from: 'mapping', path: 'check.name' } },
          fingerprint: { value: 'cpu', source: 'explicit' },
          windows: [
            { name: 'Maintenance', matched: false },
            { name: 'Large', matched: false, undecided: true },
          ],
        },
      ],
      suppressions: [
        {
          id: 'tml_2',
          event: 'alert.suppressed',
          occurredAt: '2026-11-20T13:59:00.000Z',
          isHidden: true,
          windowId: 'sup_1',
          windowName: null,
          until: null,
          actor,
        },
      ],
    });
    expect(steps.map(({ text }) => text)).toEqual([
      'Hidden by a window that was deleted',
      'A request of the sender: it opened the alert',
      'The window Maintenance did not match',
      'The window Large hid nothing: comparing it took too much work',
      'The workflow Page ran',
      'The workflow Night did not run: its conditions do not hold',
      'The workflow Odd: other',
      'The workflow Long ran',
    ]);
    expect(steps[1]).toMatchObject({
      note: 'Fingerprint cpu (explicit)',
      mapping: [{ field: 'title', from: 'mapping, check.name' }],
    });
    expect(steps[4]?.trace).toEqual({ kind: 'always', holds: true });
    expect(steps[5]?.trace).toBeUndefined();
    expect(steps.map(({ note }) => note === texts.alerts.why.undecided).lastIndexOf(true)).toBe(7);
  });

  it('nothing was decided', () => expect(whySteps(none)).toEqual([]));
});
