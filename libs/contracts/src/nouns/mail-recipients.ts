/**
 * Recipients of mails: addresses and domains that an organization has verified, so that mails to people who are no
 * members go only where they are wanted. Tokens of links are in bodies only, never in a path, so that no log has them.
 */
import {
  mailRecipientKey,
  mailRecipientKinds,
  mailRecipientStatuses,
  verificationMethods,
  verificationNameOf,
  verificationTextOf,
  type MailRecipientKind,
  type MailRecipientStatus,
  type Negatable,
  type VerificationMethod,
} from '@ams/domain';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation, publicOperation } from '../operation.js';
import { ListQuery, nullableText, nullableTime, time } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { PostToken } from './invitations.js';
import { maxEmailLength } from './members.js';

const tag = 'Mail recipients';
const token = 'q3vN0m7cB2yXh5kTz8wLr1sDf4gJp6aEu9iOx2nVbQc';

/** How many mails with a link are sent in a day. */
export const verificationMailLimits = { organization: 20, address: 3 } as const;

const kindSchema = { enum: mailRecipientKinds, enumName: 'MailRecipientKind' };

export class DnsText {
  @ApiProperty({ description: 'The name of the TXT record.' }) name!: string;
  @ApiProperty({ description: 'Its text.' }) text!: string;
}

export class MailRecipient {
  @ApiProperty() id!: string;
  @ApiProperty(kindSchema) kind!: MailRecipientKind;
  @ApiProperty({ description: 'The address or the domain.' }) value!: string;
  @ApiProperty({
    enum: mailRecipientStatuses,
    enumName: 'MailRecipientStatus',
    description:
      '`pending`: waits for its verification. `verified`: mails are sent. `bounced`: a mail server refused the address ' +
      'for good, and `complained`: its owner complained; then no mail is sent, also when its domain is verified or it ' +
      'is the address of a member, until it is verified again.',
  })
  status!: MailRecipientStatus;
  @ApiProperty({ ...nullableText, description: 'Why mail has stopped.' }) reason!: string | null;
  @ApiProperty({
    enum: verificationMethods,
    enumName: 'VerificationMethod',
    nullable: true,
    description:
      '`mail`: by the link in a mail. `dns`: by a TXT record. `operator`: by the operator of the service. ' +
      '`earlier_use`: it was in use before addresses were verified.',
  })
  verifiedBy!: VerificationMethod | null;
  @ApiProperty({ ...nullableTime }) verifiedAt!: string | null;
  @ApiProperty({ ...nullableTime, description: 'Since when no mail is sent.' }) stoppedAt!: string | null;
  @ApiProperty({
    type: DnsText,
    nullable: true,
    description: 'The TXT record that proves that the domain is yours; null for an address.',
  })
  dns!: DnsText | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
}

export class PostMailRecipient {
  @ApiProperty(kindSchema)
  @IsIn(mailRecipientKinds)
  kind!: MailRecipientKind;

  @ApiProperty({
    maxLength: maxEmailLength,
    description: 'An address such as `ops@example.com`, or a domain such as `example.com`, without its subdomains.',
  })
  @IsString()
  @MaxLength(maxEmailLength)
  value!: string;
}

/** What the page of a link shows. */
export class MailRecipientLink {
  @ApiProperty({ description: 'The name of the organization.' }) organizationName!: string;
  @ApiProperty({ format: 'email' }) address!: string;
  @ApiProperty({ ...time }) expiresAt!: string;
}

const sorts = ['createdAt', '-createdAt'] as const;

export class ListMailRecipientsQuery extends ListQuery {
  @ChoiceFilter({
    allowed: mailRecipientKinds,
    description: 'Only those of one of these kinds.',
    example: ['domain'],
  })
  kind?: Negatable<MailRecipientKind>[];

  @ChoiceFilter({
    allowed: mailRecipientStatuses,
    description: 'Only those with one of these statuses.',
    example: ['bounced', 'complained'],
  })
  status?: Negatable<MailRecipientStatus>[];

  @SortField(sorts, '-createdAt')
  sort?: (typeof sorts)[number];
}

const faultsOfValue = ({ kind, value }: Record<string, unknown>): FieldFault[] => {
  const known = mailRecipientKinds.find((name) => name === kind);
  if (known === undefined || typeof value !== 'string' || mailRecipientKey(known, value) !== null) return [];
  const message =
    known === 'address'
      ? 'value must be an e-mail address such as ops@example.com'
      : 'value must be a domain such as example.com';
  return [{ path: 'value', rule: known === 'address' ? 'email' : 'domain', message }];
};

const example: MailRecipient = {
  id: 'mrc_01938f3a7c2e7d4ab1c2d3e4f5060180',
  kind: 'domain',
  value: 'example.com',
  status: 'pending',
  reason: null,
  verifiedBy: null,
  verifiedAt: null,
  stoppedAt: null,
  dns: { name: verificationNameOf('example.com'), text: verificationTextOf('Zk3vN0m7cB2yXh5kTz8wLr') },
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
};
const bounced: MailRecipient = {
  ...example,
  id: 'mrc_01938f3a7c2e7d4ab1c2d3e4f5060181',
  kind: 'address',
  value: 'former@example.com',
  status: 'bounced',
  reason: 'The mail server answered 550 5.1.1 No such user',
  stoppedAt: '2026-11-20T13:00:00.000Z',
  dns: null,
};

const common = { owner: 'auth', tag } as const;
const aboutMails =
  `At most ${verificationMailLimits.organization} of these mails are sent in 24 hours for an organization, and ` +
  `${verificationMailLimits.address} to an address.`;
const live = 'Recipients belong to both environments; this needs a key of the live environment.';
const spent = 'A link that was used, has expired, or was replaced is answered with 404.';

export const listMailRecipients = operation({
  ...common,
  id: 'mailRecipients.list',
  operationId: 'listMailRecipients',
  method: 'GET',
  path: '/mail-recipients',
  scope: 'users:read',
  summary: 'List recipients of mails',
  description:
    'The addresses and domains to which mails to people who are no members may be sent, and the addresses to which mail ' +
    'has stopped, also those of members. A mail to any other address is `skipped`. The address of an active member needs ' +
    'no entry.',
  query: ListMailRecipientsQuery,
  reply: 'list',
  item: MailRecipient,
  faults: ['INVALID_CURSOR'],
  example: {
    reply: { data: [example, bounced], meta: { limit: 50, hasMore: false, nextCursor: null, total: 2 } },
  },
});

export const createMailRecipient = operation({
  ...common,
  id: 'mailRecipients.create',
  operationId: 'createMailRecipient',
  method: 'POST',
  path: '/mail-recipients',
  scope: 'organization:write',
  summary: 'Add a recipient of mails',
  description:
    'An address gets a mail with a link, valid for 7 days, by which its owner confirms. For a domain, add the TXT record ' +
    `in \`dns\` to it and verify it afterwards; then all its addresses are verified. ${aboutMails} ${live}`,
  body: PostMailRecipient,
  check: faultsOfValue,
  reply: 'created',
  item: MailRecipient,
  faults: ['CONFLICT', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: { body: { kind: 'domain', value: 'example.com' }, reply: { data: example } },
});

export const verifyMailRecipient = operation({
  ...common,
  id: 'mailRecipients.verify',
  operationId: 'verifyMailRecipient',
  method: 'POST',
  path: '/mail-recipients/{id}/verification',
  scope: 'organization:write',
  summary: 'Verify a recipient of mails',
  description:
    'Looks for the TXT record of a domain: it becomes `verified`, or the answer is 409. An address gets another mail ' +
    `with a link; an address to which mail has stopped gets it too, and stays stopped until the link is used. ${aboutMails} ${live}`,
  reply: 'one',
  item: MailRecipient,
  faults: ['CONFLICT'],
  example: {
    params: { id: example.id },
    reply: {
      data: { ...example, status: 'verified', verifiedBy: 'dns', verifiedAt: '2026-11-20T14:00:00.000Z' },
    },
  },
});

export const deleteMailRecipient = operation({
  ...common,
  id: 'mailRecipients.delete',
  operationId: 'deleteMailRecipient',
  method: 'DELETE',
  path: '/mail-recipients/{id}',
  scope: 'organization:write',
  summary: 'Delete a recipient of mails',
  description:
    'Mails that wait to be sent to it are skipped. An address to which mail has stopped cannot be deleted: the entry ' +
    `keeps it stopped. ${live}`,
  reply: 'none',
  faults: ['CONFLICT'],
  example: { params: { id: example.id }, reply: null },
});

export const getMailRecipientLink = publicOperation({
  ...common,
  id: 'mailRecipients.link',
  operationId: 'getMailRecipientLink',
  method: 'POST',
  path: '/mail-recipients/lookup',
  summary: 'Look at the link of a recipient',
  description: `Which organization wants to send mails to which address. The link stays valid. ${spent}`,
  body: PostToken,
  reply: 'one',
  item: MailRecipientLink,
  faults: ['NOT_FOUND'],
  example: {
    body: { token },
    reply: {
      data: { organizationName: 'Example', address: 'ops@example.com', expiresAt: '2026-11-27T13:00:00.000Z' },
    },
  },
});

export const confirmMailRecipient = publicOperation({
  ...common,
  id: 'mailRecipients.confirm',
  operationId: 'confirmMailRecipient',
  method: 'POST',
  path: '/mail-recipients/confirmation',
  summary: 'Confirm a recipient by a link',
  description: `The owner of the address agrees to get mails: it becomes \`verified\`. ${spent}`,
  body: PostToken,
  reply: 'none',
  faults: ['NOT_FOUND'],
  example: { body: { token }, reply: null },
});

export const mailRecipientOperations = [
  listMailRecipients,
  createMailRecipient,
  verifyMailRecipient,
  deleteMailRecipient,
  getMailRecipientLink,
  confirmMailRecipient,
];
