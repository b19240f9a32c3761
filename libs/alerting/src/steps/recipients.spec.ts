import type { Tenant } from '@ams/contracts';
import type { MemberContact } from '../schedules/on-call.js';
import { recipientsOf, type RecipientReads } from './recipients.js';

const tenant: Tenant & { workflowId: null; workflowName: string } = {
  organizationId: '00000000-0000-0000-0000-000000000001',
  environment: 'live',
  workflowId: null,
  workflowName: 'Page',
};
const ids = { ann: '00000000-0000-0000-0000-00000000000a', bob: '00000000-0000-0000-0000-00000000000b' };

const phone = { id: '00000000-0000-0000-0000-0000000000d1', name: 'Phone' };

const reads = (onCall: string[], of: Partial<MemberContact> = {}): RecipientReads => ({
  member: (_tenant, id) => {
    const name = Object.entries(ids).find(([, uuid]) => uuid === id)?.[0];
    return Promise.resolve(
      name ? { id, name, email: `${name}@example.com`, status: 'active', devices: [], ...of } : null,
    );
  },
  onCall: () =>
    Promise.resolve(
      (onCall.length === 0 ? [null] : onCall).map((memberId) => ({
        scheduleId: 'sch_1',
        scheduleName: 'Primary',
        memberId,
        source: memberId === null ? null : ('layer' as const),
        layer: null,
        until: null,
      })),
    ),
});
const targets = [{ type: 'schedule' as const, id: 'sch_1', who: 'current' as const }];
const addresses = async (onCall: string[], of: Partial<MemberContact> = {}) =>
  (await recipientsOf(reads(onCall, of), tenant, targets, '2026-11-20T14:00:00Z')).map(({ target, unreachable }) => [
    target,
    unreachable,
  ]);

test('everybody who is on call in a schedule is notified, each once', async () => {
  expect(await addresses([ids.ann, ids.bob, ids.ann])).toEqual([
    ['ann@example.com', null],
    ['bob@example.com', null],
  ]);
});

test('a gap is one recipient who cannot be notified', async () => {
  expect(await addresses([])).toEqual([['', 'nobody is on call in Primary']]);
});

test('a member is notified by mail and on every device, each once', async () => {
  expect(await addresses([ids.ann, ids.ann], { devices: [phone] })).toEqual([
    ['ann@example.com', null],
    ['Phone', null],
  ]);
});

test('nothing is pushed to the devices of a disabled member', async () => {
  expect(await addresses([ids.ann], { devices: [phone], status: 'disabled' })).toEqual([
    ['ann@example.com', 'ann is disabled'],
  ]);
});
