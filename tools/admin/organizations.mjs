// Organizations, each with its first owner and first key.
import { json } from './command-line.mjs';
import { facts, table } from './printing.mjs';

const counts = (numbers) =>
  Object.entries(numbers)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `${n} ${what}`)
    .join(', ') || 'none';

const columns = [
  ['SLUG', ({ slug }) => slug],
  ['NAME', ({ name }) => name],
  ['MEMBERS', ({ members }) => counts(members)],
  ['KEYS', ({ keys }) => counts(keys)],
  ['CREATED', ({ createdAt }) => createdAt],
];

const list = {
  summary: 'lists all organizations',
  options: { json },
  async run({ database, listOrganizations }) {
    const record = await listOrganizations(database);
    return { record, lines: record.length > 0 ? table(record, columns) : ['There are no organizations.'] };
  },
};

const show = {
  summary: 'shows one organization: its owners, and the number of its members and keys',
  positionals: ['SLUG'],
  options: { json },
  async run({ database, showOrganization }, _options, slug) {
    const record = await showOrganization(database, slug);
    const { name, id, owners, members, keys, createdAt } = record;
    const pairs = [
      ['slug', record.slug],
      ['name', name],
      ['id', id],
      ['owners', owners.join(', ') || 'none'],
      ['members', counts(members)],
      ['keys', counts(keys)],
    ];
    return { record, lines: facts([...pairs, ['created', createdAt]]) };
  },
};

const create = {
  summary: 'creates an organization with its first owner, and prints a live key with all scopes once',
  positionals: ['NAME'],
  options: {
    'owner-name': { value: 'NAME', summary: 'the name of the first owner', required: true },
    'owner-email': { value: 'EMAIL', summary: 'the e-mail address of the first owner', required: true },
    slug: { value: 'SLUG', summary: 'the short name of the organization in commands (default: made from its name)' },
    json,
  },
  async run({ database, createOrganization }, { 'owner-name': ownerName, 'owner-email': ownerEmail, slug }, name) {
    const record = await createOrganization(database, { name, slug, ownerName, ownerEmail });
    const { organization, owner, key } = record;
    return {
      record,
      lines: [
        `The organization "${organization.name}" (${organization.slug}, ${organization.id}) is created, with ` +
          `its owner ${owner.email} (${owner.id}).`,
        `Its key "${key.name}" (${key.id}), live and with all scopes, is shown only once:`,
        key.key,
      ],
    };
  },
};

const limitColumns = [
  ['KIND', ({ kind }) => kind],
  ['LIMIT', ({ limit }) => String(limit)],
  ['SET', ({ isSet }) => (isSet ? 'yes' : 'default')],
];

const limits = {
  summary: 'shows the limits of an organization, or sets one: KIND and a number, or KIND and "default"',
  positionals: ['SLUG', '[KIND]', '[LIMIT]'],
  options: { json },
  fault: (_options, _slug, kind, limit) =>
    kind !== undefined && limit === undefined ? 'LIMIT must be given: a number, or "default".' : null,
  async run({ database, listLimits, setLimit }, _options, slug, kind, limit) {
    const record =
      kind === undefined
        ? await listLimits(database, slug)
        : await setLimit(database, { organization: slug, kind, limit });
    return { record, lines: table(record, limitColumns) };
  },
};

export const commands = { list, show, create, limits };
