/** The second factors of the member who is signed in: an authenticator app, and recovery codes. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { operation } from '../operation.js';
import { nullableTime, Sent } from './common.js';

const code = { minLength: 6, maxLength: 40 };

/** Proves that the member still uses the session. */
export class PostProof {
  @ApiPropertyOptional({ maxLength: 256, description: 'The password of the member.' })
  @Sent()
  @IsString()
  @MaxLength(256)
  password?: string;

  @ApiPropertyOptional({ ...code, description: 'A code of the authenticator app, or a recovery code.' })
  @Sent()
  @IsString()
  @MinLength(code.minLength)
  @MaxLength(code.maxLength)
  code?: string;
}

export class TwoFactor {
  @ApiProperty({ ...nullableTime, description: 'Since when an authenticator app is set up; null: none is.' })
  totpSince!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 10, description: 'How many recovery codes are not used.' })
  recoveryCodesLeft!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many passkeys are registered.' })
  passkeys!: number;
}

export class TotpEnrolment {
  @ApiProperty({ description: 'The secret in base 32, for apps that cannot read the QR code.' }) secret!: string;
  @ApiProperty({ description: 'The `otpauth:` address, for the QR code.' }) uri!: string;
}

export class PostTotpCode {
  @ApiProperty({ ...code, description: 'The code that the app shows now.' })
  @IsString()
  @MinLength(code.minLength)
  @MaxLength(code.maxLength)
  code!: string;
}

export class RecoveryCodes {
  @ApiProperty({
    type: [String],
    description: 'Each can be used once, in place of the app. They are shown in this answer only.',
  })
  recoveryCodes!: string[];
}

const proof =
  ' Needs a proof that you are still the one who signed in, unless you did so in the last 15 minutes: the password, a ' +
  'code of the app, or a recovery code. Without it the answer is 403 with `required` = `proof`.';

/** For examples: no app, and one passkey. */
export const noTwoFactor: TwoFactor = { totpSince: null, recoveryCodesLeft: 0, passkeys: 1 };
const recoveryCodes = [
  'k3mf-8zq2-w1rt-0d7x',
  'p9ae-5hnc-vv40-2jy8',
  '7qwd-m2x6-tgk1-r3bz',
  'a0fs-e8pn-6c9v-hj54',
  'z2yt-1kd3-qm7w-x8rb',
  '4vgh-n6pe-0sa9-cf2j',
  'd8kz-w3mt-y5qx-1r7v',
  'h6nb-9cge-j0fp-s4a2',
  'r1xt-q7vw-8mdk-3zy5',
  'e5pj-2nha-c9sf-g6b0',
];

const common = { owner: 'auth', scope: null, access: 'member', tag: 'Signing in' } as const;

export const getTwoFactor = operation({
  ...common,
  id: 'twoFactor.get',
  operationId: 'getTwoFactor',
  method: 'GET',
  path: '/session/two-factor',
  summary: 'Get the second factors',
  description: `Which second factors the member has.`,
  reply: 'one',
  item: TwoFactor,
  example: { reply: { data: noTwoFactor } },
});

export const beginTotp = operation({
  ...common,
  id: 'twoFactor.beginTotp',
  operationId: 'beginTotp',
  method: 'POST',
  path: '/session/totp',
  summary: 'Set up an authenticator app',
  description:
    'A new secret for an authenticator app (TOTP, RFC 6238). It is shown once, and counts when a code of the app has ' +
    `confirmed it. Until then an app that was set up before stays valid.${proof}`,
  body: PostProof,
  bodyOptional: true,
  reply: 'created',
  item: TotpEnrolment,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {},
    reply: {
      data: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Alerts:mira%40example.com?issuer=Alerts&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      },
    },
  },
});

export const confirmTotp = operation({
  ...common,
  id: 'twoFactor.confirmTotp',
  operationId: 'confirmTotp',
  method: 'POST',
  path: '/session/totp/confirm',
  summary: 'Confirm the authenticator app',
  description:
    'From now on a sign-in with the password asks for a second factor. The answer has ten new recovery codes; earlier ' +
    `ones are not valid any more.`,
  body: PostTotpCode,
  reply: 'one',
  item: RecoveryCodes,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: { body: { code: '287082' }, reply: { data: { recoveryCodes } } },
});

export const disableTotp = operation({
  ...common,
  id: 'twoFactor.disableTotp',
  operationId: 'disableTotp',
  method: 'POST',
  path: '/session/totp/disable',
  summary: 'Remove the authenticator app',
  description:
    'The app is not asked for any more. The recovery codes end with it, unless the member has passkeys.' +
    `${proof.replace(', unless you did so in the last 15 minutes', ', always')}`,
  body: PostProof,
  reply: 'one',
  item: TwoFactor,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: { body: { code: '287082' }, reply: { data: noTwoFactor } },
});

export const renewRecoveryCodes = operation({
  ...common,
  id: 'twoFactor.renewRecoveryCodes',
  operationId: 'renewRecoveryCodes',
  method: 'POST',
  path: '/session/recovery-codes',
  summary: 'Make new recovery codes',
  description:
    'Ten new codes, shown once; earlier ones are not valid any more. Needs an authenticator app or a passkey.' +
    `${proof}`,
  body: PostProof,
  bodyOptional: true,
  reply: 'created',
  item: RecoveryCodes,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: { body: {}, reply: { data: { recoveryCodes } } },
});

export const secondFactorOperations = [getTwoFactor, beginTotp, confirmTotp, disableTotp, renewRecoveryCodes];
