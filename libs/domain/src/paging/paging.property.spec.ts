/** Properties of incidents and their escalations over random histories; `testing/long` runs more of them. */
import fc from 'fast-check';
import { checkHistory, histories } from '../../testing/paging-histories.js';

test('over any history of alerts, people, time and policies, an incident is what a simple model says', () => {
  fc.assert(fc.property(histories, checkHistory), { numRuns: 300 });
});
