/** The admin command as an operator uses it: a process with arguments, an exit code and output. */
import { credentialHash, isApiKey, newUuid, type Alert, type ApiKey, type ApiKeyWithSecret } from '@ams/contracts';
import { scopes } from '@ams/scopes';
import { auditWriterFiles, eventually, masterKeyFile, newMasterKey } from '@ams/testing';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { main } from '../../../tools/admin/main.mjs';
import { everythingStored } from './system/everything-stored.js';
import { root } from './system/replica.js';
import { webTarget, type WebTarget } from './system/web-target.js';
import { startSystem, type List, type Organization, type Sender, type System } from './system.js';

/** The environment variables of the installation, once it runs. */
let installation: Record<string, string> = {};

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Lines that npm prints, and lines of the command when a source is newer than its compiled file. */
const foreignLines = /^(npm warn| *[\d.]+ s {2}compiling) .*\n/gm;

const execute = (command: string, args: string[], more: Record<string, string> = {}): Promise<CommandResult> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...installation, ...more };
    const child = execFile(command, args, { cwd: root, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr.replace(foreignLines, '') }),
    );
  });

const admin = (words: string[], more?: Record<string, string>): Promise<CommandResult> =>
  execute(process.execPath, [join(root, 'tools/admin.mjs'), ...words], more);

/** The same without a process of its own, which would take a second to load. */
async function adminInProcess(words: string[], more: Record<string, string> = {}): Promise<CommandResult> {
  const { env } = process;
  const printed = { stdout: '', stderr: '' };
  const { log, error } = console;
  process.env = { ...installation, ...more };
  console.log = (line: string) => void (printed.stdout += `${line}\n`);
  console.error = (line: string) => void (printed.stderr += `${line}\n`);
  try {
    return { code: await main(words), ...printed };
  } finally {
    process.env = env;
    Object.assign(console, { log, error });
  }
}

/** Runs a command that must succeed. Returns its output. */
async function adminJson<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await adminInProcess([...words, '--json']);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout) as T;
}

interface FoundedOrganization {
  organization: { id: string; slug: string };
  owner: { id: string; email: string };
  key: ApiKeyWithSecret;
}

const found = (slug: string): Promise<FoundedOrganization> =>
  adminJson('organizations', 'create', slug, '--owner-name', 'Ada', '--owner-email', 'ada@example.com');

const commands = [
  'organizations list',
  'organizations show',
  'organizations create',
  'organizations limits',
  'organizations export',
  'organizations import',
  'members list',
  'members add',
  'members set-role',
  'members disable',
  'members enable',
  'members delete',
  'members sign-in-link',
  'members remove-factors',
  'recipients list',
  'recipients verify',
  'recipients complaint',
  'keys list',
  'keys create',
  'keys revoke',
  'set-aside list',
  'set-aside show',
  'set-aside replay',
  'set-aside discard',
  'outbox list',
  'outbox show',
  'outbox send',
  'outbox discard',
  'broker apply',
  'broker accounts',
  'database migrate',
  'secrets create',
  'secrets seal',
  'secrets rotate',
  'audit export',
  'audit verify',
  'audit keys',
  'audit writers',
  'calls signers',
  'calls owners',
];

describe('help', () => {
  it('lists every command, also when it is started with npm', async () => {
    const { code, stdout, stderr } = await execute('npm', ['run', '--silent', 'admin', '--', '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `);
    expect([...stdout.matchAll(/^ {2}(\S+ \S+)/gm)].map(([, command]) => command)).toEqual(commands);
    expect(await admin(['help'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('explains each noun and each command', async () => {
    for (const command of [...new Set(commands.map((words) => words.split(' ')[0] as string)), ...commands]) {
      const { code, stdout, stderr } = await adminInProcess([...command.split(' '), '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^npm run admin -- ${command} ?.*\n\n.+`));
    }
  });
});

describe('wrong arguments: a sentence and the help, exit code 2', () => {
  it.each([
    ['no word', [], 'No command is given.'],
    ['a noun alone', ['members'], 'No command is given.'],
    [
      'an unknown noun',
      ['teams', 'list'],
      'There is no "teams"; there are organizations, members, recipients, keys, set-aside, outbox, broker, database, secrets, audit, calls.',
    ],
    ['an unknown verb', ['keys', 'delete'], 'There is no "keys delete"; there are list, create, revoke.'],
    ['a verb of the language', ['keys', 'toString'], 'There is no "keys toString"; there are list, create, revoke.'],
    [
      'help for an unknown verb',
      ['keys', 'delete', '--help'],
      'There is no "keys delete"; there are list, create, revoke.',
    ],
    ['a missing word', ['keys', 'revoke'], 'KEY_ID must be given.'],
    ['a surplus word', ['organizations', 'list', 'all'], 'Unexpected argument "all".'],
    ['missing options', ['members', 'add', '--name', 'Mira'], '--organization, --email, --role must be given.'],
    ['an unknown option', ['organizations', 'list', '--all'], "Unknown option '--all'."],
    [
      'an option without its value',
      ['members', 'list', '--organization'],
      "Option '--organization <value>' argument missing.",
    ],
    ['a switch with a value', ['organizations', 'list', '--json=yes'], "Option '--json' does not take an argument."],
    [
      'a time that is none',
      ['organizations', 'export', 'acme', 'acme.ndjson', '--since', 'yesterday'],
      '--since must be a time, such as 2027-01-31T12:00:00Z.',
    ],
    [
      'options that exclude each other',
      ['organizations', 'import', 'acme.ndjson', '--secrets', 'file', '--without-secrets'],
      '--secrets and --without-secrets exclude each other.',
    ],
    [
      'an option twice',
      ['members', 'list', '--organization', 'a', '--organization', 'b'],
      '--organization is repeated.',
    ],
    [
      'scopes and a role',
      ['keys', 'create', '--organization', 'a', '--name', 'k', '--scopes', 'alerts:read', '--role', 'viewer'],
      'Either --scopes or --role must be given.',
    ],
    [
      'neither scopes nor a role',
      ['keys', 'create', '--organization', 'a', '--name', 'k'],
      'Either --scopes or --role must be given.',
    ],
    ['nothing to replay', ['set-aside', 'replay'], 'Either an ID or --all must be given.'],
  ])('%s', async (_what, words, sentence) => {
    const { code, stdout, stderr } = await adminInProcess(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n\nnpm run admin -- /);
    expect(stderr.split('\n')[0]).toBe(sentence);
  });
});

describe('on an installation', () => {
  let system: System;
  let acme: Organization;
  let sender: Sender;
  beforeAll(async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(signingKeys, pem);
    system = await startSystem({
      replicas: { 'api-gateway': 2 },
      env: {
        auth: { AUDIT_SIGNING_KEYS_FILE: signingKeys, AUDIT_CHECKPOINT_SECONDS: '1' },
        notifier: { OUTBOUND_ALLOW: '127.0.0.1' },
      },
    });
    installation = {
      ...system.environmentOf('admin'),
      DATABASE_URL: system.postgres.url,
      MASTER_KEY_FILE: masterKeyFile(),
    };
    acme = await system.organization();
    sender = await acme.integration();
  });
  afterAll(async () => {
    await system?.stop();
    rmSync(folder, { recursive: true });
  });
  const folder = mkdtempSync(join(tmpdir(), 'admin-'));
  const signingKeys = join(folder, 'audit-keys.pem');

  describe('errors: a sentence, exit code 1', () => {
    beforeAll(async () => {
      await found('refusing');
    });
    const of = ['--organization', 'refusing'];

    it.each([
      [
        'a slug that exists already',
        ['organizations', 'create', 'Refusing', '--owner-name', 'A', '--owner-email', 'a@example.com'],
        /^There is an organization with the slug refusing already\.\n$/,
      ],
      [
        'an unknown organization',
        ['organizations', 'show', 'nowhere'],
        /^There is no organization with the slug "nowhere"\.\n$/,
      ],
      [
        'an address that exists already',
        ['members', 'add', ...of, '--name', 'A', '--email', 'ADA@example.com', '--role', 'viewer'],
        /^There is a member with the address ADA@example.com already\.\n$/,
      ],
      [
        'an unknown role',
        ['members', 'set-role', 'ada@example.com', ...of, '--role', 'boss'],
        /^There is no role "boss"; there are owner, admin, responder, viewer\.\n$/,
      ],
      [
        'an unknown scope',
        ['keys', 'create', ...of, '--name', 'k', '--scopes', 'alerts:read,x'],
        /^There is no scope "x"; there are alerts:read, .*\.\n$/,
      ],
      [
        'an unknown zone',
        [
          'members',
          'add',
          ...of,
          '--name',
          'A',
          '--email',
          'a@example.com',
          '--role',
          'viewer',
          '--timezone',
          'Europe/Nowhere',
        ],
        /^There is no time zone .*Europe\/Berlin.*\.\n$/,
      ],
      [
        'the last active owner',
        ['members', 'disable', 'ada@example.com', ...of],
        /^ada@example.com is the last active owner of refusing: first make somebody else an owner\.\n$/,
      ],
      [
        'an unknown key',
        ['keys', 'revoke', 'key_1'],
        /^There is no key with the id "key_1" that could be revoked\.\n$/,
      ],
      [
        'control characters for the terminal',
        ['organizations', 'show', 'a\u001b[2Jb\nc'],
        /^There is no organization with the slug "a\\u001b\[2Jb\\u000ac"\.\n$/,
      ],
      ['a message that does not exist', ['set-aside', 'discard', 'x'], /^No message with the id x is set aside\.\n$/],
      [
        'an outbox message that does not exist',
        ['outbox', 'send', 'x.1'],
        /^No message with the id x\.1 is set aside\.\n$/,
      ],
    ])('%s', async (_what, words, sentence) => {
      expect(await adminInProcess(words)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    });

    it('a database that cannot be reached: the message does not contain its password', async () => {
      const { code, stdout, stderr } = await adminInProcess(['organizations', 'list'], {
        DATABASE_URL: 'postgres://owner:Pass-word@127.0.0.1:1/none',
      });
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The database does not respond. Is it running?\n',
      });
    });
  });

  it('the whole life of an organization, its members and its keys', async () => {
    const made = await admin([
      'organizations',
      'create',
      'Ship & Sail',
      '--owner-name',
      'Ada',
      '--owner-email',
      'ada@example.com',
    ]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const [key] = made.stdout.match(/^svc_live_\w+$/m) as [string];
    expect(made.stdout.split(key)).toHaveLength(2);
    expect(isApiKey(key)).toBe(true);
    const members = () =>
      system.as(key).get<List<{ email: string; role: string; status: string; timezone: string }>>('/api/v1/users');
    expect(await members()).toMatchObject({
      status: 200,
      body: { data: [{ email: 'ada@example.com', role: 'owner', status: 'active' }] },
    });

    expect((await adminInProcess(['organizations', 'list'])).stdout).toMatch(
      /^SLUG +NAME +MEMBERS +KEYS +CREATED\n(.*\n)*ship-sail +Ship & Sail +1 active +1 live +20/,
    );
    expect((await adminInProcess(['organizations', 'show', 'ship-sail'])).stdout).toMatch(
      /^slug +ship-sail\nname +Ship & Sail\nid +org_.*\nowners +ada@example.com\nmembers +1 active\nkeys +1 live\ncreated +20.*\n$/,
    );

    const of = ['--organization', 'ship-sail'];
    const added = await adminInProcess([
      'members',
      'add',
      ...of,
      '--name',
      'Mira',
      '--email',
      'mira@example.com',
      '--role',
      'responder',
      '--timezone',
      'Europe/Berlin',
    ]);
    expect(added).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^mira@example.com \(usr_\w+\) is a member of ship-sail now, as responder\.\n$/),
      stderr: '',
    });
    expect(
      (await adminInProcess(['members', 'set-role', 'mira@example.com', ...of, '--role', 'viewer'])).stdout,
    ).toMatch(/is viewer of ship-sail now\.\n$/);
    expect((await adminInProcess(['members', 'disable', 'mira@example.com', ...of])).stdout).toMatch(
      /^mira@example.com \(usr_\w+\) is disabled now\.\n$/,
    );
    expect((await adminInProcess(['members', 'disable', 'mira@example.com', ...of])).stdout).toMatch(
      /is disabled already\.\n$/,
    );
    expect((await members()).body.data[1]).toMatchObject({
      email: 'mira@example.com',
      role: 'viewer',
      status: 'disabled',
      timezone: 'Europe/Berlin',
    });
    expect((await adminInProcess(['members', 'enable', 'mira@example.com', ...of])).stdout).toMatch(
      /is active now\.\n$/,
    );
    expect((await adminInProcess(['members', 'list', ...of])).stdout).toMatch(
      /^NAME +E-MAIL +ROLE +STATUS +TIME ZONE +CREATED +ID\nAda .*owner +active +UTC .*\nMira .*viewer +active +Europe\/Berlin .*usr_\w+\n$/,
    );
    await adminInProcess(['members', 'add', ...of, '--name', 'Zoe', '--email', 'zoe@example.com', '--role', 'viewer']);
    expect((await adminInProcess(['members', 'delete', 'zoe@example.com', ...of])).stdout).toMatch(
      /^zoe@example.com \(usr_\w+\) is deleted\.\n$/,
    );
    expect(await adminInProcess(['members', 'delete', 'zoe@example.com', ...of])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no member with the address "zoe@example.com"'),
    });

    const bot = await adminJson<ApiKeyWithSecret>(
      'keys',
      'create',
      ...of,
      '--name',
      'bot',
      '--scopes',
      'alerts:read, users:read',
      '--environment',
      'test',
      '--expiry',
      '9999-12-31',
    );
    expect(bot).toMatchObject({
      name: 'bot',
      scopes: ['alerts:read', 'users:read'],
      environment: 'test',
      expiry: '9999-12-31T23:59:59.999Z',
      createdBy: { type: 'service', id: null, name: 'admin' },
    });
    expect((await system.as(bot.key, 0).get('/api/v1/alerts')).status).toBe(200);
    expect((await system.as(bot.key, 1).get('/api/v1/incidents')).status).toBe(403);
    expect(await adminJson<ApiKey[]>('keys', 'list', ...of, '--environment', 'test')).toMatchObject([
      { id: bot.id, keyPrefix: bot.key.slice(0, 13), scopes: bot.scopes, lastUsedAt: expect.any(String) },
    ]);
    expect((await adminInProcess(['keys', 'list', ...of])).stdout).toMatch(
      /^ID +KEY +NAME +CREATED +LAST USED +EXPIRES +SCOPES\nkey_\w+ +svc_live_\w{4}… +first key +.* never +all scopes\n$/,
    );
    const responder = await adminInProcess(['keys', 'create', ...of, '--name', 'pager', '--role', 'responder']);
    expect(responder.stdout).toMatch(
      /^The key "pager" \(key_\w+\) of ship-sail has alerts:read, .* in live\. It is shown only once:\nsvc_live_\w+\n$/,
    );

    expect(await admin(['keys', 'revoke', bot.id])).toEqual({
      code: 0,
      stdout: `The key "bot" (${bot.id}) is revoked; 2 gateways confirmed.\n`,
      stderr: '',
    });
    expect(
      (await Promise.all([0, 1].map((gateway) => system.as(bot.key, gateway).get('/api/v1/alerts')))).map(
        ({ status }) => status,
      ),
    ).toEqual([401, 401]);
    expect((await adminInProcess(['keys', 'revoke', bot.id])).code).toBe(1);

    const log = await system.as(key).get<List<{ type: string; actor: object }>>('/api/v1/audit-log', {
      query: {
        type: 'organization.created,member.created,member.updated,member.deleted,api_key.created,api_key.revoked',
      },
    });
    expect(log.body.data.map(({ type }) => type).reverse()).toEqual([
      'organization.created',
      'member.created',
      'api_key.created',
      'member.created',
      'member.updated',
      'member.updated',
      'member.updated',
      'member.created',
      'member.deleted',
      'api_key.created',
    ]);
    for (const { actor } of log.body.data) expect(actor).toEqual({ type: 'service', id: null, name: 'admin' });
    const kept = await everythingStored(system);
    for (const secret of [key, bot.key])
      expect(kept.filter(({ text }) => text.includes(secret)).map(({ where }) => where)).toEqual([]);
    expect(kept.filter(({ text }) => text.includes(credentialHash(key))).map(({ where }) => where)).toEqual([
      'table auth.api_keys',
    ]);
  });

  it('a first key, as JSON, has all scopes and works at once', async () => {
    const { organization, owner, key } = await found('readable');
    expect({ organization, owner }).toMatchObject({
      organization: { slug: 'readable' },
      owner: { email: 'ada@example.com', role: 'owner' },
    });
    expect(key).toMatchObject({ environment: 'live', scopes });
    expect((await system.as(key.key).get('/api/v1/audit-log')).status).toBe(200);
  });

  describe('secrets', () => {
    let target: WebTarget;
    let tenant: Organization;
    let dir: string;
    beforeAll(async () => {
      target = await webTarget((response) => response.end('ok'));
      tenant = await system.organization();
      dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`));
    });
    afterAll(async () => {
      await target?.close();
      rmSync(dir, { recursive: true });
    });

    const hidden = (word: string) => ({
      url: `${target.url}/s3cret-${word}`,
      secret: `s3cret-signs-${word}`,
      headers: { Authorization: `Bearer s3cret-header-${word}` },
    });
    const chat = (word: string) => ({ type: 'channel', kind: 'mattermost', url: `${target.url}/s3cret-chat-${word}` });
    const steps = (word: string) => [
      { id: 'hook', type: 'webhook', params: hidden(word) },
      { id: 'chat', type: 'notify', params: { targets: [chat(word)] } },
    ];
    const authorizations = () => target.received.map(({ headers }) => headers.authorization ?? 'chat').sort();
    const whereSecretsAre = async () => [
      ...new Set(
        (await everythingStored(system)).filter(({ text }) => text.includes('s3cret')).map(({ where }) => where),
      ),
    ];
    const fire = async (): Promise<void> =>
      void (await (await tenant.integration()).fire({ title: 'Disk full', severity: 'critical' }));

    it('of workflows, policies and test messages reach their targets, and are nowhere in plain text', async () => {
      const api = system.as(tenant.key);
      const made = await api.post('/api/v1/workflows', {
        name: 'Tell',
        trigger: { events: ['alert.created'] },
        steps: steps('new'),
      });
      expect(made.status).toBe(201);
      const policies = await api.get<List<{ id: string }>>('/api/v1/escalation-policies');
      const levels = [{ targets: [chat('policy')] }];
      expect((await api.put(`/api/v1/escalation-policies/${policies.body.data[0]!.id}`, { levels })).status).toBe(200);
      expect((await api.post('/api/v1/notifications/test', { target: chat('test') })).status).toBe(201);
      await fire();
      await eventually(() => expect(authorizations()).toEqual(['Bearer s3cret-header-new', 'chat', 'chat', 'chat']));
      await eventually(async () =>
        expect(
          (await api.get<List<{ status: string }>>('/api/v1/notifications')).body.data.map(({ status }) => status),
        ).toEqual(['sent', 'sent', 'sent', 'sent']),
      );
      expect(await whereSecretsAre()).toEqual([]);
    });

    it('of an earlier release are sealed in all tables, once, and still reach their targets', async () => {
      const plain = { unless: [], delaySeconds: 0, continueOnError: false };
      const [hook, told] = steps('old');
      const stored = [
        { ...hook, ...plain, params: { ...hook!.params, timeoutSeconds: 10 } },
        { ...told, ...plain, params: { subject: null, message: null, targets: [{ ...chat('old'), secret: null }] } },
      ];
      const destination = { channel: 'webhook', ...hidden('old'), timeoutSeconds: 10 };
      const change = (text: string, value: object) => system.sql(text, [JSON.stringify(value)]);
      await change(`UPDATE resources.workflows SET steps = $1 WHERE name = 'Tell'`, stored);
      await change(`UPDATE workflows.runs SET steps = $1 WHERE workflow_name = 'Tell'`, stored);
      await change(`UPDATE workflows.notifications SET destination = $1 WHERE channel = 'webhook'`, destination);
      await change(
        `UPDATE alerts.pages SET recipients = jsonb_set(recipients, '{0,destination}', $1)
         WHERE recipients->0->'destination' ? 'sealedFor'`,
        { channel: 'mattermost', url: chat('old').url },
      );
      await change(
        `UPDATE resources.escalation_policies SET levels = jsonb_set(levels, '{0,targets}', $1)
         WHERE levels->0->'targets'->0 ? 'kind'`,
        [{ ...chat('old'), secret: null }],
      );
      const places = ['escalation_policies', 'workflows', 'pages', 'notifications', 'runs'];
      const tables = (await whereSecretsAre()).map((where) => where.split('.')[1]?.replace(/_\d{6}$/, ''));
      expect([...new Set(tables)].sort()).toEqual(places.sort());
      const sealed = { workflows: 1, 'escalation policies': 1, 'runs of workflows': 1, pages: 1, notifications: 1 };
      expect(await adminJson('secrets', 'seal')).toEqual(sealed);
      expect(await whereSecretsAre()).toEqual([]);
      expect(Object.values(await adminJson<object>('secrets', 'seal'))).toEqual([0, 0, 0, 0, 0]);
      target.received.length = 0;
      // The next alert would join the open incident, whose people know.
      const incidents = await system.as(tenant.key).get<List<{ id: string }>>('/api/v1/incidents?status=triggered');
      const incident = `/api/v1/incidents/${incidents.body.data[0]!.id}`;
      expect((await system.as(tenant.key).put(incident, { status: 'resolved', resolveAlerts: true })).status).toBe(200);
      await fire();
      await eventually(() => expect(authorizations()).toEqual(['Bearer s3cret-header-old', 'chat', 'chat']));
    });

    it('are sealed again when the master key changes, and the old key is then of no use', async () => {
      const files = { both: join(dir, 'both'), young: join(dir, 'young'), other: join(dir, 'other') };
      const [young, old] = [newMasterKey(), readFileSync(masterKeyFile(), 'utf8').trim()];
      writeFileSync(files.both, `${young}\n${old}\n`);
      writeFileSync(files.young, `${young}\n`);
      writeFileSync(files.other, `${newMasterKey()}\n`);
      const rotate = (file: string) => adminInProcess(['secrets', 'rotate', '--json'], { MASTER_KEY_FILE: file });
      const refused = await rotate(files.other);
      expect({ ...refused, stdout: '' }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^0 data keys were .* is not known here\. Add it to MASTER_KEY_FILE, in a line below/,
        ) as string,
      });
      const rotated = JSON.parse((await rotate(files.both)).stdout) as { sealed: number };
      expect(rotated).toEqual({ sealed: rotated.sealed, present: 0, unknown: 0 });
      expect(rotated.sealed).toBeGreaterThan(0);
      expect((await rotate(masterKeyFile())).code).toBe(1);
      expect(JSON.parse((await rotate(files.young)).stdout)).toEqual({
        sealed: 0,
        present: rotated.sealed,
        unknown: 0,
      });
      writeFileSync(files.both, `${old}\n${young}\n`);
      expect(JSON.parse((await rotate(files.both)).stdout)).toEqual(rotated);
    });

    it.each([
      ['without a file', { MASTER_KEY_FILE: '' }, /^MASTER_KEY_FILE or MASTER_KEY_VAULT_URL must be set/],
      ['with a file that is missing', { MASTER_KEY_FILE: '/nowhere/keys' }, /^MASTER_KEY_FILE cannot be read: /],
    ])('%s the command says what is missing', async (_what, env, sentence) => {
      for (const verb of ['seal', 'rotate'])
        expect(await adminInProcess(['secrets', verb], env)).toEqual({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(sentence) as string,
        });
    });
  });

  it('a revocation ends running requests of the key, and waits for them', async () => {
    const fingerprint = crypto.randomUUID();
    await sender.fire({ title: 'Slow', severity: 'low', fingerprint });
    const [alert] = (await acme.alerts({ fingerprint })) as [Alert];
    const { id, key } = await acme.newKey({ scopes: ['alerts:read', 'alerts:write'] });
    const session = await system.session();
    try {
      await session.query('BEGIN');
      await session.query('SELECT FROM alerts.alerts WHERE fingerprint = $1 FOR UPDATE', [fingerprint]);
      const slow = system.as(key).post(`/api/v1/alerts/${alert.id}/acknowledge`);
      await eventually(async () => {
        if (
          (
            await system.sql(
              "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%alerts.alerts%'",
            )
          ).length === 0
        )
          throw new Error('nobody waits yet');
      });
      const revocation = adminInProcess(['keys', 'revoke', id]); // a process may load longer than the request waits
      expect(await slow).toMatchObject({ status: 401 }); // the row is still locked
      await session.query('ROLLBACK');
      expect(await revocation).toMatchObject({ code: 0, stdout: expect.stringContaining('2 gateways confirmed') });
    } finally {
      await session.end();
    }
    expect((await acme.alerts({ fingerprint }))[0]).toEqual(alert);
  });

  it('a key is revoked also when NATS cannot be reached', async () => {
    const { id, key } = await acme.newKey();
    expect(await adminInProcess(['keys', 'revoke', id], { NATS_URL: 'nats://127.0.0.1:1' })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is revoked; no gateway responded'),
    });
    expect((await system.as(key).get('/api/v1/alerts')).status).toBe(401);
  });

  it('a message that was set aside is listed, shown, replayed once, or discarded', async () => {
    const fingerprint = crypto.randomUUID();
    const batches: { events: { id: string; fingerprint: string }[] }[] = [];
    await system.observe(async (broker) => {
      const subscription = broker.subscribe('ingest.events.*', {
        callback: (_error, message) => void batches.push(message.json()),
      });
      await broker.flush();
      await sender.fire({ title: 'Original', severity: 'low', fingerprint });
      subscription.unsubscribe();
    });
    const [event] = batches.flatMap(({ events }) => events).filter((one) => one.fingerprint === fingerprint);
    const setAside = async (payload: string, service: 'pipeline' | 'engine' = 'pipeline'): Promise<string> => {
      const id = newUuid();
      const error = 'it did not fit\u001b[31m\nat the second line';
      await system.sql(
        service === 'pipeline'
          ? `INSERT INTO alerts.set_aside (id, partition, stream_sequence, payload, error, tries)
             VALUES ($1, 0, 1, $2, $3, 3)`
          : `INSERT INTO workflows.set_aside (id, subject, stream_sequence, payload, error, tries)
             VALUES ($1, 'evt.alert.0', 1, $2, $3, 1)`,
        [id, payload, error],
      );
      return id;
    };
    const again = `${fingerprint} again`;
    const lost = await setAside(JSON.stringify({ events: [{ ...event, id: newUuid(), fingerprint: again }] }));
    const junk = await setAside('junk');
    const untriggered = await setAside('{"events":[]}', 'engine');

    const list = await adminInProcess(['set-aside', 'list']);
    expect(list.stdout).toMatch(
      new RegExp(
        `^ID .*ERROR\n${lost}  alert-pipeline .* it did not fit\\\\u001b\\[31m\n${junk} .*\n` +
          `${untriggered}  workflow-engine .*\n$`,
      ),
    );
    expect(
      (await adminJson<{ id: string; bytes: number }[]>('set-aside', 'list')).map(
        ({ id, bytes }) => `${id} ${bytes > 0}`,
      ),
    ).toEqual([`${lost} true`, `${junk} true`, `${untriggered} true`]);
    expect(JSON.parse((await adminInProcess(['set-aside', 'show', lost])).stdout)).toMatchObject({
      id: lost,
      payload: { events: [{ fingerprint: again }] },
    });

    expect((await adminInProcess(['set-aside', 'replay', '--all'])).stdout).toBe(
      `${lost}  sent to alert-pipeline again\n` +
        `${junk}  is not a batch of events and cannot be replayed; discard it\n` +
        `${untriggered}  sent to workflow-engine again\n`,
    );
    await eventually(async () => {
      if ((await acme.alerts({ fingerprint: again })).length === 0) throw new Error('it is not applied yet');
    });
    expect((await adminInProcess(['set-aside', 'replay', lost])).code).toBe(1);
    expect((await adminInProcess(['set-aside', 'discard', junk])).stdout).toBe(`${junk}  is discarded\n`);
    expect((await adminInProcess(['set-aside', 'list'])).stdout).toBe('No message is set aside.\n');
  });

  it('an audit entry that was set aside is stored by its id, not with all others', async () => {
    const { organization, key } = await found('refused-entry');
    const id = crypto.randomUUID();
    const entry = {
      id: crypto.randomUUID(),
      organizationId: organization.id.replace(/^org_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      environment: 'live',
      type: 'client.deleted',
      occurredAt: new Date().toISOString(),
      actor: { type: 'user', id: 'usr_1', name: 'Mira' },
      resource: { type: 'client', id: 'cli_1' },
      changes: [],
    };
    await system.sql(
      `INSERT INTO auth.set_aside (id, stream_sequence, payload, error, tries) VALUES ($1, 1, $2, 'not signed', 1)`,
      [id, JSON.stringify(entry)],
    );
    expect((await adminInProcess(['set-aside', 'replay', '--all'])).stdout).toBe('');
    expect((await adminInProcess(['set-aside', 'list'])).stdout).toMatch(
      new RegExp(`\n${id} +auth .* not signed *\n$`),
    );
    expect((await adminInProcess(['set-aside', 'replay', id])).stdout).toBe(`${id}  is stored\n`);
    expect((await adminInProcess(['set-aside', 'list'])).stdout).toBe('No message is set aside.\n');
    const log = await system.as(key.key).get<List<{ type: string }>>('/api/v1/audit-log', {
      query: { type: 'client.deleted,audit_entry.admitted' },
    });
    expect(log.body.data.map(({ type }) => type).sort()).toEqual(['audit_entry.admitted', 'client.deleted']);
  });

  it('an audit log is exported, and verified without the installation', async () => {
    const { organization, key } = await found('audited');
    for (let i = 0; i < 5; i++) await system.as(key.key).get('/api/v1/alerts');
    const [file, keyFile] = [join(folder, 'audit.ndjson'), join(folder, 'keys.json')];
    writeFileSync(keyFile, (await adminInProcess(['audit', 'keys', signingKeys])).stdout);
    const nowhere = { DATABASE_URL: '', NATS_URL: 'nats://127.0.0.1:1' };
    const verify = (...more: string[]) =>
      adminInProcess(['audit', 'verify', file, '--keys', keyFile, '--json', ...more], nowhere);

    const exported = async (): Promise<string> => {
      const answer = await system.as(key.key).request('GET', '/api/v1/audit-log/export');
      expect(answer.status).toBe(200);
      return answer.body as string;
    };
    await eventually(
      async () => {
        const lines = (await exported()).trimEnd().split('\n');
        if (!lines.slice(5).some((line) => line.includes('"checkpoint":{'))) throw new Error('nothing is signed yet');
        if (lines.filter((line) => line.includes('"writer":{')).length < 3)
          throw new Error('resource-api is not there yet');
      },
      { everyMs: 1000 },
    );
    rmSync(file, { force: true });
    expect(await adminInProcess(['audit', 'export', file, '--organization', 'audited'])).toMatchObject({ code: 0 });
    const text = readFileSync(file, 'utf8');
    expect((await exported()).split('\n').slice(0, 5)).toEqual(text.split('\n').slice(0, 5));

    const right = await verify();
    expect([right.code, right.stderr]).toEqual([0, '']);
    expect(JSON.parse(right.stdout)).toMatchObject({ organizationId: organization.id, environment: 'live' });

    const { keyFiles } = auditWriterFiles();
    const filesOf = Object.entries(keyFiles).flatMap(([service, pem]) => [`--${service}`, pem]);
    const writers = join(folder, 'writers.json');
    writeFileSync(writers, (await adminInProcess(['audit', 'writers', ...filesOf], nowhere)).stdout);
    const checked = await verify('--writers', writers, '--signed-since', '2020-01-01T00:00:00Z');
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    // The first records of the organization, which resource-api has made.
    expect(JSON.parse(checked.stdout)).toMatchObject({ signedByWriter: expect.any(Number), unsignedByWriter: 0 });
    expect((JSON.parse(checked.stdout) as { signedByWriter: number }).signedByWriter).toBeGreaterThan(2);
    const others = ['--alert-pipeline', '--resource-api', '--workflow-engine'].flatMap((name) => [name, signingKeys]);
    writeFileSync(writers, (await adminInProcess(['audit', 'writers', ...others], nowhere)).stdout);
    expect((await verify('--writers', writers)).stderr).toMatch(/is not a known key of resource-api\.\n$/);

    writeFileSync(file, text.replace('listAlerts', 'listClients'));
    const line = text.split('\n').findIndex((one) => one.includes('listAlerts')) + 1;
    expect(await verify()).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file}, line ${line}: the entry is not the one that was stored.\n`,
    });
    writeFileSync(file, text.split('\n').slice(0, 3).join('\n'));
    const whole = join(folder, 'whole.ndjson');
    writeFileSync(whole, text);
    expect((await verify('--checkpoints', whole)).stderr).toMatch(/nothing is signed|the end is missing/);
  });
});
