import {
  confirmMailRecipient,
  createMailRecipient,
  deleteMailRecipient,
  domainTextsRequest,
  getMailRecipientLink,
  listMailRecipients,
  mailRefusedRequest,
  newUuid,
  verificationMailLimits,
  verifyMailRecipient,
  type Answer,
  type DomainTexts,
  type DomainTextsReply,
  type MailRecipient,
  type MailRecipientLink,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { dataOf, eventually, idempotencyOf, pageOf } from '@ams/testing';
import { People } from '../../testing/people.js';
import { Replicas } from '../../testing/replicas.js';
import { listRecipients, reportComplaint, verifyRecipient } from './operator-mail-recipients.js';

let replicas: Replicas;
let people: People;
/** What the DNS answers. */
const zone = new Map<string, DomainTextsReply>();

beforeAll(async () => {
  replicas = await Replicas.start(2);
  people = new People(replicas);
  replicas.nats.subscribe(domainTextsRequest.subject, {
    callback: (_error, message) => {
      const { name } = message.json<DomainTexts>();
      message.respond(JSON.stringify(zone.get(name) ?? { kind: 'found', records: [] }));
    },
  });
});
afterAll(() => replicas?.stop());

let principal: Principal;
beforeEach(async () => {
  ({ principal } = await replicas.newOrganizationKey());
});

const call = (operation: Pick<Operation, 'id'>, of: { body?: unknown; id?: string } = {}, by = principal) =>
  replicas.call(operation, by, { body: of.body ?? null, params: of.id === undefined ? {} : { id: of.id } });
const add = (value: string, kind: 'address' | 'domain' = 'address', by = principal): Promise<Answer> =>
  call(createMailRecipient, { body: { kind, value } }, by);
const verify = (id: string): Promise<Answer> => call(verifyMailRecipient, { id });
const listed = async (by = principal): Promise<MailRecipient[]> =>
  pageOf<MailRecipient>(await call(listMailRecipients, {}, by)).data;
const newAddress = (): string => people.newEmail();
const newDomain = (): string => `d${newUuid().replaceAll('-', '')}.example`;
const refuse = (address: string) =>
  replicas.rpc.request(
    mailRefusedRequest,
    {
      organizationId: principal.organizationId,
      environment: 'live',
      address,
      reason: 'The mail server answered 550 5.1.1 no such user',
      requestId: 'ntf_1',
    },
    { timeoutMs: 10_000, requestId: 'ntf_1' },
  );
const audited = async (): Promise<string[]> =>
  (
    await replicas.adminDatabase.query<{ type: string }>(
      `SELECT type FROM auth.audit_log WHERE organization_id = $1 AND type LIKE 'mail_recipient.%' ORDER BY id`,
      [principal.organizationId],
    )
  ).map(({ type }) => type);

it('verifies an address by the button behind the link, not by opening it, and each link once', async () => {
  const address = newAddress();
  const recipient = dataOf<MailRecipient>(await add(address));
  expect(recipient).toMatchObject({ kind: 'address', value: address, status: 'pending', dns: null, verifiedBy: null });
  const token = await people.tokenTo(address, 'recipient_verification');
  const body = { token };
  expect(dataOf<MailRecipientLink>(await people.public(getMailRecipientLink, { body }))).toMatchObject({ address });
  expect(await listed()).toMatchObject([{ status: 'pending' }]);
  expect(await people.public(confirmMailRecipient, { body })).toMatchObject({ ok: true, status: 204 });
  expect(await listed()).toMatchObject([{ status: 'verified', verifiedBy: 'mail', reason: null }]);
  expect(await people.public(confirmMailRecipient, { body })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await people.public(getMailRecipientLink, { body })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await audited()).toEqual(['mail_recipient.created', 'mail_recipient.verified']);
  expect(JSON.stringify([await listed(), replicas.log])).not.toContain(token);
});

it('refuses a link of nobody, one that has expired, and one of a recipient that was deleted', async () => {
  const unknown = { token: 'x'.repeat(43) };
  expect(await people.public(confirmMailRecipient, { body: unknown })).toMatchObject({ code: 'NOT_FOUND' });
  const [expired, deleted] = [newAddress(), newAddress()];
  await add(expired);
  const body = { token: await people.tokenTo(expired, 'recipient_verification') };
  await replicas.sql.query(`UPDATE auth.account_tokens SET expires_at = now() WHERE email = $1`, [expired]);
  expect(await people.public(confirmMailRecipient, { body })).toMatchObject({ code: 'NOT_FOUND' });
  const { id } = dataOf<MailRecipient>(await add(deleted));
  const ofDeleted = { token: await people.tokenTo(deleted, 'recipient_verification') };
  expect(await call(deleteMailRecipient, { id })).toMatchObject({ ok: true });
  expect(await people.public(confirmMailRecipient, { body: ofDeleted })).toMatchObject({ code: 'NOT_FOUND' });
});

it('verifies a domain by its TXT record only', async () => {
  const domain = newDomain();
  const { id, dns } = dataOf<MailRecipient>(await add(domain.toUpperCase(), 'domain'));
  const name = `_ams-verify.${domain}`;
  expect(dns).toEqual({ name, text: expect.stringMatching(/^ams-verify=[\w-]{22}$/) });
  expect(await verify(id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(name) });
  zone.set(name, { kind: 'found', records: [[`${dns?.text}x`]] });
  expect(await verify(id)).toMatchObject({ code: 'CONFLICT' });
  zone.set(name, { kind: 'unanswered', reason: 'ETIMEOUT' });
  expect(await verify(id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('ETIMEOUT') });
  expect(await listed()).toMatchObject([{ status: 'pending' }]);
  zone.set(name, { kind: 'found', records: [['v=spf1 -all'], [dns?.text ?? '']] });
  expect(dataOf<MailRecipient>(await verify(id))).toMatchObject({ status: 'verified', verifiedBy: 'dns' });
  expect(await audited()).toEqual(['mail_recipient.created', 'mail_recipient.verified']);
});

it('sends a few of these mails a day: to an address over all organizations, and for an organization', async () => {
  const address = newAddress();
  for (let n = 0; n < verificationMailLimits.address; n++)
    expect(await add(address, 'address', (await replicas.newOrganizationKey()).principal)).toMatchObject({ ok: true });
  expect(await add(address)).toMatchObject({
    code: 'RATE_LIMITED',
    details: { limit: verificationMailLimits.address },
  });
  await eventually(() =>
    expect(people.mails.filter(({ to }) => to.address === address)).toHaveLength(verificationMailLimits.address),
  );
  expect(await listed()).toEqual([]);
  for (let n = 0; n < verificationMailLimits.organization; n++)
    expect(await add(newAddress())).toMatchObject({ ok: true });
  expect(await add(newAddress())).toMatchObject({
    code: 'RATE_LIMITED',
    details: { limit: verificationMailLimits.organization, windowSeconds: 86_400 },
  });
  expect(await listed()).toHaveLength(verificationMailLimits.organization);
});

it('refuses what is there already, what is no address, and more than the limit', async () => {
  const address = newAddress();
  await add(address);
  expect(await add(address.toUpperCase())).toMatchObject({ code: 'CONFLICT' });
  for (const [kind, value] of [
    ['address', 'example.com'],
    ['address', 'a@b.example, c@d.example'],
    ['domain', 'a@b.example'],
    ['domain', 'mailhost'],
    ['domain', '*.example.com'],
  ] as const)
    expect(await add(value, kind)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'value' }] },
    });
  await replicas.sql.query('UPDATE auth.organizations SET limits = $2 WHERE id = $1', [
    principal.organizationId,
    JSON.stringify({ mailRecipients: 1 }),
  ]);
  expect(await add(newDomain(), 'domain')).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { kind: 'mailRecipients', limit: 1, used: 1 },
  });
});

it('stops mail to an address that was refused, also to one that is not in the list, until its link is used', async () => {
  const address = newAddress();
  expect(await refuse(address)).toEqual({ stopped: true });
  expect(await refuse(address.toUpperCase())).toEqual({ stopped: false });
  const [recipient] = await listed();
  expect(recipient).toMatchObject({ status: 'bounced', reason: expect.stringContaining('no such user') });
  const id = recipient?.id ?? '';
  expect(await call(deleteMailRecipient, { id })).toMatchObject({ code: 'CONFLICT' });
  expect(dataOf<MailRecipient>(await verify(id))).toMatchObject({ status: 'bounced' });
  const token = await people.tokenTo(address, 'recipient_verification');
  expect(await people.public(confirmMailRecipient, { body: { token } })).toMatchObject({ ok: true });
  expect(await listed()).toMatchObject([{ status: 'verified', reason: null, stoppedAt: null }]);
  expect(await refuse(address)).toEqual({ stopped: true });
  expect(await listed()).toMatchObject([{ status: 'bounced' }]);
  expect(await audited()).toEqual([
    'mail_recipient.stopped',
    'mail_recipient.link_sent',
    'mail_recipient.verified',
    'mail_recipient.stopped',
  ]);
});

it('the operator verifies, and stops mail after a complaint, which a bounce does not replace', async () => {
  const address = newAddress();
  // Its slug.
  const organization = principal.organizationId;
  const of = { organization, value: address };
  expect(await verifyRecipient(replicas.adminDatabase, of)).toMatchObject({
    status: 'verified',
    verifiedBy: 'operator',
  });
  expect(await reportComplaint(replicas.adminDatabase, { ...of, reason: 'asked us' })).toMatchObject({
    status: 'complained',
    reason: 'asked us',
  });
  expect(await refuse(address)).toEqual({ stopped: false });
  expect(await listRecipients(replicas.adminDatabase, organization)).toMatchObject([{ status: 'complained' }]);
  expect(await verifyRecipient(replicas.adminDatabase, of)).toMatchObject({ status: 'verified', reason: null });
  await expect(verifyRecipient(replicas.adminDatabase, { organization, value: 'x y' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  const domain = { organization, value: newDomain(), reason: 'asked us' };
  await expect(reportComplaint(replicas.adminDatabase, domain)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await audited()).toEqual(['mail_recipient.verified', 'mail_recipient.stopped', 'mail_recipient.verified']);
});

it('shows and changes the recipients of the own organization only, and changes them with live keys only', async () => {
  const { id } = dataOf<MailRecipient>(await add(newDomain(), 'domain'));
  const { principal: other } = await replicas.newOrganizationKey();
  expect(await listed(other)).toEqual([]);
  for (const operation of [verifyMailRecipient, deleteMailRecipient])
    expect(await call(operation, { id }, other)).toMatchObject({ code: 'NOT_FOUND' });
  const { principal: testing } = await replicas.newKey(principal.organizationId, { environment: 'test' });
  expect(await listed(testing)).toMatchObject([{ id }]);
  expect(await add(newDomain(), 'domain', testing)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  for (const operation of [verifyMailRecipient, deleteMailRecipient])
    expect(await call(operation, { id }, testing)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

it('answers a repeated request with the same answer, and sends one mail', async () => {
  const address = newAddress();
  const body = { kind: 'address', value: address };
  const more = { body, idempotency: idempotencyOf(newUuid(), body) };
  const first = await replicas.call(createMailRecipient, principal, more);
  expect(await replicas.call(createMailRecipient, principal, more)).toEqual(first);
  await people.tokenTo(address, 'recipient_verification', 1);
});
