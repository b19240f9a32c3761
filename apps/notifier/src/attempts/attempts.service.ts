/**
 * One request of the workflow engine is one attempt, and the reply has its result. The engine decides about further
 * attempts. This service stores nothing; in memory it has the state of the circuit breakers and the recent attempts.
 */
import type { SendingReply, SendReply, SendRequest } from '@ams/contracts';
import { Logger } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { childSpan, failSpan, inSpan, SpanKind, type Span } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { deliveryOf } from '../channels/channel-senders.js';
import { Transports } from '../channels/transports.js';
import { SealedTargets } from '../secrets/sealed-targets.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { temporaryFailure, type AttemptResult } from './attempt-result.js';
import { AttemptsInProgress } from './attempts-in-progress.js';

@Injectable()
export class AttemptsService {
  private readonly attempts;
  private readonly durations;

  constructor(
    private readonly transports: Transports,
    private readonly sealedTargets: SealedTargets,
    private readonly limiter: AttemptLimiter,
    private readonly inProgress: AttemptsInProgress,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.attempts = metrics.counter(
      'ams_notifier_attempts_total',
      'Messages by result: sent, failed (permanently), retry (failed for now), held (held back without an attempt).',
      ['channel', 'result'],
    );
    this.durations = metrics.durations(
      'ams_notifier_attempt_seconds',
      'Duration of attempts, including the wait for a free slot.',
      ['channel'],
    );
  }

  async send(request: SendRequest): Promise<SendReply | SendingReply> {
    if (this.inProgress.stopping) return { kind: 'heldBack', reason: 'the notifier stops', retryAfterSeconds: 1 };
    return this.inProgress.start(request.notificationId, request.waitMs, () => this.sendNow(request));
  }

  /** In a span of its own: the request may be answered before its attempt ends. */
  private sendNow(request: SendRequest): Promise<SendReply> {
    const span = childSpan(() => spanOfAttempt(request));
    return inSpan(span, () => this.sendIn(span, request));
  }

  private async sendIn(span: Span | undefined, request: SendRequest): Promise<SendReply> {
    const { notificationId } = request;
    const { channel } = request.target;
    const started = performance.now();
    const { target, attempt } = await this.attempt(request).catch((error: unknown) => {
      this.log.error({ notificationId, channel, err: error }, 'an attempt failed because of an error in the notifier');
      const failure = temporaryFailure('INTERNAL', 'An internal error occurred in the notifier.', 'unknown');
      return { target: null, attempt: failure };
    });
    const { result, code, reply } = attempt;
    const ms = performance.now() - started;
    span?.setAttribute('ams.notification.result', result);
    if (result !== 'sent') failSpan(span, code);
    this.attempts.inc({ channel, result });
    if (result !== 'held') this.durations.observe({ channel }, ms / 1000);
    // The text of the answer is not logged, because it may contain the recipient's address.
    this.log.info({ notificationId, channel, target, result, code, ms: Math.round(ms) }, 'attempt');
    return reply;
  }

  private async attempt(request: SendRequest): Promise<{ target: string | null; attempt: AttemptResult }> {
    const opened = await this.sealedTargets.opened(request);
    if (opened.kind === 'held') return { target: null, attempt: opened.attempt };
    const { target, hops, attempt } = deliveryOf({ ...request, target: opened.target }, this.transports);
    return { target, attempt: await this.limiter.run(hops, attempt) };
  }
}

/** Not the target: it is an address of a person, or a URL that may be secret. */
function spanOfAttempt({ notificationId, target, notice, event }: SendRequest) {
  const data = event.data as { alert?: { id: string } | null; incident?: { id: string } | null };
  const alertId = (notice.alert ?? data.alert)?.id;
  const incidentId = (notice.incident ?? data.incident)?.id;
  return {
    name: `attempt ${target.channel}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'ams.notification.id': notificationId,
      'ams.notification.channel': target.channel,
      'ams.environment': notice.environment,
      ...(alertId !== undefined && { 'ams.alert.id': alertId }),
      ...(incidentId !== undefined && { 'ams.incident.id': incidentId }),
    },
  };
}
