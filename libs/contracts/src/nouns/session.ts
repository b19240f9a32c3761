/** Signing in, and the sessions of the person who is signed in. A session is a cookie, which only the gateway handles. */
import { roles, scopes, type Scope } from '@ams/scopes';
import { passwordLimits, passwordFaults } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation, publicOperation } from '../operation.js';
import { ListQuery, nullableText, Sent, time, worded } from './common.js';
import { SortField } from './filters.js';
import { maxEmailLength, MemberRecord, memberRecordExample } from './members.js';
import { noTwoFactor, TwoFactor } from './second-factors.js';
import { IsEmailAddress } from './validators.js';

const tag = 'Signing in';

export class Account {
  @ApiProperty({ format: 'email', description: 'The address with which the person signs in.' }) email!: string;
  @ApiProperty({ description: 'Whether the person can sign in with a password.' }) hasPassword!: boolean;
}

export class MemberOrganization {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
}

/** Who is signed in, and as whom. */
export class Session {
  @ApiProperty() id!: string;
  @ApiProperty({ type: Account }) account!: Account;
  @ApiProperty({ type: MemberRecord, description: 'As whom the person acts.' }) member!: MemberRecord;
  @ApiProperty({ type: MemberOrganization }) organization!: MemberOrganization;
  @ApiProperty({
    type: [MemberOrganization],
    description: 'The organizations of which the person is an active member, by name.',
  })
  organizations!: MemberOrganization[];
  @ApiProperty({ enum: scopes, enumName: 'Scope', isArray: true, description: 'What the role allows.' })
  scopes!: Scope[];
  @ApiProperty({
    description:
      'Every POST, PUT and DELETE with the session cookie needs it in the header `X-CSRF-Token`. It changes with the ' +
      'cookie: after signing in and after a change of the password.',
  })
  csrfToken!: string;
  @ApiProperty({ type: TwoFactor, description: 'The second factors of the person.' }) twoFactor!: TwoFactor;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time, description: 'When the session ends, unless it is used before.' }) expiresAt!: string;
}

export const secondFactors = ['totp', 'passkey', 'recovery'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** The answer to signing in. */
export class SignedIn {
  @ApiProperty({ type: Session, nullable: true, description: 'Null: another factor is asked for.' })
  session!: Session | null;

  @ApiProperty({
    enum: secondFactors,
    enumName: 'SecondFactor',
    isArray: true,
    nullable: true,
    description:
      'Which other factors the person has; one of them completes the sign-in within 10 minutes: `signInWithCode` with ' +
      'a code of the authenticator app or a recovery code, or `signInWithPasskey`. Null: the person is signed in.',
  })
  secondFactor!: SecondFactor[] | null;
}

/** A session in the list of the sessions of the person. */
export class OwnSession {
  @ApiProperty() id!: string;
  @ApiProperty({ description: 'Whether it is the session of this request.' }) isCurrent!: boolean;
  @ApiProperty({ type: MemberOrganization }) organization!: MemberOrganization;
  @ApiProperty({ ...nullableText, description: 'The address from which it began.' }) ip!: string | null;
  @ApiProperty({ ...nullableText, description: 'The browser in which it began, as it names itself.' })
  userAgent!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time, description: 'When it was used last, to the minute.' }) lastSeenAt!: string;
  @ApiProperty({ ...time }) expiresAt!: string;
}

const EmailField = (description: string) =>
  applyDecorators(
    ApiProperty({ format: 'email', maxLength: maxEmailLength, description }),
    IsEmailAddress(),
    MaxLength(maxEmailLength),
  );

const tokenLength = 43;

/** The part of the address of a link after `#`. */
export const TokenField = () =>
  applyDecorators(
    ApiProperty({ minLength: tokenLength, maxLength: tokenLength, description: 'The part of the link after `#`.' }),
    IsString(),
    Length(tokenLength, tokenLength, { message: 'token must be the part of the link after #' }),
  );

/** The password that somebody has. Rules for new ones may have changed since. */
const PresentPasswordField = (description: string, required = true) =>
  applyDecorators(
    ApiProperty({ format: 'password', maxLength: passwordLimits.longest, description, required }),
    IsString(),
    MaxLength(passwordLimits.longest),
  );

const rules = `At least ${passwordLimits.shortest} characters, not the e-mail address, and not one that many people use.`;

/** `check` of the operation, and `auth`, have the rules. */
export const NewPasswordField = (description = '') =>
  applyDecorators(
    ApiProperty({
      format: 'password',
      minLength: passwordLimits.shortest,
      maxLength: passwordLimits.longest,
      description: `${description} ${rules}`.trim(),
    }),
    IsString(),
  );

/** Rules for a new password that need no account; with the account, `auth` also compares it with the address. */
const newPasswordFaults =
  (field: string) =>
  (body: Record<string, unknown>): FieldFault[] =>
    typeof body[field] === 'string' ? worded(passwordFaults(body[field], { path: field, email: null })) : [];

export class PostSession {
  @EmailField('The address of the account.')
  email!: string;

  @PresentPasswordField('The password of the account.')
  password!: string;
}

export class PutSession {
  @ApiProperty({ description: 'An organization of which the person is an active member.' })
  @IsString()
  organizationId!: string;
}

const sessionSorts = ['createdAt', '-createdAt'] as const;

export class ListSessionsQuery extends ListQuery {
  @SortField(sessionSorts, '-createdAt')
  sort?: (typeof sessionSorts)[number];
}

export class PutPassword {
  @Sent()
  @PresentPasswordField('The present password. Left out by a person who has none.', false)
  currentPassword?: string;

  @NewPasswordField()
  newPassword!: string;
}

const example = {
  account: { email: 'mira@example.com', hasPassword: true },
  organization: { id: 'org_01938f3a7c2e7d4ab1c2d3e4f5060001', name: 'Example' },
  id: 'ses_01938f3a7c2e7d4ab1c2d3e4f5060500',
  times: { createdAt: '2026-11-20T13:00:00.000Z', expiresAt: '2026-12-04T13:00:00.000Z' },
};

export const sessionExample: Session = {
  id: example.id,
  account: example.account,
  member: memberRecordExample,
  organization: example.organization,
  organizations: [example.organization],
  scopes: [...roles.responder],
  csrfToken: 'b3VyLW93bi1wYWdlcy1rbm93LXRoaXMtYW5kLW5vLW90aGVy',
  twoFactor: noTwoFactor,
  ...example.times,
};

export const signedInExample: SignedIn = { session: sessionExample, secondFactor: null };

const ownSessionExample: OwnSession = {
  id: example.id,
  isCurrent: true,
  organization: example.organization,
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  createdAt: example.times.createdAt,
  lastSeenAt: '2026-11-20T14:05:00.000Z',
  expiresAt: example.times.expiresAt,
};

/** What every answer that begins a session says about the cookie. */
export const aboutTheCookie =
  'The answer sets the session cookie (`HttpOnly`, `SameSite=Lax`). The token of the session is nowhere else.';

/** What every operation that takes a secret says about attempts. */
export const aboutAttempts =
  'After 10 failed attempts for an account, or 50 from an address, in 15 minutes, further ones get 429.';

export const signIn = publicOperation({
  id: 'sessions.signIn',
  operationId: 'signIn',
  owner: 'auth',
  method: 'POST',
  path: '/session',
  tag,
  summary: 'Sign in with a password',
  description:
    `Begins a session. ${aboutTheCookie} A session of this browser that was there before ends. The answer to a wrong ` +
    `password is 401, and does not tell whether there is an account with this address. ${aboutAttempts}`,
  body: PostSession,
  reply: 'one',
  item: SignedIn,
  faults: ['UNAUTHORIZED', 'RATE_LIMITED'],
  example: {
    body: { email: 'mira@example.com', password: 'correct horse battery stable' },
    reply: { data: signedInExample },
  },
});

export const getSession = operation({
  id: 'sessions.get',
  operationId: 'getSession',
  owner: 'auth',
  method: 'GET',
  path: '/session',
  scope: null,
  access: 'member',
  tag,
  summary: 'Get the present session',
  description: 'Who is signed in, as whom, with which scopes, and the token that changes need.',
  reply: 'one',
  item: Session,
  example: { reply: { data: sessionExample } },
});

export const switchOrganization = operation({
  id: 'sessions.switch',
  operationId: 'switchOrganization',
  owner: 'auth',
  method: 'PUT',
  path: '/session',
  scope: null,
  access: 'member',
  tag,
  summary: 'Switch to another organization',
  description: 'The session acts as another member of the same person from now on.',
  body: PutSession,
  reply: 'one',
  item: Session,
  faults: ['NOT_FOUND'],
  example: { body: { organizationId: example.organization.id }, reply: { data: sessionExample } },
});

export const signOut = operation({
  id: 'sessions.signOut',
  operationId: 'signOut',
  owner: 'auth',
  method: 'DELETE',
  path: '/session',
  scope: null,
  access: 'member',
  tag,
  summary: 'Sign out',
  description: 'Ends the present session at once on every replica, and removes the cookie.',
  reply: 'none',
  example: { reply: null },
});

export const listSessions = operation({
  id: 'sessions.list',
  operationId: 'listSessions',
  owner: 'auth',
  method: 'GET',
  path: '/sessions',
  scope: null,
  access: 'member',
  tag,
  summary: 'List the own sessions',
  description: 'Where the person is signed in, in all organizations.',
  query: ListSessionsQuery,
  reply: 'list',
  item: OwnSession,
  faults: ['INVALID_CURSOR'],
  example: { reply: { data: [ownSessionExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } } },
});

export const endSession = operation({
  id: 'sessions.end',
  operationId: 'endSession',
  owner: 'auth',
  method: 'DELETE',
  path: '/sessions/{id}',
  scope: null,
  access: 'member',
  tag,
  summary: 'End an own session',
  description: 'Takes effect at once on every replica: requests of the session that are in progress get 401.',
  reply: 'none',
  example: { params: { id: example.id }, reply: null },
});

export const endOtherSessions = operation({
  id: 'sessions.endOthers',
  operationId: 'endOtherSessions',
  owner: 'auth',
  method: 'DELETE',
  path: '/sessions',
  scope: null,
  access: 'member',
  tag,
  summary: 'End all other own sessions',
  description: 'The person stays signed in here only.',
  reply: 'none',
  example: { reply: null },
});

export const changePassword = operation({
  id: 'sessions.changePassword',
  operationId: 'changePassword',
  owner: 'auth',
  method: 'PUT',
  path: '/session/password',
  scope: null,
  access: 'member',
  tag,
  summary: 'Change the own password',
  description:
    'Needs the present password; a person without one sets the first. All other sessions end, and this one gets a new ' +
    `cookie and a new \`csrfToken\`. The person is told by mail. ${aboutAttempts}`,
  body: PutPassword,
  check: newPasswordFaults('newPassword'),
  reply: 'one',
  item: Session,
  example: {
    body: { currentPassword: 'correct horse battery stable', newPassword: 'four quiet ducks at noon' },
    reply: { data: sessionExample },
  },
});

export const sessionOperations = [
  signIn,
  getSession,
  switchOrganization,
  signOut,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
];
