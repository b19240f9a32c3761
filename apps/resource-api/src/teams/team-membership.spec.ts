import {
  createTeam,
  getTeam,
  publicId,
  teamMembershipRequest,
  type AuditRecord,
  type Principal,
  type Team,
  type TeamMembershipReply,
} from '@ams/contracts';
import { RpcClient } from '@ams/messaging';
import { dataOf, eventually, insertMember } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  [ann, bob] = [await insertMember(api.admin, me, { name: 'Ann' }), await insertMember(api.admin, me, { name: 'Bob' })];
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const newTeam = async (slug: string): Promise<Team> => {
  const members = [{ userId: publicId('member', ann), role: 'manager' }];
  return dataOf(await api.callAs(me, createTeam, { body: { name: slug, slug, members } }));
};
const membersOf = async ({ id }: Team): Promise<string[]> =>
  dataOf<Team>(await api.callAs(me, getTeam, { params: { id } })).members.map(
    ({ userId, role }) => `${userId === publicId('member', ann) ? 'ann' : 'bob'} ${role}`,
  );
const follow = (memberId: string, teams: { slug: string; belongs: boolean }[]): Promise<TeamMembershipReply> =>
  new RpcClient(api.nats).request(
    teamMembershipRequest,
    { organizationId: me.organizationId, memberId, teams, actorName: 'Example login', requestId: 'r' },
    { timeoutMs: 60_000, requestId: 'r' },
  );

it('a member joins and leaves the teams of the groups', async () => {
  const [payments, search] = [await newTeam('payments'), await newTeam('search')];
  const elsewhere = await api.newPrincipal();
  const foreign = dataOf<Team>(await api.callAs(elsewhere, createTeam, { body: { name: 'x', slug: 'payments' } }));

  const joined = await follow(bob, [
    { slug: 'payments', belongs: true },
    { slug: 'unknown', belongs: true },
  ]);
  expect(joined).toEqual({ changed: ['live payments'], full: [], unknown: ['unknown'] });
  expect(await membersOf(payments)).toEqual(['ann manager', 'bob responder']);
  expect(await membersOf(search)).toEqual(['ann manager']);
  expect(dataOf<Team>(await api.callAs(elsewhere, getTeam, { params: { id: foreign.id } })).members).toEqual([]);

  // Again: nothing changes, and a manager stays one.
  expect((await follow(bob, [{ slug: 'payments', belongs: true }])).changed).toEqual([]);
  expect((await follow(ann, [{ slug: 'payments', belongs: true }])).changed).toEqual([]);
  expect(await membersOf(payments)).toEqual(['ann manager', 'bob responder']);

  expect((await follow(bob, [{ slug: 'payments', belongs: false }])).changed).toEqual(['live payments']);
  expect(await membersOf(payments)).toEqual(['ann manager']);
  const changes = () => audit.filter(({ actor }) => actor.name === 'Example login');
  await eventually(() => expect(changes()).toHaveLength(2));
  expect(changes()[0]).toMatchObject({
    type: 'team.updated',
    organizationId: me.organizationId,
    resource: { type: 'team', id: payments.id },
    changes: [expect.objectContaining({ field: 'members' })],
  });
});
