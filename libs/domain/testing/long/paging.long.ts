import fc from 'fast-check';
import { checkHistory, histories } from '../paging-histories.js';

it('over 10,000 histories of alerts, people, time and policies, an incident is what a simple model says', () => {
  fc.assert(fc.property(histories, checkHistory), { numRuns: 10_000 });
});
