/** The ways out: for each channel where its messages go, what they say, and what the answer means. */
import type { SendRequest, SendTarget } from '@ams/contracts';
import { parseEmailAddress } from '@ams/domain';
import { createHash } from 'node:crypto';
import { outcomeOf, outcomeOfTeams, secretsOfUrl } from './answers.js';
import type { Stop } from './gate.js';
import type { MailServer } from './mail-server.js';
import { discordMessage } from './messages/discord.js';
import { emailMessage } from './messages/email.js';
import { mattermostMessage } from './messages/mattermost.js';
import { slackMessage } from './messages/slack.js';
import { teamsMessage } from './messages/teams.js';
import { secretsOf, webhookMessage, type WebhookTarget } from './messages/webhook.js';
import { webTarget, type Exchange, type Outbound, type Post } from './outbound.js';
import { failedForGood, type Outcome } from './outcome.js';
import type { NotifierSettings } from './settings.js';
import { summaryOf, type Summary } from './summary.js';

export interface Route {
  /** For the log: the host, or the mail address without its name. */
  shown: string;
  stops: Stop[];
  attempt(): Promise<Outcome>;
}

type ChatTarget = Extract<SendTarget, { url: string; secret?: never }>;
type EmailTarget = Extract<SendTarget, { channel: 'email' }>;
type Judge = (exchange: Exchange, secrets: readonly string[], now: number) => Outcome;

const chats: Record<ChatTarget['channel'], { write: (summary: Summary) => object; judge: Judge }> = {
  slack: { write: slackMessage, judge: outcomeOf },
  teams: { write: teamsMessage, judge: outcomeOfTeams },
  mattermost: { write: mattermostMessage, judge: outcomeOf },
  discord: { write: discordMessage, judge: outcomeOf },
};

const always = { 'user-agent': 'alert-management-service', accept: '*/*' };

/** `m…@example.com`: enough to find a mail by, not enough to send one. */
export const maskedAddress = (address: string): string => `${address.slice(0, 1)}…@${domainOf(address)}`;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

export class Channels {
  /** `mail` is `null` where no mail server is set; `now` gives milliseconds since 1970. */
  constructor(
    private readonly settings: NotifierSettings,
    private readonly outbound: Outbound,
    private readonly mail: MailServer | null,
    private readonly now: () => number,
  ) {}

  routeOf(request: SendRequest): Route {
    const { target } = request;
    if (target.channel === 'email') return this.email(request, target);
    return target.channel === 'webhook' ? this.webhook(request, target) : this.chat(request, target);
  }

  private email({ notificationId, notice }: SendRequest, target: EmailTarget): Route {
    const { mail } = this;
    const from = this.settings.mailFrom;
    const shown = maskedAddress(target.address);
    const never = (code: string, why: string): Route => ({
      shown,
      stops: [],
      attempt: () => Promise.resolve(failedForGood(code, why, 'unknown')),
    });
    if (mail === null || from === undefined)
      return never('unset', 'This installation has no mail server: the operator has to set SMTP_URL.');
    // What is no plain address could be read as several, or as a command.
    const address = parseEmailAddress(target.address);
    if (address === null) return never('address', 'This is not an address that mail can be sent to.');
    const { domain } = address;
    return {
      shown,
      stops: [
        { key: 'mail server', limit: this.settings.mailConnections, name: 'The mail server', role: 'relay' },
        { key: `mail ${domain}`, limit: this.settings.concurrencyPerTarget, name: `Mail to ${domain}`, role: 'target' },
      ],
      attempt: () => mail.send(emailMessage(notificationId, target, notice, from)),
    };
  }

  private chat({ notice }: SendRequest, { channel, url }: ChatTarget): Route {
    const { write, judge } = chats[channel];
    const post = (): Post => ({
      url,
      headers: { ...always, 'content-type': 'application/json' },
      ownHeaders: {},
      body: JSON.stringify(write(summaryOf(notice))),
      timeoutMs: this.settings.chatTimeoutSeconds * 1000,
    });
    return this.http(url, async () => judge(await this.outbound.post(post()), secretsOfUrl(url), this.now()));
  }

  private webhook({ notificationId, event }: SendRequest, target: WebhookTarget): Route {
    return this.http(target.url, async () => {
      const message = webhookMessage(event, target, notificationId, this.now());
      if (message.kind === 'unusable') return failedForGood('unusable', message.why, 'unknown');
      const { body, headers, ownHeaders } = message;
      const exchange = await this.outbound.post({
        url: target.url,
        headers: { ...always, ...headers },
        ownHeaders,
        body,
        timeoutMs: target.timeoutSeconds * 1000,
      });
      return outcomeOf(
        exchange,
        [...secretsOfUrl(target.url), ...secretsOf(target.secret), ...Object.values(ownHeaders)],
        this.now(),
      );
    });
  }

  /** A target is a host and a path: those who share a chat's host have nothing to do with each other. */
  private http(text: string, attempt: () => Promise<Outcome>): Route {
    const url = webTarget(text);
    if ('kind' in url) return { shown: 'no address', stops: [], attempt };
    const path = createHash('sha256').update(url.pathname).digest('base64url');
    return {
      shown: url.host,
      stops: [
        { key: `${url.host} ${path}`, limit: this.settings.concurrencyPerTarget, name: url.host, role: 'target' },
      ],
      attempt,
    };
  }
}
