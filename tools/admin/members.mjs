// Members of an organization.
import { json } from './command-line.mjs';
import { confirmed, rpcToGateways } from './gateways.mjs';
import { table } from './printing.mjs';

const organization = { value: 'SLUG', summary: 'the organization', required: true };
const role = { value: 'ROLE', summary: 'owner, admin, responder or viewer', required: true };

const columns = [
  ['NAME', ({ name }) => name],
  ['E-MAIL', ({ email }) => email],
  ['ROLE', ({ role }) => role],
  ['STATUS', ({ status }) => status],
  ['TIME ZONE', ({ timezone }) => timezone],
  ['CREATED', ({ createdAt }) => createdAt],
  ['ID', ({ id }) => id],
];

const list = {
  summary: 'lists the members of an organization',
  options: { organization, json },
  async run({ database, listMembers }, { organization }) {
    const record = await listMembers(database, { organization });
    return { record, lines: record.length > 0 ? table(record, columns) : ['There are no members.'] };
  },
};

const add = {
  summary: 'adds a member, who is active immediately',
  options: {
    organization,
    name: { value: 'NAME', summary: 'the name of the member', required: true },
    email: { value: 'EMAIL', summary: 'the e-mail address, unique in the organization', required: true },
    role,
    timezone: { value: 'ZONE', summary: 'a time zone of the IANA database, such as Europe/Berlin (default UTC)' },
    json,
  },
  async run({ database, addMember }, { organization, name, email, role, timezone }) {
    const record = await addMember(database, { organization, name, email, role, timezone });
    return { record, lines: [`${record.email} (${record.id}) is a member of ${organization} now, as ${record.role}.`] };
  },
};

/** A command that changes one member by the function of that name; `is` describes the new state. */
const changing = ({ summary, options, change, is }) => ({
  summary,
  positionals: ['EMAIL'],
  options: { organization, ...options, json },
  async run({ database, [change]: changeMember }, { organization, role }, email) {
    const { changed, member } = await changeMember(database, { organization, email, role });
    return {
      record: { changed, ...member },
      lines: [`${member.email} (${member.id}) is ${is(member, organization)} ${changed ? 'now' : 'already'}.`],
    };
  },
});

const setRoleTo = changing({
  summary: 'changes the role of a member',
  options: { role },
  change: 'setRole',
  is: ({ role }, organization) => `${role} of ${organization}`,
});

const disable = {
  summary: 'disables a member that no schedule and no workflow refers to, and ends the sessions immediately',
  positionals: ['EMAIL'],
  options: { organization, json },
  async run({ database, broker, disableMember, RpcClient }, { organization }, email) {
    const rpc = await rpcToGateways(broker, RpcClient);
    const { member, ...done } = await disableMember(database, rpc, { organization, email });
    const is = `${member.email} (${member.id}) is disabled ${done.changed ? 'now' : 'already'}`;
    return { record: { ...done, ...member }, lines: [`${is}${endOf(done, is)}.`] };
  },
};

/** The end of a sentence about sessions that were ended. Throws when their requests in progress have not ended. */
function endOf({ sessions, gatewaysTold, ended }, done) {
  if (!ended)
    throw new Error(
      `${done}, but waiting for the requests in progress of the sessions failed: they may still make changes.`,
    );
  if (sessions === 0) return '';
  return `; ${sessions} ${sessions === 1 ? 'session' : 'sessions'} ended, ${confirmed(gatewaysTold)}`;
}
const enable = changing({ summary: 'enables a disabled member', change: 'enableMember', is: () => 'active' });

const remove = {
  summary: 'deletes a member that nothing refers to, with all that belongs to the person; it cannot be undone',
  positionals: ['EMAIL'],
  options: { organization, json },
  async run({ database, broker, deleteMember, RpcClient }, { organization }, email) {
    const rpc = await rpcToGateways(broker, RpcClient);
    const { member, ...done } = await deleteMember(database, rpc, { organization, email });
    const is = `${member.email} (${member.id}) is deleted`;
    return { record: { ...done, ...member }, lines: [`${is}${endOf(done, is)}.`] };
  },
};

const signInLink = {
  summary: 'makes a link by which a member signs in once without a password, and can then choose one',
  positionals: ['EMAIL'],
  options: {
    organization,
    url: { value: 'URL', summary: 'the address of the dashboard (default: PUBLIC_URL, or http://localhost:3000)' },
    json,
  },
  async run({ database, admin, signInLink: make }, { organization, url }, email) {
    const baseUrl = url ?? process.env.PUBLIC_URL ?? 'http://localhost:3000';
    const record = await make(database, admin, { organization, email, baseUrl });
    const sentence = `Whoever opens this link signs in as ${record.email}, once, until ${record.expiresAt}:`;
    return { record, lines: [sentence, record.url] };
  },
};

const removeFactors = {
  summary: 'removes the authenticator app, the passkeys and the recovery codes of a member, and ends the sessions',
  positionals: ['EMAIL'],
  options: { organization, json },
  async run({ database, broker, removeFactors: remove, RpcClient }, { organization }, email) {
    const rpc = await rpcToGateways(broker, RpcClient);
    const record = await remove(database, rpc, { organization, email });
    const signsIn = `${record.email} signs in without a second factor now, until a new one is set up`;
    return { record, lines: [`${signsIn}${endOf(record, signsIn)}.`] };
  },
};

export const commands = {
  list,
  add,
  'set-role': setRoleTo,
  disable,
  enable,
  delete: remove,
  'sign-in-link': signInLink,
  'remove-factors': removeFactors,
};
