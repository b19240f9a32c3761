// Organizations, each with its first owner and first key.
import { json } from './command-line.mjs';
import { exportOrganization } from './organization-files/export.mjs';
import { importOrganization } from './organization-files/import.mjs';
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

/** A statement of an export or an import may read or check all alerts of an organization. */
const hourMs = 3_600_000;

const kindColumns = [
  ['KIND', ([kind]) => kind],
  ['LINES', ([, n]) => String(n)],
];

const toSetAgain = ({ leftOut = [] }) =>
  leftOut.length === 0
    ? []
    : [
        'The secrets of these records are not in the file, and must be set again:',
        ...table(leftOut, [
          ['KIND', ({ kind }) => kind],
          ['ENVIRONMENT', ({ environment }) => environment],
          ['NAME', ({ name }) => name],
        ]),
      ];

const exportFile = {
  summary: 'writes an organization with all its records into FILE, for "organizations import"',
  positionals: ['SLUG', 'FILE'],
  options: {
    'configuration-only': { summary: 'without alerts, incidents, notifications and other history' },
    since: {
      value: 'TIME',
      summary: 'of the history only what is open, or has changed at or after this time, such as 2027-01-31T12:00:00Z',
    },
    'with-secrets': {
      value: 'FILE',
      summary: 'also addresses and signing secrets of workflows, sealed with the passphrase in this file',
    },
    json,
  },
  timeoutMs: hourMs,
  fault: ({ since, 'configuration-only': configurationOnly }) => {
    if (since === undefined) return null;
    if (configurationOnly) return '--since and --configuration-only exclude each other.';
    return /^\d{4}-\d\d-\d\dT/.test(since) && !Number.isNaN(Date.parse(since))
      ? null
      : '--since must be a time, such as 2027-01-31T12:00:00Z.';
  },
  async run(context, { 'configuration-only': configurationOnly, since, 'with-secrets': secrets }, slug, file) {
    const written = await exportOrganization(context, { slug, file, configurationOnly, since, secrets });
    const { sha256, lines, counts, organization } = written;
    return {
      record: { file, organization, lines, sha256, counts, secretsLeftOut: written.secrets.leftOut ?? [] },
      lines: [
        ...table(Object.entries(counts), kindColumns),
        `${file} has ${lines} lines; SHA-256 ${sha256}.`,
        ...toSetAgain(written.secrets),
      ],
    };
  },
};

const importFile = {
  summary: 'stores the organization of FILE, all of it or nothing; nobody is paged for an hour because of it',
  positionals: ['FILE'],
  options: {
    check: { summary: 'checks everything, and stores nothing' },
    slug: { value: 'SLUG', summary: 'another short name than the file has' },
    secrets: { value: 'FILE', summary: 'the passphrase of the secrets in the file' },
    'without-secrets': { summary: 'leaves out the secrets of the file' },
    resume: {
      summary: 'escalations, runs, waiting messages and heartbeats go on at once: only when their source has stopped',
    },
    json,
  },
  timeoutMs: hourMs,
  fault: ({ secrets, 'without-secrets': withoutSecrets }) =>
    secrets !== undefined && withoutSecrets ? '--secrets and --without-secrets exclude each other.' : null,
  async run(context, { check, slug, secrets, resume, 'without-secrets': withoutSecrets }, file) {
    const options = { file, check, slug: slug && context.slugFrom(slug), secrets, withoutSecrets, resume };
    const { header, sha256, held } = await importOrganization(context, options);
    const organization = { ...header.organization, ...(options.slug ? { slug: options.slug } : {}) };
    const done = check
      ? `${file} is right, and would be stored as "${organization.name}" (${organization.slug}). Nothing was stored.`
      : `"${organization.name}" (${organization.slug}) is stored.`;
    const incidents = held.length === 1 ? '1 incident is' : `${held.length} incidents are`;
    return {
      record: { organization, stored: !check, sha256, counts: header.counts, heldIncidents: held },
      lines: [
        ...table(Object.entries(header.counts), kindColumns),
        done,
        ...(held.length > 0 ? [`${incidents} acknowledged for an hour. What fires then pages again.`] : []),
        ...(check ? [] : ['Members sign in with a link: members sign-in-link.']),
        ...toSetAgain(header.secrets),
      ],
    };
  },
};

export const commands = { list, show, create, limits, export: exportFile, import: importFile };
