import { pushKeyPatterns } from '@ams/domain';
import {
  IsSecretKeys,
  MasterKeyFile,
  MasterKeyVaultTokenFile,
  MasterKeyVaultUrl,
  ServiceSettings,
  Setting,
} from '@ams/service';
import { IsInt, IsOptional, IsString, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { parseAllowList } from './http/public-address.js';

const IsAllowList = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAllowList',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parseAllowList(value).faults.length === 0,
      defaultMessage: () => 'must be networks (10.0.0.0/8), addresses and host names, separated by commas',
    },
  });

const IsMailUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMailUrl',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        /^smtps?:\/\/[^/]/.test(value) &&
        URL.canParse(value) &&
        new URL(value).hostname !== '',
      defaultMessage: () => 'must look like smtp://user:password@host:587 or smtps://user:password@host',
    },
  });

/** Each of the three needs the others. */
const hasVapid = ({ vapidPublicKey, vapidPrivateKey, vapidSubject }: NotifierSettings): boolean =>
  [vapidPublicKey, vapidPrivateKey, vapidSubject].some((value) => value !== undefined);

export class NotifierSettings extends ServiceSettings {
  @Setting(
    'SMTP_URL',
    'The URL of the mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the ' +
      'start. smtp:// uses TLS if the server offers it. With a password it requires TLS, unless the server is on ' +
      'this machine. Without this setting no mail is sent.',
    { secret: true },
  )
  @ValidateIf(({ smtpUrl }: NotifierSettings) => smtpUrl !== undefined)
  @IsMailUrl()
  smtpUrl?: string;

  @Setting(
    'MAIL_FROM',
    'The sender of mails, such as alerts@example.com or Alerts <alerts@example.com>. Required with SMTP_URL.',
  )
  @ValidateIf(({ smtpUrl, mailFrom }: NotifierSettings) => smtpUrl !== undefined || mailFrom !== undefined)
  @IsString()
  @Matches(/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
    message: 'must be an address, or a name and an address in angle brackets',
  })
  mailFrom?: string;

  @Setting('MAIL_CONNECTIONS', 'The maximum number of connections to the mail server.')
  @IsInt()
  @Min(1)
  @Max(100)
  mailConnections: number = 5;

  @Setting('MAIL_TIMEOUT_SECONDS', 'The time limit in seconds for one mail.')
  @IsInt()
  @Min(1)
  @Max(60)
  mailTimeoutSeconds: number = 30;

  @Setting(
    'CHAT_TIMEOUT_SECONDS',
    'The time limit in seconds for a chat or a push service to answer a message. The time limit of a webhook is in its ' +
      'workflow.',
  )
  @IsInt()
  @Min(1)
  @Max(60)
  chatTimeoutSeconds: number = 10;

  @Setting(
    'VAPID_PUBLIC_KEY',
    'The public key of this service for push messages (RFC 8292): a point of P-256 in base64url, as `npx web-push ' +
      'generate-vapid-keys` prints it. Browsers subscribe with it: after a change each member adds the devices again. ' +
      'Requires VAPID_PRIVATE_KEY, VAPID_SUBJECT and SECRETS_KEY. Without it nothing is pushed.',
  )
  @ValidateIf(hasVapid)
  @Matches(pushKeyPatterns.p256dh, { message: 'must be a point of P-256, 65 bytes in base64url' })
  vapidPublicKey?: string;

  @Setting('VAPID_PRIVATE_KEY', 'The private key that belongs to it: 32 bytes in base64url.', { secret: true })
  @ValidateIf(hasVapid)
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: 'must be 32 bytes in base64url' })
  vapidPrivateKey?: string;

  @Setting(
    'VAPID_SUBJECT',
    'How the operators of push services reach you: mailto:alerts@example.com, or a URL that begins with https://.',
  )
  @ValidateIf(hasVapid)
  @Matches(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, { message: 'must begin with mailto: or https://' })
  vapidSubject?: string;

  @Setting(
    'SECRETS_KEY',
    'The secret that decrypts the addresses of devices, the same as that of auth. Without it nothing is pushed.',
    { secret: true },
  )
  @IsOptional()
  @IsSecretKeys()
  secretsKey?: string;

  @MasterKeyFile()
  masterKeyFile?: string;

  @MasterKeyVaultUrl()
  masterKeyVaultUrl?: string;

  @MasterKeyVaultTokenFile()
  masterKeyVaultTokenFile?: string;

  @Setting(
    'OUTBOUND_ALLOW',
    'Private networks and hosts to which messages may be sent, separated by commas: 10.0.0.0/8,hooks.internal. ' +
      'Everybody who may change a workflow can then send requests to them.',
  )
  @IsAllowList()
  outboundAllow: string = '';

  @Setting('OUTBOUND_CONCURRENCY', 'The maximum number of messages that are sent at the same time.')
  @IsInt()
  @Min(1)
  @Max(10_000)
  concurrency: number = 100;

  @Setting(
    'OUTBOUND_CONCURRENCY_PER_TARGET',
    'The maximum number of messages that are sent at the same time to one address, or by mail to one domain.',
  )
  @IsInt()
  @Min(1)
  @Max(1000)
  concurrencyPerTarget: number = 2;

  @Setting(
    'OUTBOUND_WAIT_MS',
    'How long in milliseconds a message may wait until it can be sent. After it the workflow engine tries again.',
  )
  @IsInt()
  @Min(0)
  @Max(30_000)
  waitMs: number = 5000;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'notifier';
