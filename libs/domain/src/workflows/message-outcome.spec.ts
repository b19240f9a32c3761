import fc from 'fast-check';
import { messageOutcome, type MessageEnd, type MessageOutcome } from './message-outcome.js';

type Status = MessageEnd['status'];

const ended = (...statuses: Status[]) =>
  messageOutcome(statuses.map((status, index) => ({ status, reason: `${status} ${index}` })));

test.each<[Status[], MessageOutcome['outcome'], string | null]>([
  [['queued'], 'pending', null],
  [['sent'], 'done', null],
  [['captured'], 'done', null],
  [['failed'], 'failed', 'failed 0'],
  [['skipped'], 'skipped', 'skipped 0'],
  [['queued', 'sent'], 'done', null],
  [['queued', 'failed', 'skipped'], 'pending', null],
  [['failed', 'sent', 'skipped'], 'done', null],
  [['skipped', 'captured'], 'done', null],
  [['skipped', 'failed', 'failed'], 'failed', 'failed 1'],
  [['skipped', 'skipped'], 'skipped', 'skipped 0'],
  [[], 'skipped', 'it has no recipients'],
])('a step with messages that are %j is %s (%s)', (statuses, outcome, reason) =>
  expect(ended(...statuses)).toEqual({ outcome, reason }),
);

const status = fc.constantFrom<Status>('queued', 'sent', 'failed', 'captured', 'skipped');

test('skipped and failed messages alone are never done, and a reason is there exactly when nobody was told', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 6 }), (statuses) => {
      const { outcome, reason } = ended(...statuses);
      const told = statuses.some((one) => one === 'sent' || one === 'captured');
      expect(outcome === 'done').toBe(told);
      expect(outcome === 'pending').toBe(!told && statuses.includes('queued'));
      expect(reason === null).toBe(outcome === 'done' || outcome === 'pending');
    }),
  );
});

test('the order of the messages does not change the outcome, and a queued message can only end it', () => {
  fc.assert(
    fc.property(fc.array(status, { minLength: 1, maxLength: 6 }), (statuses) => {
      expect(ended(...statuses.toReversed()).outcome).toBe(ended(...statuses).outcome);
      const later = ended(...statuses.map((one): Status => (one === 'queued' ? 'failed' : one))).outcome;
      if (ended(...statuses).outcome !== 'pending') expect(later).toBe(ended(...statuses).outcome);
      else expect(later).toBe('failed');
    }),
  );
});
