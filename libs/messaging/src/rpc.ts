/**
 * Requests between services: `handle` at the owner, `call` at the caller. A queue group for each owner spreads requests
 * over its replicas. An error that is not a Fault is logged whole and reaches the caller as INTERNAL_ERROR.
 */
import { Fault, subjectOf, type Answer, type Call, type Handler, type Operation, type ReplyKind } from '@ams/contracts';
import { type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { asFault } from './rpc/as-fault.js';
import { atEndOfTurn } from './turn.js';
import { noParameters, validate } from './validate.js';

export interface HandlerLog {
  error(facts: Record<string, unknown>, message: string): void;
  debug(facts: Record<string, unknown>, message: string): void;
}

/** The subscriptions of one service and what is in flight on them: stopped together, nothing half done. */
export class Subscriptions {
  private readonly subscriptions: Subscription[] = [];
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly queue: string,
    private readonly log: HandlerLog,
  ) {}

  /** Serves an operation of the API. `versionOf` reads the version of the answer for its ETag. */
  handle<Q, B, R, K extends ReplyKind>(op: Operation<Q, B, R, K>, handler: Handler<Q, B, R, K>): void {
    this.serve(subjectOf(op), async (message) => {
      const call = message.json<Call>();
      const started = performance.now();
      const answer = await this.answer(op, handler, call);
      const facts = {
        operation: op.id,
        requestId: call.requestId,
        organizationId: call.principal.organizationId,
        ms: Math.round(performance.now() - started),
      };
      this.log.debug({ ...facts, ...(answer.ok ? { status: answer.status } : { code: answer.code }) }, 'answered');
      const text = JSON.stringify(answer);
      const room = this.connection.info?.max_payload ?? 1_048_576;
      if (text.length * 3 < room || Buffer.byteLength(text) < room) return text;
      return this.refusal(new Error('the answer is larger than a message of the broker can be'), op.id, call.requestId);
    });
  }

  private async answer<Q, B, R, K extends ReplyKind>(
    op: Operation<Q, B, R, K>,
    handler: Handler<Q, B, R, K>,
    call: Call,
  ): Promise<Answer> {
    try {
      if (!op.query) noParameters(call.query);
      const query = (op.query ? validate(op.query, call.query, 'query') : {}) as Q;
      const body = (
        op.body
          ? validate(op.body, op.bodyOptional ? (call.body ?? {}) : call.body, 'body', {
              check: op.check,
              verbatim: op.verbatim,
            })
          : undefined
      ) as B;
      const output: unknown = await handler({ ...call, query, body });
      if (op.reply === 'none') return { ok: true, status: 204, body: null, version: null };
      if (op.reply === 'list') return { ok: true, status: 200, body: output, version: null };
      const version = op.versioned ? ((output as { version?: number }).version ?? null) : null;
      return { ok: true, status: op.reply === 'created' ? 201 : 200, body: { data: output }, version };
    } catch (error) {
      return this.refusal(error, op.id, call.requestId);
    }
  }

  private refusal(error: unknown, what: string, requestId: string): Answer {
    const fault = asFault(error, requestId);
    if (fault.status >= 500) this.log.error({ operation: what, requestId, err: error }, 'failed');
    return { ok: false, code: fault.code, message: fault.message, details: fault.details };
  }

  /** Serves a subject that is not an operation of the API. What `reply` gives is sent as JSON; a text is taken to be JSON. */
  serve(subject: string, reply: (message: Msg) => Promise<unknown>, options: { everyReplica?: boolean } = {}): void {
    const subscription = this.connection.subscribe(subject, {
      ...(options.everyReplica ? {} : { queue: this.queue }),
      callback: (error, message) => {
        if (error) return this.log.error({ subject, err: error }, 'subscription failed');
        const work = reply(message)
          .then((answer) => {
            const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
            return new Promise<void>((sent) =>
              atEndOfTurn(() => {
                message.respond(text);
                sent();
              }),
            );
          })
          .catch((failure: unknown) => this.log.error({ subject, err: failure }, 'no answer could be given'))
          .finally(() => this.inFlight.delete(work));
        this.inFlight.add(work);
      },
    });
    this.subscriptions.push(subscription);
  }

  /** Takes no new request, and finishes those it has. */
  async drain(): Promise<void> {
    await Promise.all(
      this.subscriptions.map((subscription) => (subscription.isClosed() ? undefined : subscription.drain())),
    );
    await Promise.all(this.inFlight);
    if (!this.connection.isClosed()) await this.connection.flush().catch(() => undefined);
  }
}

/** Asks another service. Nobody there, no broker, or no answer in time: UNAVAILABLE. */
export async function call<T>(
  connection: NatsConnection,
  subject: string,
  request: unknown,
  options: { timeoutMs: number; requestId: string },
): Promise<T> {
  try {
    const message = await connection.request(subject, JSON.stringify(request), { timeout: options.timeoutMs });
    return message.json<T>();
  } catch (error) {
    throw error instanceof Fault ? error : asUnavailable(error, options.requestId);
  }
}

function asUnavailable(error: unknown, requestId: string): Fault {
  const fault = new Fault('UNAVAILABLE', { requestId });
  fault.cause = error;
  return fault;
}
