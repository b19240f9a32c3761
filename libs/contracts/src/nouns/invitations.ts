/**
 * Links by which a person gets into the dashboard without a password: invitations, new passwords, and the links that an
 * operator makes. Their tokens are in bodies only, never in a path, so that no log has them.
 */
import { passwordFaults } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { MaxLength } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation, publicOperation } from '../operation.js';
import { time, worded } from './common.js';
import { NameField, TimeZoneField } from './fields.js';
import { maxEmailLength, MemberRecord, memberRecordExample, memberRoles, type MemberRole } from './members.js';
import { aboutAttempts, aboutTheCookie, NewPasswordField, SignedIn, signedInExample, TokenField } from './session.js';
import { IsEmailAddress } from './validators.js';

const tag = 'Signing in';
const token = 'q3vN0m7cB2yXh5kTz8wLr1sDf4gJp6aEu9iOx2nVbQc';

export class PostToken {
  @TokenField()
  token!: string;
}

/** What the page of an invitation shows. */
export class Invitation {
  @ApiProperty({ description: 'The name of the organization.' }) organizationName!: string;
  @ApiProperty({ format: 'email' }) email!: string;
  @ApiProperty({ description: 'The name that whoever invited the person wrote.' }) name!: string;
  @ApiProperty({ enum: memberRoles, enumName: 'MemberRole' }) role!: MemberRole;
  @ApiProperty({
    description:
      'Whether the person has an account with a password already. Then that password accepts the invitation.',
  })
  hasPassword!: boolean;
  @ApiProperty({ ...time }) expiresAt!: string;
}

export class PostInvitationAcceptance {
  @TokenField()
  token!: string;

  @NameField({ presence: 'kept', description: 'The name of the member. Left out: as in the invitation.' })
  name?: string;

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone.' })
  timezone?: string;

  @NewPasswordField('The new password; of a person who has a password already, the present one.')
  password!: string;
}

export class PostPasswordReset {
  @ApiProperty({ format: 'email', maxLength: maxEmailLength, description: 'The address of the account.' })
  @applyDecorators(IsEmailAddress(), MaxLength(maxEmailLength))
  email!: string;
}

export class PasswordResetRequested {
  @ApiProperty({ type: 'integer', description: 'For how long the link in the mail can be used.' })
  validForMinutes!: number;
}

export class PutPasswordReset {
  @TokenField()
  token!: string;

  @NewPasswordField()
  password!: string;
}

const newPasswordFaults = ({ password }: Record<string, unknown>): FieldFault[] =>
  typeof password === 'string' ? worded(passwordFaults(password, { path: 'password', email: null })) : [];

const spent = 'A link that was used, has expired, or was replaced is answered with 404.';

export const getInvitation = publicOperation({
  id: 'invitations.get',
  operationId: 'getInvitation',
  owner: 'auth',
  method: 'POST',
  path: '/invitations/lookup',
  tag,
  summary: 'Look at an invitation',
  description: `The invitation of a link. It stays valid. ${spent}`,
  body: PostToken,
  reply: 'one',
  item: Invitation,
  faults: ['NOT_FOUND'],
  example: {
    body: { token },
    reply: {
      data: {
        organizationName: 'Example',
        email: memberRecordExample.email,
        name: memberRecordExample.name,
        role: memberRecordExample.role,
        hasPassword: false,
        expiresAt: '2026-11-27T13:00:00.000Z',
      },
    },
  },
});

export const acceptInvitation = publicOperation({
  id: 'invitations.accept',
  operationId: 'acceptInvitation',
  owner: 'auth',
  method: 'POST',
  path: '/invitations/acceptance',
  tag,
  summary: 'Accept an invitation',
  description:
    'The member becomes active and is signed in. A person who has no account with the address gets one with this ' +
    `password; otherwise it must be the password of the account. ${aboutTheCookie} ${spent} ${aboutAttempts}`,
  body: PostInvitationAcceptance,
  reply: 'one',
  item: SignedIn,
  faults: ['NOT_FOUND', 'CONFLICT'],
  example: {
    body: {
      token,
      name: memberRecordExample.name,
      timezone: 'Europe/Berlin',
      password: 'correct horse battery stable',
    },
    reply: { data: signedInExample },
  },
});

export const sendInvitation = operation({
  id: 'members.sendInvitation',
  operationId: 'sendInvitation',
  owner: 'auth',
  method: 'POST',
  path: '/users/{id}/invitation',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Send a member the invitation',
  description:
    'Sends a mail with a link, valid for 7 days, by which the member gets a password and signs in. For a member who was ' +
    'invited, and for an active one who has never signed in. Earlier links stay valid until one of them is used. Needs ' +
    'a key of the live environment.',
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id: memberRecordExample.id }, reply: { data: { ...memberRecordExample, status: 'invited' } } },
});

export const requestPasswordReset = publicOperation({
  id: 'passwordResets.request',
  operationId: 'requestPasswordReset',
  owner: 'auth',
  method: 'POST',
  path: '/password-resets',
  tag,
  summary: 'Ask for a new password',
  description:
    'Sends a mail with a link to the address, if a person signs in with it. The answer is the same if nobody does. At ' +
    'most 5 mails in 15 minutes are sent to an address.',
  body: PostPasswordReset,
  reply: 'one',
  item: PasswordResetRequested,
  example: { body: { email: memberRecordExample.email }, reply: { data: { validForMinutes: 60 } } },
});

export const resetPassword = publicOperation({
  id: 'passwordResets.complete',
  operationId: 'resetPassword',
  owner: 'auth',
  method: 'PUT',
  path: '/password-resets',
  tag,
  summary: 'Set a new password by a link',
  description: `Ends all sessions of the person, who then signs in with the new password. ${spent}`,
  body: PutPasswordReset,
  check: newPasswordFaults,
  reply: 'none',
  faults: ['NOT_FOUND'],
  example: { body: { token, password: 'four quiet ducks at noon' }, reply: null },
});

export const welcome = publicOperation({
  id: 'sessions.welcome',
  operationId: 'welcome',
  owner: 'auth',
  method: 'POST',
  path: '/session/welcome',
  tag,
  summary: 'Sign in by a link of the operator',
  description:
    'The first start of an installation prints such a link for the owner, and the admin command makes one for any ' +
    `member. It is valid for 24 hours and can be used once. ${aboutTheCookie} ${spent}`,
  body: PostToken,
  reply: 'one',
  item: SignedIn,
  faults: ['NOT_FOUND'],
  example: { body: { token }, reply: { data: signedInExample } },
});

export const invitationOperations = [
  getInvitation,
  acceptInvitation,
  sendInvitation,
  requestPasswordReset,
  resetPassword,
  welcome,
];
