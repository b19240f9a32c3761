/** Answers the engine: one request is one attempt, and its answer says how it went. Nothing is kept here but what circuits know. */
import { sendSubject, type Channel, type SendReply, type SendRequest } from '@ams/contracts';
import { Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Metrics, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Channels } from './channels.js';
import { Gate } from './gate.js';
import { MailServer } from './mail-server.js';
import { Outbound } from './outbound.js';
import { failedForNow, type Outcome } from './outcome.js';
import { parseAllowList } from './public-address.js';
import type { Resolve } from './resolver.js';
import { serviceName, type NotifierSettings } from './settings.js';

/** What comes from the world around: names, time, whom to trust. */
export interface Outside {
  resolveInDns: Resolve;
  resolveHere: Resolve;
  /** Milliseconds since 1970. */
  now(): number;
  /** Certificates (PEM) that are trusted in the place of those of Node; those of Node unless given. */
  trusted?: string;
}

/** The injector's token for it. */
export const outsideWorld = 'outsideWorld';

@Injectable()
export class Notifier implements Part {
  private readonly subscriptions: Subscriptions;
  private readonly mail: MailServer | null;
  private readonly channels: Channels;
  private readonly gate: Gate;
  private readonly attempts;
  private readonly durations;

  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.settings) settings: NotifierSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(outsideWorld) outside: Outside,
  ) {
    const { smtpUrl, mailFrom, mailConnections, mailTimeoutSeconds, concurrency, waitMs, outboundAllow } = settings;
    this.subscriptions = new Subscriptions(broker, serviceName, log);
    this.mail =
      smtpUrl === undefined
        ? null
        : new MailServer({
            url: smtpUrl,
            from: mailFrom!,
            connections: mailConnections,
            timeoutMs: mailTimeoutSeconds * 1000,
          });
    this.channels = new Channels(
      settings,
      new Outbound({ ...outside, allowed: parseAllowList(outboundAllow) }),
      this.mail,
      () => outside.now(),
    );
    this.gate = new Gate(concurrency, waitMs, () => outside.now());
    this.attempts = metrics.counter(
      'ams_notifier_attempts_total',
      'Messages: sent, failed for good, to be tried again (retry), held back without an attempt (held).',
      ['channel', 'result'],
    );
    this.durations = metrics.durations(
      'ams_notifier_attempt_seconds',
      'How long attempts took, waiting for a place included.',
      ['channel'],
    );
  }

  async start(): Promise<void> {
    this.subscriptions.serve(sendSubject, async (message) => this.send(message.json<SendRequest>()));
    // Ready is who can be asked: the broker has to have heard of the subscription.
    await this.broker.flush();
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
    this.mail?.close();
  }

  private async send(request: SendRequest): Promise<SendReply> {
    const { notificationId } = request;
    const { channel } = request.target;
    const started = performance.now();
    const { shown, outcome } = await this.attempt(request).catch((error: unknown) => {
      this.log.error({ notificationId, channel, err: error }, 'a message could not be sent for a reason of our own');
      return { shown: null, outcome: failedForNow('INTERNAL', 'Something went wrong in the notifier.', 'unknown') };
    });
    this.note(channel, outcome, (performance.now() - started) / 1000);
    // What the other side said stays out: it may hold the address that the mail was for.
    this.log.info(
      {
        notificationId,
        channel,
        target: shown,
        result: outcome.result,
        code: outcome.code,
        ms: Math.round(performance.now() - started),
      },
      'attempt',
    );
    return outcome.reply;
  }

  private async attempt(request: SendRequest): Promise<{ shown: string; outcome: Outcome }> {
    const { shown, stops, attempt } = this.channels.routeOf(request);
    return { shown, outcome: await this.gate.pass(stops, attempt) };
  }

  private note(channel: Channel, { result }: Outcome, seconds: number): void {
    this.attempts.inc({ channel, result });
    if (result !== 'held') this.durations.observe({ channel }, seconds);
  }
}
