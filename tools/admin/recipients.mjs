// Addresses and domains to which an organization may send mails besides its members.
import { json } from './command-line.mjs';
import { table } from './printing.mjs';

const columns = [
  ['VALUE', ({ value }) => value],
  ['STATUS', ({ status }) => status],
  ['VERIFIED BY', ({ verifiedBy }) => verifiedBy ?? ''],
  ['REASON', ({ reason }) => reason ?? ''],
  ['CREATED', ({ createdAt }) => createdAt],
];

const list = {
  summary: 'lists the addresses and domains of an organization, also those to which mail has stopped',
  positionals: ['ORGANIZATION'],
  options: { json },
  async run({ database, listRecipients }, _options, organization) {
    const record = await listRecipients(database, organization);
    return { record, lines: record.length > 0 ? table(record, columns) : ['There are no recipients of mails.'] };
  },
};

const verify = {
  summary: 'verifies an address or a domain, also an address to which mail has stopped',
  positionals: ['ORGANIZATION', 'ADDRESS_OR_DOMAIN'],
  options: { json },
  async run({ database, verifyRecipient }, _options, organization, value) {
    const record = await verifyRecipient(database, { organization, value });
    return { record, lines: [`${record.value} is verified: ${organization} may send mails to it.`] };
  },
};

const complaint = {
  summary: 'stops mail of an organization to an address whose owner has complained',
  positionals: ['ORGANIZATION', 'ADDRESS'],
  options: {
    reason: { value: 'TEXT', summary: 'what members see as the reason (default: "reported by the operator")' },
    json,
  },
  async run({ database, reportComplaint }, { reason = 'reported by the operator' }, organization, value) {
    const record = await reportComplaint(database, { organization, value, reason });
    return { record, lines: [`${organization} sends no more mail to ${record.value}, until it is verified again.`] };
  },
};

export const commands = { list, verify, complaint };
