// Members of an organization.
import { json } from './command-line.mjs';
import { table } from './printing.mjs';

const organization = { value: 'SLUG', says: 'the organization', required: true };
const role = { value: 'ROLE', says: 'owner, admin, responder or viewer', required: true };

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
  says: 'the members of an organization',
  options: { organization, json },
  async run({ database, listMembers }, { organization }) {
    const record = await listMembers(database, { organization });
    return { record, lines: record.length > 0 ? table(record, columns) : ['There is no member.'] };
  },
};

const add = {
  says: 'adds a member, who is active at once',
  options: {
    organization,
    name: { value: 'NAME', says: 'the name of the member', required: true },
    email: { value: 'EMAIL', says: 'the address; an organization has each once', required: true },
    role,
    timezone: { value: 'ZONE', says: 'a zone of the IANA database, such as Europe/Berlin; UTC unless said' },
    json,
  },
  async run({ database, addMember }, { organization, name, email, role, timezone }) {
    const record = await addMember(database, { organization, name, email, role, timezone });
    return { record, lines: [`${record.email} (${record.id}) is a member of ${organization} now, as ${record.role}.`] };
  },
};

/** A command that changes one member by the function of that name, and the member `is` something then. */
const changing = ({ says, options, change, is }) => ({
  says,
  words: ['EMAIL'],
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
  says: 'gives a member another role',
  options: { role },
  change: 'setRole',
  is: ({ role }, organization) => `${role} of ${organization}`,
});
const disable = changing({
  says: 'disables a member whom no schedule and no workflow needs any more',
  change: 'disableMember',
  is: () => 'disabled',
});
const enable = changing({ says: 'makes a disabled member active again', change: 'enableMember', is: () => 'active' });

export const commands = { list, add, 'set-role': setRoleTo, disable, enable };
