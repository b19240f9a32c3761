// API keys of an organization.
import { json } from './command-line.mjs';
import { confirmed, rpcToGateways } from './gateways.mjs';
import { table } from './printing.mjs';

const organization = { value: 'SLUG', summary: 'the organization', required: true };
const environment = { value: 'ENVIRONMENT', summary: 'live or test (default live)' };

/** The words of a comma-separated option. */
const listed = (words) => (words === undefined ? [] : words.split(',').map((word) => word.trim()));

const within = ({ restrictedTo }) =>
  restrictedTo ? `, only for ${[...restrictedTo.clientIds, ...restrictedTo.teamIds].join(', ')}` : '';

const list = {
  summary: 'lists the keys that are not revoked, without their secrets',
  options: { organization, environment, json },
  async run({ database, listKeys, hasAllScopes }, { organization, environment }) {
    const record = await listKeys(database, { organization, environment });
    const columns = [
      ['ID', ({ id }) => id],
      ['KEY', ({ keyPrefix }) => `${keyPrefix}…`],
      ['NAME', ({ name }) => name],
      ['CREATED', ({ createdAt }) => createdAt],
      ['LAST USED', ({ lastUsedAt }) => lastUsedAt ?? 'never'],
      ['EXPIRES', ({ expiry }) => expiry ?? 'never'],
      ['SCOPES', (key) => `${hasAllScopes(key) ? 'all scopes' : key.scopes.join(',')}${within(key)}`],
    ];
    return { record, lines: record.length > 0 ? table(record, columns) : ['There are no keys.'] };
  },
};

const create = {
  summary: "creates a key and prints it once; it does not count towards the API's limit of ten a day",
  options: {
    organization,
    name: { value: 'NAME', summary: 'the purpose of the key', required: true },
    scopes: { value: 'SCOPES', summary: 'the scopes, such as alerts:read,alerts:write' },
    role: { value: 'ROLE', summary: 'instead of scopes: those of the role owner, admin, responder or viewer' },
    environment,
    expiry: {
      value: 'DATE',
      summary: 'a date (the end of that day, UTC) or a time such as 2026-11-20T14:00:00Z (default: no expiry)',
    },
    clients: { value: 'CLIENT_IDS', summary: 'the key sees and changes only what belongs to these clients' },
    teams: { value: 'TEAM_IDS', summary: 'the same for teams; with clients: what belongs to one of either' },
    json,
  },
  fault: ({ scopes, role }) =>
    (scopes === undefined) === (role === undefined) ? 'Either --scopes or --role must be given.' : null,
  async run({ database, addKey }, { organization, name, scopes, role, environment, expiry, clients, teams }) {
    const may = role === undefined ? { scopes: listed(scopes) } : { role };
    const restrictedTo =
      clients === undefined && teams === undefined ? undefined : { clientIds: listed(clients), teamIds: listed(teams) };
    const record = await addKey(database, { organization, name, may, environment, expiry, restrictedTo });
    const until = record.expiry ? ` until ${record.expiry}` : '';
    const sentence =
      `The key "${record.name}" (${record.id}) of ${organization} has ${record.scopes.join(', ')} in ` +
      `${record.environment}${until}${within(record)}.`;
    return { record, lines: [`${sentence} It is shown only once:`, record.key] };
  },
};

const revoke = {
  summary: 'revokes a key immediately, and waits until its requests in progress have ended',
  positionals: ['KEY_ID'],
  options: { json },
  async run({ database, broker, revokeKey, RpcClient }, _options, id) {
    const { key, gatewaysTold, ended } = await revokeKey(database, await rpcToGateways(broker, RpcClient), id);
    if (!ended)
      throw new Error(
        `The key "${key.name}" (${key.id}) is revoked, but waiting for its requests in progress failed: they ` +
          'may still make changes.',
      );
    return {
      record: { ...key, gatewaysTold },
      lines: [`The key "${key.name}" (${key.id}) is revoked; ${confirmed(gatewaysTold)}.`],
    };
  },
};

export const commands = { list, create, revoke };
