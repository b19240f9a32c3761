/**
 * The transport of Nest's message handlers over NATS. Each service has a queue group, which spreads requests over its
 * replicas. Differences from Nest's own `ServerNats`: a replica drains before it stops, so no request is lost;
 * malformed and oversized messages are answered; it costs less (docs/adr/0023 has the measurement).
 */
import { subjectOf, type Answer, type Call, type Operation } from '@ams/contracts';
import { parseJson, type CallRefusal } from '@ams/domain';
import { continueTrace, isTracing, SpanKind, within, type Span } from '@ams/tracing';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Server } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Logger } from '../logger.js';
import { OrganizationActivity } from '../organization-activity.js';
import { atEndOfTurn } from '../turn.js';
import { refusalOf } from './fault.filter.js';
import type { HandlerExtras } from './handler-extras.js';
import { MessageAge } from './message-age.js';
import { OrganizationTurns, tooLate, type TurnLimits } from './organization-turns.js';
import { timeoutMsOf, traceContextOf } from './request-headers.js';
import { endAnswered, spanOfRequest } from './request-span.js';
import { RpcContext } from './rpc-context.js';
import { refusedReply, SignedCalls } from './signed-calls.js';

/**
 * Called when a request was answered. `outcome`: `ok`, the code of the fault, `noReply`, or `failed` when no reply
 * could be sent. `seconds`: from its arrival.
 */
export type Answered = (subject: string, outcome: string, seconds: number) => void;
/** Called when a call was refused, because of its signature. */
export type Refused = (reason: CallRefusal) => void;

/** The result of a handler when no reply is sent. */
const noReply = Symbol('no reply');

/** The calls of operations of one organization that a replica handles (ADR 75). */
const callsOfOrganization: TurnLimits = {
  places: 4,
  placesBesideOthers: 2,
  pace: 0.15,
  burstMs: 500,
  onePlaceFromMs: 50,
  restAfterEachMs: 100,
  countedFromMs: 15,
  longestRestMs: 1000,
  heldMs: Infinity,
};

export class RpcServer extends Server implements CustomTransportStrategy {
  private readonly subscriptions: Subscription[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private readonly age: MessageAge;
  private readonly turns: OrganizationTurns;
  /** Requests that arrived too late since the last log entry about them. */
  private late = 0;
  /** Calls that were refused since the last log entry about them, by subject and reason. */
  private readonly refusals = new Map<string, { subject: string; reason: CallRefusal; requests: number }>();

  constructor(
    private readonly connection: NatsConnection,
    /** The name of the service: its replicas share a queue group of this name. */
    private readonly queue: string,
    private readonly log: Logger,
    private readonly answered: Answered = () => undefined,
    private readonly calls = new SignedCalls(),
    private readonly refused: Refused = () => undefined,
    activity = new OrganizationActivity(),
  ) {
    super();
    this.turns = new OrganizationTurns(callsOfOrganization, activity);
    this.age = new MessageAge(async () => {
      await this.connection.rtt();
      this.logDropped();
    });
  }

  /** Nest would let the second handler of a subject replace the first one. */
  override addHandler(pattern: unknown, callback: MessageHandler, isEventHandler = false, extras: object = {}): void {
    if (this.messageHandlers.has(this.normalizePattern(pattern as string))) {
      throw new Error(`${String(pattern)} has two handlers`);
    }
    super.addHandler(pattern, callback, isEventHandler, extras as Record<string, unknown>);
  }

  /** Calls that wait for others of their organization. */
  get waitingCalls(): number {
    return this.turns.waiting;
  }

  /** The operations that have a handler here. */
  get operations(): Operation[] {
    return [...this.messageHandlers.values()].flatMap(({ extras }) => (extras as HandlerExtras).operation ?? []);
  }

  /** Runs the handler of an operation here, as for a request: with its guard, its checks, its filter and its answer. */
  async call(operation: Operation, call: Call): Promise<Answer> {
    const subject = subjectOf(operation);
    const handler = this.messageHandlers.get(this.normalizePattern(subject));
    if (!handler) throw new Error(`${operation.id} has no handler here`);
    const result: unknown = await handler(call, new RpcContext([{ subject }]));
    return (isObservable(result) ? await lastValueFrom(result) : result) as Answer;
  }

  async listen(ready: (error?: unknown) => void): Promise<void> {
    try {
      for (const [subject, handler] of this.messageHandlers) this.subscribe(subject, handler);
      await this.connection.flush();
      this.age.start();
      ready();
    } catch (error) {
      ready(error);
    }
  }

  private subscribe(subject: string, handler: MessageHandler): void {
    const { operation, everyReplica, signed = false } = handler.extras as HandlerExtras;
    const subscription = this.connection.subscribe(subject, {
      ...(everyReplica ? {} : { queue: this.queue }),
      callback: (error, message) => {
        if (error) return this.log.error({ subject, err: error }, 'subscription failed');
        const checked = signed ? this.calls.check(message) : { timeoutMs: timeoutMsOf(message) };
        if (typeof checked === 'string') return this.refuse(message, checked, operation);
        const begun = performance.now();
        const until = begun + checked.timeoutMs - this.age.limitMs;
        if (until <= begun) return void this.late++;
        const span = isTracing()
          ? continueTrace(traceContextOf(message), () => spanOfRequest(subject, SpanKind.SERVER))
          : undefined;
        const work = within(span, () => this.handle(handler, message, { operation, span, until }))
          .catch((failure: unknown) => {
            this.log.error({ subject, err: failure }, 'no reply could be sent');
            return 'failed';
          })
          .then((outcome) => {
            endAnswered(span, outcome);
            this.answered(subject, outcome, (performance.now() - begun) / 1000);
          })
          .finally(() => this.inFlight.delete(work));
        this.inFlight.add(work);
      },
    });
    this.subscriptions.push(subscription);
  }

  /** Returns the outcome, see `Answered`. */
  private async handle(
    handler: MessageHandler,
    message: Msg,
    { operation, span, until }: { operation: Operation | undefined; span: Span | undefined; until: number },
  ): Promise<string> {
    const data = this.read(message, operation);
    if (span && operation) showCall(span, operation, data);
    const work = async (): Promise<unknown> => {
      const result: unknown = await handler(data, new RpcContext([message]));
      return isObservable(result) ? lastValueFrom(result, { defaultValue: noReply }) : result;
    };
    const organizationId = operation && organizationOf(data);
    const reply = organizationId === undefined ? await work() : await this.turns.run(organizationId, until, work);
    if (reply === tooLate) this.late++;
    if (reply === noReply || reply === tooLate) return 'noReply';
    const whole = JSON.stringify(reply);
    const text = this.fitting(whole, operation, data);
    await new Promise<void>((sent) =>
      atEndOfTurn(() => {
        message.respond(text);
        sent();
      }),
    );
    return text === whole ? outcomeOf(reply) : 'INTERNAL_ERROR';
  }

  /** The handler is not called. The caller learns it at once. */
  private refuse(message: Msg, reason: CallRefusal, operation: Operation | undefined): void {
    const { subject } = message;
    const key = `${subject} ${reason}`;
    const refusal = this.refusals.get(key) ?? { subject, reason, requests: 0 };
    refusal.requests++;
    this.refusals.set(key, refusal);
    this.refused(reason);
    const { text, headers } = refusedReply(reason, operation);
    try {
      message.respond(text, { headers });
    } catch (error) {
      this.log.error({ subject, err: error }, 'no reply could be sent');
    }
  }

  /**
   * Of late requests nobody waits for the reply any more: the caller has reported an error, or has sent the request
   * again.
   */
  private logDropped(): void {
    if (this.late > 0) this.log.warn({ requests: this.late }, 'requests that arrived too late were dropped');
    this.late = 0;
    for (const refusal of this.refusals.values())
      this.log.warn(refusal, 'calls were refused: they are not signed by the API gateway as they must be');
    this.refusals.clear();
  }

  /**
   * `null` for text that is not JSON: guards and pipes refuse it. The body of an operation may be a payload of a
   * sender, so its integers keep their digits.
   */
  private read(message: Msg, operation: Operation | undefined): unknown {
    try {
      return operation ? parseJson(message.string()) : message.json();
    } catch {
      return null;
    }
  }

  /** An answer that exceeds the size limit of NATS is replaced by an error. */
  private fitting(text: string, operation: Operation | undefined, data: unknown): string {
    const limit = this.connection.info?.max_payload ?? 1_048_576;
    if (!operation || text.length * 3 < limit || Buffer.byteLength(text) < limit) return text;
    const { requestId } = data as { requestId: string };
    const error = new Error(`the answer of ${operation.id} is larger than a NATS message can be`);
    return JSON.stringify(refusalOf(error, requestId, this.log));
  }

  /** Accepts no new request, and finishes those in progress. May be called again. */
  async drain(): Promise<void> {
    this.turns.drain();
    await Promise.all(this.subscriptions.map((one) => (one.isClosed() ? undefined : one.drain())));
    await Promise.all(this.inFlight);
    this.age.stop();
    this.logDropped();
    if (!this.connection.isClosed()) await this.connection.flush().catch(() => undefined);
  }

  /** Nest calls this when the application closes. The connection has other users and stays open. */
  async close(): Promise<void> {
    await this.drain();
  }

  /** `Server` requires this method. No code listens to events of the transport. */
  on(): void {
    throw new Error('RpcServer has no events');
  }

  unwrap<T>(): T {
    return this.connection as T;
  }
}

/** Undefined for a public operation. */
function organizationOf(data: unknown): string | undefined {
  const { principal } = (data ?? {}) as Partial<Call>;
  return typeof principal?.organizationId === 'string' ? principal.organizationId : undefined;
}

/** Whose call it is. Not what it asks for. */
function showCall(span: Span, operation: Operation, data: unknown): void {
  span.setAttribute('ams.operation', operation.id);
  const organizationId = organizationOf(data);
  if (organizationId === undefined) return;
  const { environment } = (data as Call).principal;
  span.setAttributes({ 'ams.organization.id': organizationId, 'ams.environment': environment });
}

/** Replies of services that are no operations may have another form. An admission may be unavailable. */
function outcomeOf(reply: unknown): string {
  const { ok, code, kind } = (reply ?? {}) as { ok?: unknown; code?: unknown; kind?: unknown };
  if (kind === 'unavailable') return 'UNAVAILABLE';
  return ok === false && typeof code === 'string' ? code : 'ok';
}
