import { ServiceSettings, Setting } from '@ams/service';
import { IsInt, IsString, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
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

export class NotifierSettings extends ServiceSettings {
  @Setting(
    'SMTP_URL',
    'The mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start. smtp:// ' +
      'uses TLS where the server offers it, and with a password insists on it, unless the server is on this machine. ' +
      'Without it no mail is sent.',
    { secret: true },
  )
  @ValidateIf(({ smtpUrl }: NotifierSettings) => smtpUrl !== undefined)
  @IsMailUrl()
  smtpUrl?: string;

  @Setting(
    'MAIL_FROM',
    'Whom mails are from, such as alerts@example.com or Alerts <alerts@example.com>. Has to be set with SMTP_URL.',
  )
  @ValidateIf(({ smtpUrl, mailFrom }: NotifierSettings) => smtpUrl !== undefined || mailFrom !== undefined)
  @IsString()
  @Matches(/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
    message: 'must be an address, or a name and an address in angle brackets',
  })
  mailFrom?: string;

  @Setting('MAIL_CONNECTIONS', 'How many connections to the mail server are used at once.')
  @IsInt()
  @Min(1)
  @Max(100)
  mailConnections: number = 5;

  @Setting('MAIL_TIMEOUT_SECONDS', 'How long the mail server may take for one mail.')
  @IsInt()
  @Min(1)
  @Max(60)
  mailTimeoutSeconds: number = 30;

  @Setting(
    'CHAT_TIMEOUT_SECONDS',
    'How long a chat may take to answer a message. Webhooks have a time of their own, which the workflow says.',
  )
  @IsInt()
  @Min(1)
  @Max(60)
  chatTimeoutSeconds: number = 10;

  @Setting(
    'OUTBOUND_ALLOW',
    'Networks and hosts that chats and webhooks may be in although they are not public, separated by commas: ' +
      '10.0.0.0/8,hooks.internal. Whoever may change a workflow can then send requests there.',
  )
  @IsAllowList()
  outboundAllow: string = '';

  @Setting('OUTBOUND_CONCURRENCY', 'How many messages are sent at once.')
  @IsInt()
  @Min(1)
  @Max(10_000)
  concurrency: number = 100;

  @Setting(
    'OUTBOUND_CONCURRENCY_PER_TARGET',
    'How many messages are sent at once to the same address, or by mail to the same domain.',
  )
  @IsInt()
  @Min(1)
  @Max(1000)
  concurrencyPerTarget: number = 2;

  @Setting(
    'OUTBOUND_WAIT_MS',
    'How long a message may wait until it can be sent; after that it is to be asked for again.',
  )
  @IsInt()
  @Min(0)
  @Max(30_000)
  waitMs: number = 5000;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'notifier';
