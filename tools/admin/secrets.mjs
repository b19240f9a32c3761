// The secrets of an installation, as files: a folder for each service, which only this service may read.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  newAgreementKey,
  newMasterKey,
  newSigningKey,
  newVapidKeys,
  publicKeyOfGateway,
  publicKeysOfOwners,
  publicKeysOfWriters,
} from '../lib/new-keys.mjs';
import { json } from './command-line.mjs';

const defaultDatabase = 'postgres:5432/ams';
const defaultSmtpUrl = 'smtp://mail-catcher:8026';

const random = () => randomBytes(24).toString('base64url');

/** The private key with which a service signs its audit entries. */
const auditKeyOf = (name) => `audit key of ${name}`;

/** The private keys of signed calls: with which the API gateway signs, and with which a service checks. */
const callSigningKey = 'call signing key';
const callKeyOf = (name) => `call key of ${name}`;

/** The files of each folder. `values` are the ones that everything else is made from; they are created once. */
export function secretFiles(
  values,
  { database, smtpUrl, serviceRoles, natsUsers, natsAccounts, auditWriters, callOwners, publicJwkOf },
) {
  const url = (role, password) => `postgres://${role}:${password}@${database}`;
  const owner = { 'database-url': url('postgres', values['postgres']) };
  const folders = Object.fromEntries(
    natsUsers.map((name) => [
      name,
      {
        'nats-password': values[`nats ${name}`],
        ...(name in serviceRoles && { 'database-url': url(serviceRoles[name], values[`database ${name}`]) }),
      },
    ]),
  );
  for (const name of auditWriters) folders[name]['audit-writer-keys'] = values[auditKeyOf(name)];
  for (const name of callOwners)
    Object.assign(folders[name], {
      'call-owner-keys': values[callKeyOf(name)],
      'call-signers': publicKeyOfGateway(values[callSigningKey], { publicJwkOf }),
    });
  const { 'broker-admin': broker, ...services } = folders;
  const links = { 'link-secret': values.links };
  const masterKeys = { 'master-keys': values['master key'] };
  const atRest = { 'secrets-key': values['secrets at rest'], 'vapid-public-key': values['vapid public'] };
  return {
    ...services,
    auth: {
      ...services.auth,
      ...atRest,
      'audit-signing-keys': values['audit signing key'],
      'audit-writers': publicKeysOfWriters((name) => values[auditKeyOf(name)], { auditWriters, publicJwkOf }),
    },
    'resource-api': { ...services['resource-api'], ...masterKeys },
    'api-gateway': {
      ...services['api-gateway'],
      ...links,
      'call-signing-keys': values[callSigningKey],
      'call-owners': publicKeysOfOwners((name) => values[callKeyOf(name)], { callOwners, publicJwkOf }),
    },
    'workflow-engine': { ...services['workflow-engine'], ...links },
    notifier: {
      ...services.notifier,
      ...atRest,
      ...masterKeys,
      'vapid-private-key': values['vapid private'],
      'smtp-url': smtpUrl,
    },
    admin: { ...services.admin, ...owner, ...masterKeys },
    broker,
    schema: {
      ...owner,
      ...Object.fromEntries(Object.keys(serviceRoles).map((name) => [`${name}-password`, values[`database ${name}`]])),
    },
    postgres: { password: values.postgres },
    nats: {
      'accounts.conf': `accounts ${JSON.stringify(
        natsAccounts((name) => values[`nats ${name}`]),
        null,
        2,
      )}\n`,
    },
  };
}

/** A file is never half written: a run that ends early is repeated. */
function writeWhole(file, text, mode) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

const create = {
  summary:
    'writes passwords and keys into DIR: a folder for each service, the server and the admin commands; values that ' +
    'exist are kept, and DIR/state/values.json has all of them',
  positionals: ['DIR'],
  options: {
    database: {
      value: 'HOST:PORT/NAME',
      summary: `the database in the URLs of the services (default ${defaultDatabase})`,
    },
    'smtp-url': { value: 'URL', summary: 'SMTP_URL of the notifier (default: the mail catcher)' },
    'for-containers': {
      summary: 'files that every user of a container can read: each folder is a volume of one container',
    },
    json,
  },
  needsDatabase: false,
  fault: ({ database, 'smtp-url': smtpUrl }) => {
    if (database !== undefined && !/^[\w.-]+(:\d+)?\/[\w.-]+$/.test(database))
      return '--database must have the form HOST:PORT/NAME.';
    return smtpUrl !== undefined && !/^smtps?:\/\/\S+$/.test(smtpUrl)
      ? '--smtp-url must be smtp:// or smtps://.'
      : null;
  },
  async run(
    compiled,
    { database = defaultDatabase, 'smtp-url': smtpUrl = defaultSmtpUrl, 'for-containers': forContainers },
    dir,
  ) {
    const { auditWriters, callOwners, natsUsers, serviceRoles } = compiled;
    const file = join(dir, 'state/values.json');
    const present = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const names = [
      ...natsUsers.map((name) => `nats ${name}`),
      ...Object.keys(serviceRoles).map((name) => `database ${name}`),
      'postgres',
      'links',
      'secrets at rest',
    ];
    const { publicKey, privateKey } = newVapidKeys();
    const values = {
      'vapid public': publicKey,
      'vapid private': privateKey,
      'master key': newMasterKey(),
      'audit signing key': newSigningKey(),
      ...Object.fromEntries(auditWriters.map((name) => [auditKeyOf(name), newSigningKey()])),
      [callSigningKey]: newSigningKey(),
      ...Object.fromEntries(callOwners.map((name) => [callKeyOf(name), newAgreementKey()])),
      ...Object.fromEntries(names.map((name) => [name, random()])),
      ...present,
    };
    writeWhole(file, `${JSON.stringify(values, null, 2)}\n`, 0o600);
    const record = [];
    for (const [folder, files] of Object.entries(secretFiles(values, { ...compiled, database, smtpUrl })))
      for (const [name, text] of Object.entries(files)) {
        writeWhole(join(dir, folder, name), text, forContainers ? 0o444 : 0o600);
        record.push(`${folder}/${name}`);
      }
    return { record, lines: record };
  },
};

export const commands = { create };
