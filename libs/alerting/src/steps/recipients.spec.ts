import type { Tenant } from '@ams/contracts';
import type { MailFacts, NotifyTarget } from '@ams/domain';
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

const reads = (
  onCall: string[],
  of: Partial<MemberContact> = {},
  known: Record<string, Partial<MailFacts>> = {},
): RecipientReads => ({
  mailFacts: (_tenant, addresses) =>
    Promise.resolve(
      new Map(addresses.map((one) => [one, { isMember: false, address: null, domain: null, ...known[one] }])),
    ),
  member: (_tenant, id) => {
    const name = Object.entries(ids).find(([, uuid]) => uuid === id)?.[0];
    return Promise.resolve(
      name
        ? { id, name, email: `${name}@example.com`, status: 'active', otherAddresses: [], devices: [], ...of }
        : null,
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

describe('mail', () => {
  const found = async (
    targets: NotifyTarget[],
    known: Record<string, Partial<MailFacts>>,
    of: Partial<MemberContact> = {},
  ) =>
    (await recipientsOf(reads([ids.ann], of, known), tenant, targets, '2026-11-20T14:00:00Z')).map((recipient) => [
      recipient.target,
      recipient.unreachable,
      recipient.memberId,
    ]);
  const to = (address: string): NotifyTarget => ({ type: 'email', address });
  const notVerified = expect.stringMatching(/verified neither/);
  const bounced = expect.stringMatching(/refused the address/);

  test('goes to verified addresses and to members, and to nobody else', async () => {
    const known = {
      'ops@shop.example': { address: 'verified' },
      'dev@own.example': { domain: 'verified' },
      'kim@example.com': { isMember: true },
    } as const;
    const targets = ['ops@shop.example', 'dev@own.example', 'kim@example.com', 'a@stranger.example'].map(to);
    expect(await found(targets, known)).toEqual([
      ['ops@shop.example', null, null],
      ['dev@own.example', null, null],
      ['kim@example.com', null, null],
      ['a@stranger.example', notVerified, null],
    ]);
  });

  test('of a member goes to the further addresses when the first one refused it, and the list says so', async () => {
    const known = {
      'ann@example.com': { isMember: true, address: 'bounced' },
      'ann@old.example': { address: 'bounced' },
    };
    const of = { otherAddresses: ['ann@old.example', 'ann@home.example'], devices: [phone] };
    expect(await found([...targets], known as Record<string, Partial<MailFacts>>, of)).toEqual([
      ['ann@example.com', bounced, ids.ann],
      ['ann@home.example', null, ids.ann],
      ['Phone', null, ids.ann],
    ]);
  });

  test('of a member goes to the first address only while it is accepted, and of an invited one always', async () => {
    const of = { otherAddresses: ['ann@home.example'] };
    expect(await found([...targets], {}, of)).toEqual([['ann@example.com', null, ids.ann]]);
    const refused = { 'ann@example.com': { address: 'bounced' } } as const;
    expect(await found([...targets], refused, { ...of, status: 'invited' })).toEqual([
      ['ann@example.com', bounced, ids.ann],
    ]);
  });
});
