/** Ways to sign in besides the password: a second factor, a passkey, an OpenID provider. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';
import { publicOperation } from '../operation.js';
import { Sent } from './common.js';
import { PasskeyOptions, PasskeyResponseField } from './passkeys.js';
import { PostTotpCode } from './second-factors.js';
import { SignedIn, signedInExample } from './session.js';

const tag = 'Signing in';

export class OpenIdMethod {
  @ApiProperty({ description: 'The name of the provider, for the button.' }) name!: string;
}

export class SignInMethods {
  @ApiProperty({ description: 'E-mail address and password.' }) password!: boolean;
  @ApiProperty({ description: 'Passkeys; they need the setting PUBLIC_URL.' }) passkey!: boolean;
  @ApiProperty({ type: OpenIdMethod, nullable: true, description: 'OpenID Connect; null: it is not set up.' })
  openId!: OpenIdMethod | null;
}

export class PostPasskeySignIn {
  @PasskeyResponseField()
  response!: Record<string, unknown>;
}

const maxReturnTo = 2000;

export class PostOpenIdSignIn {
  @ApiPropertyOptional({
    maxLength: maxReturnTo,
    pattern: '^/(?![/\\\\])',
    default: '/',
    description: 'The page of the dashboard that the person wanted: a path with its query.',
  })
  @Sent()
  @IsString()
  @MaxLength(maxReturnTo)
  @Matches(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, {
    message: 'returnTo must be a path of this service, such as /alerts',
  })
  returnTo?: string;
}

export class OpenIdRedirect {
  @ApiProperty({ format: 'uri', description: 'Where the browser goes: the sign-in page of the provider.' })
  url!: string;
}

/** The largest body of a public operation has 16 KiB. */
const maxParameter = 4096;

/** Each parameter once, as a text. */
const AreParameters = (): PropertyDecorator =>
  ValidateBy({
    name: 'areParameters',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        Object.keys(value).length <= 10 &&
        Object.values(value).every((text) => typeof text === 'string' && text.length <= maxParameter),
      defaultMessage: () => `$property must be at most 10 texts of at most ${maxParameter} characters`,
    },
  });

export class PostOpenIdAnswer {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The query of the address to which the provider sent the browser: `code`, `state` and others.',
  })
  @IsObject()
  @AreParameters()
  parameters!: Record<string, string>;
}

export class OpenIdSignedIn extends SignedIn {
  @ApiProperty({ description: 'The page that the person wanted.' }) returnTo!: string;
}

const throttled =
  ' After 10 attempts for an account, or 50 from an address, that failed within 15 minutes, the answer is 429.';

export const getSignInMethods = publicOperation({
  id: 'signIn.methods',
  operationId: 'getSignInMethods',
  owner: 'auth',
  method: 'GET',
  path: '/sign-in/methods',
  tag,
  summary: 'Get the ways to sign in',
  description: 'What the sign-in page offers.',
  reply: 'one',
  item: SignInMethods,
  example: { reply: { data: { password: true, passkey: true, openId: { name: 'Example login' } } } },
});

export const signInWithCode = publicOperation({
  id: 'signIn.code',
  operationId: 'signInWithCode',
  owner: 'auth',
  method: 'POST',
  path: '/sign-in/code',
  tag,
  summary: 'Sign in: second factor by code',
  description:
    'Completes a sign-in with the password: a code of the authenticator app, or a recovery code. Each code is valid ' +
    `once. Needs the cookie that the sign-in has set. It is valid for 10 minutes.${throttled}`,
  body: PostTotpCode,
  reply: 'one',
  item: SignedIn,
  example: { body: { code: '287082' }, reply: { data: signedInExample } },
});

export const beginPasskeySignIn = publicOperation({
  id: 'signIn.beginPasskey',
  operationId: 'beginPasskeySignIn',
  owner: 'auth',
  method: 'POST',
  path: '/sign-in/passkey/options',
  tag,
  summary: 'Sign in: begin with a passkey',
  description:
    'The options for `navigator.credentials.get()`. They name no passkeys, so they do not tell who has an account.',
  reply: 'one',
  item: PasskeyOptions,
  faults: ['CONFLICT'],
  example: {
    reply: {
      data: {
        options: {
          challenge: 'q0Qq1Vq2u0lq0m0h2mVQhYk3fXv6uTtB8x1o5kq7n4E',
          rpId: 'alerts.example.com',
          userVerification: 'required',
        },
      },
    },
  },
});

export const signInWithPasskey = publicOperation({
  id: 'signIn.passkey',
  operationId: 'signInWithPasskey',
  owner: 'auth',
  method: 'POST',
  path: '/sign-in/passkey',
  tag,
  summary: 'Sign in with a passkey',
  description:
    'Signs in without a password, or completes a sign-in with the password. The authenticator must verify the person, ' +
    `by fingerprint, face or PIN.${throttled}`,
  body: PostPasskeySignIn,
  reply: 'one',
  item: SignedIn,
  faults: ['CONFLICT'],
  example: {
    body: {
      response: {
        id: 'b1tQxY0mT9GzC4hQ2nq0Rg',
        rawId: 'b1tQxY0mT9GzC4hQ2nq0Rg',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5Y…', signature: 'MEUCIQ…' },
      },
    },
    reply: { data: signedInExample },
  },
});

export const beginOpenIdSignIn = publicOperation({
  id: 'signIn.beginOpenId',
  operationId: 'beginOpenIdSignIn',
  owner: 'auth',
  method: 'POST',
  path: '/sign-in/openid',
  tag,
  summary: 'Sign in: go to the OpenID provider',
  description:
    'The answer has the address to which the browser goes. It also sets a cookie: only the browser that began can ' +
    'complete the sign-in, within 10 minutes. The provider sends the browser to the page `/sign-in/openid`.',
  body: PostOpenIdSignIn,
  bodyOptional: true,
  reply: 'one',
  item: OpenIdRedirect,
  faults: ['NOT_FOUND'],
  example: {
    body: { returnTo: '/alerts' },
    reply: { data: { url: 'https://login.example.com/auth?client_id=alerts&response_type=code&scope=openid+email' } },
  },
});

export const signInWithOpenId = publicOperation({
  id: 'signIn.openId',
  operationId: 'signInWithOpenId',
  owner: 'auth',
  method: 'POST',
  path: '/sign-in/openid/answer',
  tag,
  summary: 'Sign in with the answer of the OpenID provider',
  description:
    'Checks the answer and signs in. The address in it must be verified by the provider. No second factor is asked ' +
    'for: that is up to the provider. 401: the answer is not valid, or not for this browser. 403: the person is not ' +
    'a member, is disabled, or is in no group that may sign in.',
  body: PostOpenIdAnswer,
  reply: 'one',
  item: OpenIdSignedIn,
  faults: ['NOT_FOUND'],
  example: {
    body: { parameters: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' } },
    reply: { data: { ...signedInExample, returnTo: '/alerts' } },
  },
});

export const signInOperations = [
  getSignInMethods,
  signInWithCode,
  beginPasskeySignIn,
  signInWithPasskey,
  beginOpenIdSignIn,
  signInWithOpenId,
];
