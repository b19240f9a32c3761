import fc from 'fast-check';
import { pageOutcomes, whyPage, type PageLine } from './why-page.js';

const line: PageLine = {
  workflow: { name: 'Page the team' },
  event: 'alert.created',
  outcome: 'told',
  told: ['mira@example.com'],
  incidentNumber: 12,
  policyName: 'Payments',
  repairs: 0,
};

test.each<[Partial<PageLine>, string]>([
  [{}, '"Page the team" ran on alert.created, and mira@example.com was told by the escalation policy "Payments".'],
  [
    { told: ['a@example.com', 'b@example.com', 'a@example.com'] },
    '"Page the team" ran on alert.created, and a@example.com and b@example.com were told by the escalation policy ' +
      '"Payments".',
  ],
  [
    { workflow: { name: null }, told: [], policyName: null, event: null },
    'A workflow ran, and somebody was told by the escalation policy.',
  ],
  [
    { workflow: null, policyName: 'Default' },
    'No workflow ran on alert.created for the urgent alert and the catch-all policy was asked, and mira@example.com ' +
      'was told by the escalation policy "Default".',
  ],
  [
    { outcome: 'joined' },
    '"Page the team" ran on alert.created, and the alert joined incident 12, whose people had been told.',
  ],
  [
    { outcome: 'acknowledged' },
    '"Page the team" ran on alert.created, but it was acknowledged before anybody was told.',
  ],
  [{ outcome: 'suppressed' }, '"Page the team" ran on alert.created, but it was suppressed before anybody was told.'],
  [
    { outcome: 'fallback', told: ['owner@example.com'] },
    '"Page the team" ran on alert.created, nobody of the escalation policy "Payments" could be told, and ' +
      'owner@example.com was told instead.',
  ],
  [{ outcome: 'nobody' }, '"Page the team" ran on alert.created, and nobody could be told.'],
  [{ outcome: null }, '"Page the team" ran on alert.created, and nobody has been told yet.'],
  [
    { outcome: 'nobody', repairs: 1 },
    '"Page the team" ran on alert.created, and nobody could be told, after the page had been missing.',
  ],
])('a page with %j is explained', (changes, sentence) => expect(whyPage({ ...line, ...changes })).toBe(sentence));

test('it is one sentence of a limited length, which names no more than ten recipients', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(null, ...pageOutcomes),
      fc.array(fc.emailAddress({ size: 'small' }), { maxLength: 40 }),
      fc.option(fc.nat()),
      (outcome, told, incidentNumber) => {
        const sentence = whyPage({ ...line, outcome, told, incidentNumber });
        expect(sentence).toMatch(/^"Page the team" ran on alert\.created, .*\.$/);
        expect(sentence.split('@').length - 1).toBeLessThanOrEqual(10);
      },
    ),
  ));
